/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Helpers that several backends need and that are not part of the contract: batching, time limits,
 * checks of names, files of settings. A backend may use it or not.
 */
@NullMarked
package io.holdfast.lock.spi.support;

import org.jspecify.annotations.NullMarked;
