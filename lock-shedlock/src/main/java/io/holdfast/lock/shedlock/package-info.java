/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** ShedLock on any backend: {@link io.holdfast.lock.shedlock.HoldfastLockProvider}. */
@NullMarked
package io.holdfast.lock.shedlock;

import org.jspecify.annotations.NullMarked;
