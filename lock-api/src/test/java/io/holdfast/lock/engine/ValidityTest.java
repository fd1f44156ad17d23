/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ValidityTest {

  @Test
  void onePercentAndTwoMillisecondsAreTheMargin() {
    long sentAt = -5;
    assertEquals(
        sentAt + Duration.ofMillis(10_000 - 100 - 2).toNanos(),
        Validity.until(sentAt, Duration.ofSeconds(10)));
  }

  @Test
  void theLongestTimesAreAsLongAsAYearAndADay() {
    Duration year = Duration.ofDays(366);
    assertEquals(year.toNanos(), Validity.nanos(year));
    assertEquals(year.toNanos(), Validity.nanos(year.plusNanos(1)));
    assertEquals(year.toNanos(), Validity.nanos(Duration.ofSeconds(Long.MAX_VALUE)));
    assertEquals(year.toNanos() - 1, Validity.nanos(year.minusNanos(1)));
  }
}
