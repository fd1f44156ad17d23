/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import java.time.Duration;
import java.util.Optional;

/**
 * Who has a lock's key at one server.
 *
 * @param owner the owner id
 * @param expiresIn what is left of its TTL; empty if it has none
 */
public record KeyHolder(String owner, Optional<Duration> expiresIn) {}
