/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import java.time.Duration;

/**
 * The times of a fixture: short, so that the kit is quick.
 *
 * @param ttl what rules ask for as TTL
 * @param freeAfterDeath after what time at the most a dead holder's lock is free: the TTL, or the
 *     session time-out with what the server adds to it
 */
public record Timing(Duration ttl, Duration freeAfterDeath) {}
