/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** How durations, names and corrections are written in messages. */
@NullMarked
package io.holdfast.lock.text;

import org.jspecify.annotations.NullMarked;
