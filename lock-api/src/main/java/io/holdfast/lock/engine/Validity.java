/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import java.time.Duration;

/**
 * The arithmetic of validity, in one place: counted from before the request was sent, less a margin
 * for the drift between two clocks and the granularity of the server's (the margin that the Redis
 * documentation proposes for Redlock: one percent and two milliseconds).
 */
public final class Validity {

  private static final long GRANULARITY_NANOS = 2_000_000;
  private static final Duration LONGEST = Duration.ofDays(366);

  private Validity() {}

  /** Until when the holder may believe, on the clock that gave {@code sentAt}. */
  static long until(long sentAt, Duration leaseTime) {
    long nanos = nanos(leaseTime);
    return sentAt + nanos - nanos / 100 - GRANULARITY_NANOS;
  }

  /**
   * Saturates, so that no sum of a clock and a duration overflows.
   *
   * @param duration of any length
   * @return in nanoseconds; at most a year
   */
  public static long nanos(Duration duration) {
    return duration.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : duration.toNanos();
  }

  /** Of two times of one clock. */
  static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
  }

  static long later(long a, long b) {
    return a - b > 0 ? a : b;
  }
}
