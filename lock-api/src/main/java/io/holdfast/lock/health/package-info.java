/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** Checks of the servers: settings that would break a promise. No lock needs them. */
@NullMarked
package io.holdfast.lock.health;

import org.jspecify.annotations.NullMarked;
