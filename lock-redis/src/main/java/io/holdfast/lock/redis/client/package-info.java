/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
/** Opening a client to Redis (addresses, TLS, reconnection), and the meaning of its failures. */
@NullMarked
package io.holdfast.lock.redis.client;

import org.jspecify.annotations.NullMarked;
