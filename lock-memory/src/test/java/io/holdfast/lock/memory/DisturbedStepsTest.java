/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.HoldTimes;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.testsupport.Records;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Random steps of three clients with a few locks, on a clock driven by hand: they wait for some
 * time or for some attempts, for one lock or several; the server is slow, late or away; signals of
 * the backend come at any time, also to claims that are over; clients are closed. The seeds are
 * always the same; {@code -Dholdfast.disturbed.seeds} sets how many.
 */
class DisturbedStepsTest {

  private static final int SEEDS = Integer.getInteger("holdfast.disturbed.seeds", 1_000);

  private static final class Deaf implements ClaimSignals {
    @Override
    public void wake() {}

    @Override
    public void lost(LossReason reason) {}
  }

  private static final class Run {

    private final Random random;
    private final ManualTime time = MemoryHarness.at(Duration.ofHours(1));
    private final MemoryServer server = new MemoryServer(time);
    private final boolean isSession;

    /** Whether messages of the server are lost, so that those who wait have to ask again. */
    private final boolean isDeaf;

    private final List<LockClient> clients = new ArrayList<>();
    private final Set<LockClient> closed = new HashSet<>();
    private final List<ClaimSignals> signals = new ArrayList<>();
    private final List<CompletableFuture<?>> asked = new ArrayList<>();
    private final List<Lease> held = new ArrayList<>();
    private final List<Lease> granted = new ArrayList<>();
    private final Map<Lease, Integer> lost = new HashMap<>();
    private String told;

    Run(long seed) {
      random = new Random(seed);
      Lifetime lifetime = oneOf(Lifetime.TTL, oneOf(Lifetime.values()));
      isSession = lifetime != Lifetime.TTL;
      isDeaf = random.nextBoolean();
      told = "seed " + seed + ", " + lifetime + (isDeaf ? ", deaf" : "");
      for (int i = 0; i < 3; i++) {
        clients.add(client(lifetime, random.nextBoolean()));
      }
    }

    private LockClient client(Lifetime lifetime, boolean together) {
      return Locks.using(
          new ForwardingBackend(server) {
            @Override
            public Capabilities capabilities() {
              Retention retention = isSession ? Retention.CLIENT : Retention.SERVER;
              return Records.with(super.capabilities(), lifetime, retention);
            }

            @Override
            public RenewableClaim claim(ClaimRequest request, ClaimSignals ofClaim) {
              signals.add(ofClaim);
              return super.claim(request, isDeaf ? new Deaf() : ofClaim);
            }

            @Override
            public boolean decidesTogether() {
              return together;
            }
          },
          ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(time));
    }

    /** Once all is released, everybody has been answered, and nothing is left anywhere. */
    void all() {
      for (int left = 20 + random.nextInt(120); left > 0; left--) {
        step();
        assertExclusion();
      }
      heal();
      for (int i = 0; i < 40; i++) {
        List<Lease> now = List.copyOf(held);
        held.clear();
        now.forEach(Lease::releaseAsync);
        pass(1_000);
        assertExclusion();
      }
      asked.forEach(Run::assertAnswered);
      clients.forEach(client -> assertEquals(List.of(), client.status().locks()));
      assertEquals(0, server.waiters());
      assertEquals(Map.of(), server.owners());
      lost.values().forEach(times -> assertEquals(1, times));
      granted.forEach(lease -> assertFalse(lease.isValid()));
      clients.forEach(LockClient::close);
    }

    private void assertExclusion() {
      Set<String> taken = new HashSet<>();
      granted.stream()
          .filter(Lease::isValid)
          .flatMap(lease -> Stream.of(lease.lockName().split(", ")))
          .forEach(name -> assertTrue(taken.add(name), () -> "two have " + name));
    }

    private static void assertAnswered(CompletableFuture<?> one) {
      assertTrue(one.isDone(), "not answered");
      Throwable failure = one.handle((lease, why) -> why).join();
      Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
      if (cause != null && !(cause instanceof CancellationException)) {
        assertInstanceOf(LockException.class, cause);
      }
    }

    private void step() {
      switch (random.nextInt(28)) {
        case 0, 1, 2, 3, 4, 5, 6, 7 -> ask();
        case 8, 9, 10, 11, 12, 13 -> release();
        case 14 -> cancel();
        case 15 -> server.delayAnswers(millis(", answers by ", 0, 10, 20, 900, 2_000));
        case 16 -> server.delayRequests(millis(", requests by ", 0, 0, 10, 20, 900, 2_000));
        case 17 -> {
          server.goAway();
          time.advance(millis(", away for ", 1, 30, 300, 3_000));
          server.comeBack();
        }
        case 18, 19 -> signal();
        case 20 -> extend();
        case 21 -> closeOne();
        case 22 -> heal();
        case 23 -> pass(oneOf(1_000, 12_000));
        default -> pass(random.nextInt(60));
      }
    }

    private Duration millis(String what, Integer... one) {
      int millis = oneOf(one);
      told += what + millis;
      return Duration.ofMillis(millis);
    }

    private void pass(int millis) {
      told += ", pass " + millis;
      time.advance(Duration.ofMillis(millis));
    }

    private void heal() {
      told += ", heal";
      server.delayAnswers(Duration.ZERO);
      server.delayRequests(Duration.ZERO);
      time.advance(Duration.ofSeconds(3));
    }

    /** Mostly to one of the latest claims; others are over, or hold. */
    private void signal() {
      if (signals.isEmpty()) {
        return;
      }
      ClaimSignals one = signals.get(Math.max(0, signals.size() - 1 - random.nextInt(12)));
      int which = random.nextInt(5);
      told += ", signal " + which;
      switch (which) {
        case 0, 1 -> one.wake();
        case 2, 3 -> one.othersFirst();
        default -> one.lost(LossReason.SESSION_ENDED);
      }
    }

    private void extend() {
      if (!held.isEmpty()) {
        Duration ttl = Duration.ofSeconds(1 + random.nextInt(20));
        told += ", extend by " + ttl;
        var unused = held.get(random.nextInt(held.size())).extendAsync(ttl);
      }
    }

    /** Not in a disturbance: a close waits in real time for what this clock brings. */
    private void closeOne() {
      if (random.nextInt(8) == 0) {
        heal();
        int which = random.nextInt(3);
        told += ", close " + which;
        clients.get(which).close();
        closed.add(clients.get(which));
      }
    }

    private LockOptions options() {
      OptionalInt most = oneOf(OptionalInt.empty(), OptionalInt.of(1 + random.nextInt(5)));
      Duration first = Duration.ofMillis(oneOf(5, 50));
      Duration longest = Duration.ofMillis(oneOf(50, 200, 1_000));
      LockOptions options =
          LockOptions.defaults()
              .withTtl(Duration.ofSeconds(oneOf(10, 10, 10, 5)))
              .withHandOver(oneOf(HandOver.defaults(), HandOver.none()))
              .withRetry(new Retry(first, longest, 0, most));
      Duration some = Duration.ofMillis(700);
      return switch (random.nextInt(isSession ? 7 : 8)) {
        case 0 -> options.withRenewal(Renewal.none());
        case 1 -> options.withHoldTimes(HoldTimes.none().withMinimum(some));
        case 2 -> options.withHoldTimes(HoldTimes.none().withMaximum(some));
        case 7 -> options.withHoldTimes(HoldTimes.none().withLockDelay(some));
        default -> options;
      };
    }

    private void ask() {
      int which = random.nextInt(3);
      LockClient client = clients.get(which);
      if (closed.contains(client)) {
        return;
      }
      List<String> several = oneOf(List.of("a", "b"), List.of("b", "c"), List.of("a", "b", "c"));
      DistributedLock lock =
          random.nextInt(4) == 0
              ? client.allOf(several, options())
              : client.lock(oneOf("a", "a", "a", "b", "c"), options());
      Duration limit = Duration.ofMillis(oneOf(1, 2, 5, 100, 1_000, 5_000));
      int how = random.nextInt(4);
      told += ", client " + which + " asks for " + lock.name() + " in way " + how;
      note(
          switch (how) {
            case 0 -> lock.tryAcquireAsync();
            case 1 -> lock.tryAcquireAsync(limit);
            case 2 -> lock.acquireAsync(limit);
            default -> lock.acquireAsync();
          });
    }

    private void note(CompletableFuture<?> answer) {
      asked.add(answer);
      answer.thenAccept(
          got -> {
            Optional<?> maybe = got instanceof Optional<?> optional ? optional : Optional.of(got);
            maybe.ifPresent(lease -> note((Lease) lease));
          });
    }

    private void note(Lease lease) {
      held.add(lease);
      granted.add(lease);
      lease.loss().thenAccept(told -> lost.merge(lease, 1, Integer::sum));
    }

    private void release() {
      if (!held.isEmpty()) {
        Lease lease = held.remove(random.nextInt(held.size()));
        told += ", release " + lease.lockName();
        lease.releaseAsync();
      }
    }

    private void cancel() {
      if (!asked.isEmpty()) {
        told += ", cancel";
        asked.get(random.nextInt(asked.size())).cancel(true);
      }
    }

    @SafeVarargs
    private <T> T oneOf(T... all) {
      return all[random.nextInt(all.length)];
    }
  }

  @Test
  void everybodyIsAnsweredAndNobodyHasALockBesideAnother() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Run run = new Run(seed);
      assertDoesNotThrow(run::all, () -> run.told);
    }
  }
}
