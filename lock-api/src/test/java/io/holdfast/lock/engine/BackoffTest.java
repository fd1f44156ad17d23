/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Retry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private static final Retry RETRY =
      Retry.defaults().withPauses(Duration.ofMillis(50), Duration.ofMillis(300));
  private static final Retry EVEN = RETRY.withJitter(0);

  private static Optional<Duration> in(long millis) {
    return Optional.of(Duration.ofMillis(millis));
  }

  @Test
  void pausesDoubleUpToTheLongest() {
    Backoff backoff = new Backoff(EVEN);
    assertEquals(
        List.of(50L, 100L, 200L, 300L, 300L),
        Stream.generate(() -> backoff.pause(Optional.empty()).toMillis()).limit(5).toList());
  }

  @Test
  void aHintShortensAPauseAndNeverLengthensIt() {
    Backoff backoff = new Backoff(EVEN);
    assertEquals(Duration.ofMillis(20), backoff.pause(in(20)));
    assertEquals(Duration.ofMillis(100), backoff.pause(in(200)));
    assertEquals(Duration.ofMillis(200), backoff.pause(in(200)));
    assertEquals(Duration.ofMillis(1), backoff.pause(in(0)));
  }

  @Test
  void jitterTakesSomethingOfAPauseAndAddsLittleToAHint() {
    double sum = 0;
    for (int i = 0; i < 1_000; i++) {
      Duration pause = new Backoff(RETRY.withJitter(0.5)).pause(Optional.empty());
      assertTrue(pause.toNanos() > 25_000_000 && pause.toNanos() <= 50_000_000, "" + pause);
      sum += pause.toMillis();
      Duration hinted = new Backoff(EVEN.withJitter(0.01)).pause(in(20));
      assertTrue(
          hinted.toNanos() >= 20_000_000 && hinted.toNanos() <= 20_050_000, "hinted " + hinted);
    }
    assertTrue(sum / 1_000 > 33 && sum / 1_000 < 42, "the mean is " + sum / 1_000);
  }
}
