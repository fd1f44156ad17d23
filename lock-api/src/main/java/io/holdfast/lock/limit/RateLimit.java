/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.limit;

import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Objects;

/**
 * A limit on how often something may be done.
 *
 * @param permits how many are granted within any window of the length, wherever it begins: 1 to
 *     1,000,000
 * @param window its length: 1 ms to 365 days, by the server's clock, to the microsecond
 * @param unanswered the answer while the server does not answer; there is no good default
 */
public record RateLimit(int permits, Duration window, Unanswered unanswered) {

  /** The most permits that a window can have. */
  public static final int MOST_PERMITS = 1_000_000;

  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(365);

  /** Checks the bounds. */
  public RateLimit {
    Objects.requireNonNull(window, "window");
    Objects.requireNonNull(unanswered, "unanswered");
    if (permits < 1 || permits > MOST_PERMITS) {
      throw new IllegalArgumentException(
          "permits must be from 1 to %d, but is %d".formatted(MOST_PERMITS, permits));
    }
    if (window.compareTo(SHORTEST) < 0 || window.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "window must be from %s to %s, but is %s"
              .formatted(TimeText.of(SHORTEST), TimeText.of(LONGEST), TimeText.of(window)));
    }
  }

  /** Whether to go on without the server. */
  public enum Unanswered {
    /** Fails open: what is limited goes on, without limit. */
    ALLOW,
    /** Fails closed: what is limited stops. */
    REFUSE
  }
}
