/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockOptions;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.memory.ManualTime;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Each change leaves the rest as it is, and what makes no sense is refused. */
class WorkerOptionsTest {

  private static final LockOptions TERMS =
      LockOptions.defaults().withTtl(Duration.ofSeconds(40)).withEarlyWarning(Duration.ofMillis(1));
  private static final Duration HEAD_START = Duration.ofSeconds(7);
  private static final Duration PAUSE = Duration.ofSeconds(3);
  private static final Optional<TimeSource> TIME = Optional.of(new ManualTime());
  private static final WorkerOptions OWN =
      new WorkerOptions("own", TERMS, HEAD_START, PAUSE, false, TIME);

  @Test
  void aChangeLeavesTheRest() {
    assertEquals(
        new WorkerOptions("other", TERMS, HEAD_START, PAUSE, false, TIME), OWN.withName("other"));
    assertEquals(
        new WorkerOptions("own", TERMS, Duration.ofSeconds(9), PAUSE, false, TIME),
        OWN.withHeadStart(Duration.ofSeconds(9)));
    assertEquals(
        new WorkerOptions("own", TERMS, HEAD_START, Duration.ZERO, false, TIME),
        OWN.withPause(Duration.ZERO));
    assertEquals(
        new WorkerOptions("own", TERMS, HEAD_START, PAUSE, true, TIME),
        OWN.withStopAtShutdown(true));
    Optional<TimeSource> another = Optional.of(new ManualTime());
    assertEquals(
        new WorkerOptions("own", TERMS, HEAD_START, PAUSE, false, another),
        OWN.withTime(another.orElseThrow()));
  }

  @Test
  void theDefaultsAreAsTheyAreDescribed() {
    WorkerOptions defaults = WorkerOptions.defaults();
    Duration fifth = LockOptions.defaults().ttl().dividedBy(5);
    assertEquals(
        new WorkerOptions(
            defaults.name(),
            LockOptions.defaults(),
            fifth,
            Duration.ofSeconds(1),
            true,
            Optional.empty()),
        defaults);
  }

  @Test
  void otherTermsBringAnotherHeadStart() {
    LockOptions terms = TERMS.withTtl(Duration.ofSeconds(5));
    assertEquals(
        new WorkerOptions("own", terms, Duration.ofSeconds(1), PAUSE, false, TIME),
        OWN.withOptions(terms));
  }

  @Test
  void senselessSettingsAreRefused() {
    Duration least = Duration.ofNanos(1);
    assertRefused(() -> OWN.withHeadStart(TERMS.ttl()));
    assertEquals(TERMS.ttl().minus(least), OWN.withHeadStart(TERMS.ttl().minus(least)).headStart());
    assertRefused(() -> OWN.withHeadStart(least.negated()));
    assertEquals(Duration.ZERO, OWN.withHeadStart(Duration.ZERO).headStart());
    assertRefused(() -> OWN.withPause(Duration.ofDays(1).plus(least)));
    assertEquals(Duration.ofDays(1), OWN.withPause(Duration.ofDays(1)).pause());
    assertRefused(() -> OWN.withPause(least.negated()));
  }

  private static void assertRefused(Runnable change) {
    assertThrows(IllegalArgumentException.class, change::run);
  }
}
