/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Many processes that contend for locks while servers, links and they themselves are stopped,
 * killed and broken, by a schedule that a seed repeats; and what their histories prove.
 */
@NullMarked
package io.holdfast.lock.tck.nemesis;

import org.jspecify.annotations.NullMarked;
