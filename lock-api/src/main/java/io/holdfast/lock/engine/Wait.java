/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The time that an acquisition waits for another owner.
 *
 * @param waits false: one attempt
 * @param limit the longest wait, for the answer to that attempt also; without limit if empty
 */
public record Wait(boolean waits, Optional<Duration> limit) {

  static final Wait NONE = new Wait(false, Optional.empty());
  static final Wait UNLIMITED = new Wait(true, Optional.empty());

  /**
   * Waits for so long.
   *
   * @param maxWait zero means one attempt
   * @return the wait
   * @throws IllegalArgumentException if it is negative
   */
  public static Wait atMost(Duration maxWait) {
    Objects.requireNonNull(maxWait, "maxWait");
    if (maxWait.isNegative()) {
      throw new IllegalArgumentException("maxWait must not be negative, but is " + maxWait);
    }
    if (maxWait.isZero()) {
      return NONE;
    }
    return new Wait(true, Optional.of(maxWait));
  }
}
