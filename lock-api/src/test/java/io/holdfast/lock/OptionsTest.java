/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Terms that are changed one by one, and terms that do not fit together. */
class OptionsTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final HoldTimes TIMES =
      new HoldTimes(SECOND, Optional.of(MINUTE), SECOND.multipliedBy(5));

  /** None is a default. */
  private static final LockOptions ALL =
      new LockOptions(
          SECOND.multipliedBy(7),
          Renewal.every(SECOND.multipliedBy(2)),
          Retry.defaults().withMaxAttempts(3),
          HandOver.none(),
          Reentry.REFUSE,
          TIMES,
          Optional.of(SECOND.multipliedBy(3)));

  /** There and back: whatever else were lost on the way would be missing at the end. */
  @Test
  void aTermIsChangedAndTheOthersAreKept() {
    LockOptions defaults = LockOptions.defaults();
    assertEquals(ALL, ALL.withTtl(defaults.ttl()).withTtl(ALL.ttl()));
    assertEquals(ALL, ALL.withRenewal(defaults.renewal()).withRenewal(ALL.renewal()));
    assertEquals(ALL, ALL.withRetry(defaults.retry()).withRetry(ALL.retry()));
    assertEquals(ALL, ALL.withHandOver(defaults.handOver()).withHandOver(ALL.handOver()));
    assertEquals(ALL, ALL.withReentry(defaults.reentry()).withReentry(ALL.reentry()));
    assertEquals(ALL, ALL.withHoldTimes(HoldTimes.none()).withHoldTimes(TIMES));
    assertEquals(ALL, ALL.withEarlyWarning(SECOND).withEarlyWarning(SECOND.multipliedBy(3)));
    assertEquals(ALL, ALL.withMinHold(Duration.ZERO).withMinHold(TIMES.minimum()));
    assertEquals(ALL, ALL.withMaxHold(SECOND).withMaxHold(MINUTE));
    assertEquals(ALL, ALL.withLockDelay(Duration.ZERO).withLockDelay(TIMES.lockDelay()));
    assertEquals(MINUTE, ALL.withTtl(MINUTE).ttl());
    assertEquals(Renewal.none(), ALL.withRenewal(Renewal.none()).renewal());
    assertEquals(defaults.retry(), ALL.withRetry(defaults.retry()).retry());
    assertEquals(defaults.handOver(), ALL.withHandOver(defaults.handOver()).handOver());
    assertEquals(Reentry.WAIT, ALL.withReentry(Reentry.WAIT).reentry());
    assertEquals(Optional.of(SECOND), ALL.withEarlyWarning(SECOND).earlyWarning());
    assertEquals(MINUTE, ALL.withMinHold(MINUTE).holdTimes().minimum());
    assertEquals(Optional.of(SECOND), ALL.withMaxHold(SECOND).holdTimes().maximum());
    assertEquals(MINUTE, ALL.withLockDelay(MINUTE).holdTimes().lockDelay());
  }

  @Test
  void soAreThoseOfRetriesAndOfAClient() {
    Retry retry = new Retry(SECOND, MINUTE, 0.5, OptionalInt.of(3));
    Retry defaults = Retry.defaults();
    assertEquals(
        retry, retry.withPauses(defaults.initial(), defaults.max()).withPauses(SECOND, MINUTE));
    assertEquals(retry, retry.withJitter(1).withJitter(0.5));
    assertEquals(retry, retry.withMaxAttempts(9).withMaxAttempts(3));
    assertEquals(OptionalInt.of(9), retry.withMaxAttempts(9).maxAttempts());
    Executor executor = Runnable::run;
    TimeSource time = TimeSource.host();
    try {
      ClientOptions client =
          new ClientOptions(
              Optional.of("till"),
              Optional.of(executor),
              Optional.of(time),
              Optional.of(ALL),
              OptionalInt.of(5));
      assertEquals(client, client.withClientName("shop").withClientName("till"));
      assertEquals(client, client.withCallbackExecutor(executor));
      assertEquals(client, client.withTime(time));
      assertEquals(client, client.withLockOptions(LockOptions.defaults()).withLockOptions(ALL));
      assertEquals(client, client.withPermits(7).withPermits(5));
      assertEquals(OptionalInt.of(7), client.withPermits(7).permits());
      refused("capacity must be from", () -> client.withPermits(0));
    } finally {
      time.close();
    }
  }

  /** The server does not keep a lock that nobody renews for longer than its TTL. */
  @Test
  void aMinimumHoldIsWithinTheTtlOfALeaseThatIsNotRenewed() {
    LockOptions fixed =
        LockOptions.defaults().withTtl(MINUTE).withRenewal(Renewal.none()).withMinHold(MINUTE);
    assertEquals(MINUTE, fixed.holdTimes().minimum());
    refused("minimum hold must be at most the ttl", () -> fixed.withMinHold(MINUTE.plusNanos(1)));
    refused("minimum hold must be at most the ttl", () -> fixed.withTtl(MINUTE.minusNanos(1)));
    LockOptions renewed = LockOptions.defaults().withMinHold(MINUTE.multipliedBy(9));
    assertEquals(MINUTE.multipliedBy(9), renewed.holdTimes().minimum());
  }

  @Test
  void holdTimesAreWithinTheirBounds() {
    HoldTimes none = HoldTimes.none();
    assertEquals(MINUTE, none.withMinimum(MINUTE).withMaximum(MINUTE).minimum());
    refused(
        "minimum hold must be at most the maximum hold",
        () -> none.withMaximum(SECOND).withMinimum(MINUTE));
    refused("maximum hold must be from", () -> none.withMaximum(Duration.ofMillis(99)));
    refused("minimum hold must be from", () -> none.withMinimum(Duration.ofNanos(-1)));
    refused("lock delay must be from", () -> none.withLockDelay(Duration.ofDays(1).plusNanos(1)));
    refused("early warning must be positive", () -> ALL.withEarlyWarning(Duration.ZERO));
  }

  @Test
  void theLongestAndTheShortestTimesAreTaken() {
    Duration shortest = Duration.ofMillis(100);
    Duration year = Duration.ofDays(365);
    Duration day = Duration.ofDays(1);
    LockOptions options = LockOptions.defaults();
    for (Duration ttl : List.of(shortest, year)) {
      assertEquals(ttl, options.withTtl(ttl).ttl());
      assertEquals(ttl, LockOptions.checkTtl(ttl));
      assertEquals(Optional.of(ttl), HoldTimes.none().withMaximum(ttl).maximum());
    }
    for (Duration bad : List.of(shortest.minusNanos(1), year.plusNanos(1))) {
      refused("ttl must be from", () -> options.withTtl(bad));
      refused("ttl must be from", () -> LockOptions.checkTtl(bad));
      refused("maximum hold must be from", () -> HoldTimes.none().withMaximum(bad));
    }
    assertEquals(day, HoldTimes.none().withLockDelay(day).lockDelay());
    assertEquals(year, HoldTimes.none().withMinimum(year).minimum());
    refused("minimum hold must be", () -> HoldTimes.none().withMinimum(year.plusNanos(1)));
    assertEquals(day, new HandOver(1, day).maxTime());
    refused("maxTime must be from", () -> new HandOver(1, day.plusNanos(1)));
    refused("maxTime must be from", () -> new HandOver(1, Duration.ofNanos(-1)));
    refused("maxLeases must be between", () -> new HandOver(0, day));
  }

  @Test
  void pausesBetweenAttemptsAreWithinTheirBounds() {
    Retry retry = Retry.defaults();
    Duration millisecond = Duration.ofMillis(1);
    Duration day = Duration.ofDays(1);
    assertEquals(millisecond, retry.withPauses(millisecond, millisecond).max());
    assertEquals(day, retry.withPauses(day, day).initial());
    refused("retry initial", () -> retry.withPauses(millisecond.minusNanos(1), day));
    refused("retry max", () -> retry.withPauses(millisecond, day.plusNanos(1)));
    refused("retry max", () -> retry.withPauses(SECOND, SECOND.minusNanos(1)));
    assertEquals(0, retry.withJitter(0).jitter());
    assertEquals(1, retry.withJitter(1).jitter());
    assertEquals(OptionalInt.of(1), retry.withMaxAttempts(1).maxAttempts());
  }

  /** Applications that set nothing rest on them. */
  @Test
  void defaultsAreThoseThatAreDocumented() {
    assertEquals(
        new LockOptions(
            Duration.ofSeconds(30),
            Renewal.automatic(),
            new Retry(Duration.ofMillis(50), SECOND, 1, OptionalInt.empty()),
            new HandOver(1024, Duration.ofMillis(50)),
            Reentry.WAIT,
            new HoldTimes(Duration.ZERO, Optional.empty(), Duration.ZERO),
            Optional.empty()),
        LockOptions.defaults());
    assertEquals(new HandOver(1, Duration.ZERO), HandOver.none());
    assertTrue(HoldTimes.none().isNone());
    assertFalse(HoldTimes.none().withLockDelay(SECOND).isNone());
  }

  @Test
  void aRenewalMayFailOnce() {
    LockOptions options = LockOptions.defaults().withTtl(MINUTE);
    assertEquals(
        Renewal.every(MINUTE.dividedBy(2)),
        options.withRenewal(Renewal.every(MINUTE.dividedBy(2))).renewal());
    refused(
        "renewal interval must be at most half of the ttl",
        () -> options.withRenewal(Renewal.every(MINUTE.dividedBy(2).plusNanos(1))));
  }

  private static void refused(String why, Executable change) {
    String told = String.valueOf(assertThrows(IllegalArgumentException.class, change).getMessage());
    assertTrue(told.contains(why), told);
  }
}
