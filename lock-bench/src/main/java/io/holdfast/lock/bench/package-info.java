/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Measures what locks cost: beside the bare commands that any implementation must send, and beside
 * other libraries, in one run.
 */
@NullMarked
package io.holdfast.lock.bench;

import org.jspecify.annotations.NullMarked;
