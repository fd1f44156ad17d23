/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Capabilities.ExpiryClock;
import io.holdfast.lock.Capabilities.Fencing;
import io.holdfast.lock.Capabilities.Inspection;
import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.Capabilities.Ordering;
import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.Capabilities.Scope;
import io.holdfast.lock.Capabilities.Sharing;
import io.holdfast.lock.Capabilities.Survival;
import io.holdfast.lock.Capabilities.WakeUp;
import io.holdfast.lock.limit.LimiterBackend;
import io.holdfast.lock.limit.LimiterProvider;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which promise of a backend meets which demand of a scenario. */
class DemandTest {

  /** Promises as little as a backend can. */
  private static final Capabilities NOTHING =
      promising(
          Fencing.NONE,
          Lifetime.TRANSACTION,
          Ordering.UNORDERED,
          ExpiryClock.SERVER_WALL_CLOCK,
          Scope.LEASE,
          Survival.NOTHING,
          Retention.NONE,
          Sharing.NONE);

  private static Capabilities promising(
      Fencing fencing,
      Lifetime lifetime,
      Ordering ordering,
      ExpiryClock clock,
      Scope scope,
      Survival survival,
      Retention retention,
      Sharing sharing) {
    return new Capabilities(
        fencing,
        lifetime,
        ordering,
        WakeUp.POLLING,
        clock,
        scope,
        survival,
        Inspection.NONE,
        retention,
        sharing);
  }

  @Test
  void aBackendThatPromisesNothingMeetsNoDemand() {
    assertEquals(Set.of(), metBy(new Locking(NOTHING)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          WHILE_DATA_LASTS        | FENCING QUEUE_OR_FENCING
          THROUGH_DATA_LOSS       | FENCING QUEUE_OR_FENCING
          TTL                     | FAILURE_DETECTION
          SESSION                 | FAILURE_DETECTION
          CONNECTION              | FAILURE_DETECTION
          FIRST_COME_FIRST_SERVED | QUEUE_OR_FENCING
          SERVER_MONOTONIC        | MONOTONIC_CLOCK
          TRANSACTION_SCOPE       | TRANSACTION_SCOPE
          MINORITY                | SURVIVAL
          SERVER                  | MINIMUM_HOLD LOCK_DELAY
          CLIENT                  | MINIMUM_HOLD
          READ_WRITE              | READ_WRITE_LOCKS
          FIXED_PERMITS           | READ_WRITE_LOCKS SEMAPHORES
          PERMITS                 | READ_WRITE_LOCKS SEMAPHORES
          """)
  void aPromiseMeetsTheseDemandsAndNoOthers(String promise, String demands) {
    Set<Demand> expected = EnumSet.noneOf(Demand.class);
    for (String demand : demands.split(" ", -1)) {
      expected.add(Demand.valueOf(demand));
    }
    assertEquals(expected, metBy(new Locking(with(promise))));
  }

  @Test
  void permitsAreCountedByProvidersOfLimiters() {
    assertEquals(Set.of(Demand.PERMITS), metBy(new Limiting()));
  }

  private static Capabilities with(String promise) {
    return promising(
        one(Fencing.class, promise, NOTHING.fencing()),
        one(Lifetime.class, promise, NOTHING.lifetime()),
        one(Ordering.class, promise, NOTHING.ordering()),
        one(ExpiryClock.class, promise, NOTHING.expiryClock()),
        promise.equals("TRANSACTION_SCOPE") ? Scope.TRANSACTION : NOTHING.scope(),
        one(Survival.class, promise, NOTHING.survival()),
        one(Retention.class, promise, NOTHING.retention()),
        one(Sharing.class, promise, NOTHING.sharing()));
  }

  private static <E extends Enum<E>> E one(Class<E> type, String name, E otherwise) {
    return EnumSet.allOf(type).stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElse(otherwise);
  }

  private static Set<Demand> metBy(LockProvider provider) {
    Set<Demand> met = EnumSet.allOf(Demand.class);
    met.removeIf(demand -> !demand.isMetBy(provider));
    return met;
  }

  private static class Locking implements LockProvider {

    private final Capabilities capabilities;

    Locking(Capabilities capabilities) {
      this.capabilities = capabilities;
    }

    @Override
    public String name() {
      return "of-promises";
    }

    @Override
    public Capabilities capabilities() {
      return capabilities;
    }

    @Override
    public LockBackend<?> open(Settings settings) {
      throw new AssertionError("not asked");
    }
  }

  private static final class Limiting extends Locking implements LimiterProvider {

    Limiting() {
      super(NOTHING);
    }

    @Override
    public LimiterBackend openLimiter(Settings settings) {
      throw new AssertionError("not asked");
    }
  }
}
