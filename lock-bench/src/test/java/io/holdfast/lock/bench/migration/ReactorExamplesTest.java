/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The Reactor examples of {@code docs/reactor-and-kotlin.md}, on a real Redis. */
class ReactorExamplesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static RedisServer server;
  private static LockClient locks;
  private static LockClient others;

  @BeforeAll
  static void open() {
    server = RedisServer.launch();
    Map<String, String> settings =
        Map.of("uri", "redis://" + server.host() + ":" + server.port(), "command-timeout", "5s");
    locks = Locks.open("redis", settings);
    others = Locks.open("redis", settings);
  }

  @AfterAll
  static void close() {
    others.close();
    locks.close();
    server.close();
  }

  static <T> Mono<T> locked(DistributedLock lock, Function<Lease, Mono<T>> work) {
    return Mono.usingWhen(
        Mono.fromFuture(lock::acquireAsync, false).doOnDiscard(Lease.class, Lease::releaseAsync),
        lease -> work.apply(lease).takeUntilOther(lost(lease)),
        lease -> Mono.fromFuture(lease::releaseAsync));
  }

  static <T> Mono<T> lost(Lease lease) {
    return Mono.fromFuture(lease::loss, false)
        .flatMap(loss -> Mono.error(new LockLostException("Lost: " + loss.reason())));
  }

  private static Optional<LockHolder> holder(String name) {
    return others.inspector().holder(name);
  }

  @Test
  void aMonoHoldsTheLockUntilItEnds() {
    DistributedLock lock = locks.lock("order:7");
    Mono<Long> token =
        locked(lock, lease -> Mono.just(lease.fencingToken()).delayElement(Duration.ofMillis(50)));
    long first = token.blockOptional(PATIENCE).orElseThrow();
    long second = token.blockOptional(PATIENCE).orElseThrow();
    assertTrue(second > first, "each subscription has a lease of its own");
    assertTrue(holder("order:7").isEmpty());
  }

  @Test
  void aMonoThatFailsGivesItBack() {
    Mono<String> failing =
        locked(locks.lock("order:8"), lease -> Mono.error(new IllegalStateException("full")));
    assertThrows(IllegalStateException.class, () -> failing.block(PATIENCE));
    assertTrue(holder("order:8").isEmpty());
  }

  @Test
  void cancellingTheWorkGivesItBack() {
    AtomicBoolean working = new AtomicBoolean();
    Disposable subscription =
        locked(
                locks.lock("order:9"),
                lease -> Mono.never().doOnSubscribe(begun -> working.set(true)))
            .subscribe();
    Conditions.until("the work has begun", PATIENCE, working::get);
    assertTrue(holder("order:9").isPresent());
    subscription.dispose();
    Conditions.until("it is free", PATIENCE, () -> holder("order:9").isEmpty());
  }

  @Test
  void cancellingTheWaitLeavesNothingBehind() throws Exception {
    Lease lease = others.lock("order:10").acquire();
    AtomicBoolean worked = new AtomicBoolean();
    Disposable waiter =
        locked(locks.lock("order:10"), mine -> Mono.fromRunnable(() -> worked.set(true)))
            .subscribe();
    Conditions.stays("it waits", Duration.ofMillis(100), () -> !worked.get());
    waiter.dispose();
    lease.release();
    Conditions.stays("nobody takes it", Duration.ofMillis(500), () -> holder("order:10").isEmpty());
    assertTrue(!worked.get());
  }

  /**
   * A cancellation that meets the grant on its way gives the lock back, too, and sooner than the
   * collector of garbage would.
   */
  @Test
  void cancellingAtAnyMomentLeavesNothingBehind() {
    for (int i = 0; i < 3000; i++) {
      Disposable subscription = locked(locks.lock("order:11"), lease -> Mono.never()).subscribe();
      int spins = i % 300 * 40;
      for (int spin = 0; spin < spins; spin++) {
        Thread.onSpinWait();
      }
      subscription.dispose();
    }
    Conditions.settles(
        "it is free",
        Duration.ofSeconds(10),
        Duration.ofMillis(300),
        () -> holder("order:11").isEmpty());
  }

  @Test
  void aTimeoutGivesUpTheWait() throws Exception {
    try (Lease lease = others.lock("order:12").acquire()) {
      assertTrue(lease.isValid());
      Mono<Optional<Lease>> soon =
          Mono.fromFuture(
              () -> locks.lock("order:12").tryAcquireAsync(Duration.ofMillis(50)), false);
      assertEquals(Optional.empty(), soon.block(PATIENCE));
    }
  }

  @Test
  void aLossEndsTheWork() {
    LockOptions options =
        LockOptions.defaults()
            .withTtl(Duration.ofSeconds(10))
            .withRenewal(Renewal.every(Duration.ofMillis(300)));
    var running = locked(locks.lock("order:13", options), lease -> Mono.never()).toFuture();
    Conditions.until("it is held", PATIENCE, () -> holder("order:13").isPresent());
    assertTrue(others.inspector().evict(holder("order:13").orElseThrow()));
    Exception failed =
        assertThrows(Exception.class, () -> running.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    assertInstanceOf(LockLostException.class, failed.getCause());
  }
}
