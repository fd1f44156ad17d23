/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests for how long a lock was asked for, and when a server keeps it for more than that. */
class RequestedTimeTest {

  private static final Duration TEN = Duration.ofSeconds(10);

  /** Ten seconds cross the end of the numbers. */
  private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

  private final RequestedTime requested = new RequestedTime(clock::get);

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void theLongestRequestCounts() {
    assertEquals(Duration.ZERO, requested.left());
    requested.request(TEN);
    requested.request(Duration.ofSeconds(5));
    assertEquals(TEN, requested.left());
    pass(Duration.ofSeconds(4));
    assertEquals(Duration.ofSeconds(6), requested.left());
    requested.request(TEN);
    assertEquals(TEN, requested.left());
    pass(Duration.ofSeconds(11));
    assertEquals(Duration.ZERO, requested.left());
  }

  @Test
  void onlyWhatIsKeptForMuchLongerIsToEndEarlier() {
    requested.request(TEN);
    assertEquals(Optional.empty(), requested.insteadOf(Duration.ofSeconds(9)));
    assertEquals(Optional.empty(), requested.insteadOf(Duration.ofSeconds(11)));
    assertEquals(Optional.of(TEN), requested.insteadOf(Duration.ofMillis(11_001)));
  }

  @Test
  void aTimeThatNobodyAsksForAnyMoreIsLeftAlone() {
    assertEquals(Optional.empty(), requested.insteadOf(TEN));
    requested.request(TEN);
    pass(TEN);
    assertEquals(Optional.empty(), requested.insteadOf(TEN));
  }

  @Test
  void noTimeIsTooLong() {
    requested.request(Duration.ofSeconds(Long.MAX_VALUE));
    assertEquals(Duration.ofDays(36_500), requested.left());
    requested.request(TEN);
    assertEquals(Duration.ofDays(36_500), requested.left());
  }
}
