/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** What a connection to Redis needs: settings, addresses, opening, reconnection, failures. */
@NullMarked
package io.holdfast.lock.redis.connect;

import org.jspecify.annotations.NullMarked;
