/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** The examples of {@code docs/migration}, with the other libraries on real servers. */
@NullMarked
package io.holdfast.lock.bench.migration;

import org.jspecify.annotations.NullMarked;
