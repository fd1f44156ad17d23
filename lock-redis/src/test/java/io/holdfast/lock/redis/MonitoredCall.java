/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import java.util.Optional;

/**
 * One call of the limiter's script, as the server saw it. Times are the server's, in microseconds.
 *
 * @param key of the server
 * @param permits how many were wanted
 * @param begunAt before the script looked at the clock
 * @param grantedAt what the script wrote; empty if it refused
 */
record MonitoredCall(String key, int permits, long begunAt, Optional<Long> grantedAt) {}
