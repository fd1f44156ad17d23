/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.limit.RateLimit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The terms and the backend that were chosen for one scenario.
 *
 * @param name of the scenario
 * @param preset whose terms and demands it has; none if empty
 * @param backend the name of its backend
 * @param provider the name of that backend's provider
 * @param options its terms for locks; without meaning if there is a limit
 * @param permits of its semaphores, if it has any
 * @param limit its terms, if it is for a {@link io.holdfast.lock.limit.RateLimiter} and not for
 *     locks
 * @param accepted demands that the backend does not meet, and that {@code accept-weaker} gave up
 */
public record Scenario(
    String name,
    Optional<Preset> preset,
    String backend,
    String provider,
    LockOptions options,
    OptionalInt permits,
    Optional<RateLimit> limit,
    List<Demand> accepted) {

  /** Copies the list. */
  public Scenario {
    accepted = List.copyOf(accepted);
  }
}
