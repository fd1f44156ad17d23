/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.holdfast.lock.tck.nemesis;

import org.jspecify.annotations.NullMarked;
