/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** Work that goes on for as long as a lock is held: {@link io.holdfast.lock.worker.LockWorker}. */
@NullMarked
package io.holdfast.lock.worker;

import org.jspecify.annotations.NullMarked;
