/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.limit.RateLimit.Unanswered;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitTest {

  private static RateLimit limit(int permits, Duration window) {
    return new RateLimit(permits, window, Unanswered.ALLOW);
  }

  @Test
  void boundsAreIncludedAndNothingBeyondThem() {
    Duration millisecond = Duration.ofMillis(1);
    Duration year = Duration.ofDays(365);
    assertEquals(1, limit(1, millisecond).permits());
    assertEquals(year, limit(1_000_000, year).window());
    assertThrows(IllegalArgumentException.class, () -> limit(0, year));
    assertThrows(IllegalArgumentException.class, () -> limit(1_000_001, year));
    assertThrows(IllegalArgumentException.class, () -> limit(1, millisecond.minusNanos(1)));
    assertThrows(IllegalArgumentException.class, () -> limit(1, year.plusNanos(1)));
  }
}
