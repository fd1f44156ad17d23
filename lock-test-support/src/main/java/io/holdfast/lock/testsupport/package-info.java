/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Helpers that the tests of several modules need. It depends on none of them, and is not published.
 */
@NullMarked
package io.holdfast.lock.testsupport;

import org.jspecify.annotations.NullMarked;
