/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.bench.migration.SideBySide.Release;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.RedisServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The examples of {@code docs/migration/redisson.md}, on one Redis. */
@SuppressWarnings("LockNotBeforeTry") // Examples of single calls.
class RedissonExamplesTest {

  private static RedisServer server;
  private static RedissonClient redisson;
  private static LockClient locks;

  @BeforeAll
  static void open() {
    server = RedisServer.launch();
    String address = "redis://" + server.host() + ":" + server.port();
    Config config = new Config();
    config.useSingleServer().setAddress(address);
    redisson = Redisson.create(config);
    locks = Locks.open("redis", Map.of("uri", address));
  }

  @AfterAll
  static void close() {
    locks.close();
    redisson.shutdown();
    server.close();
  }

  @Test
  void theirCalls() throws Exception {
    RLock lock = redisson.getLock("order:7");
    lock.lock();
    assertTrue(lock.isHeldByCurrentThread());
    assertTrue(lock.isLocked());
    assertTrue(lock.remainTimeToLive() > 0);
    lock.unlock();
    assertTrue(lock.tryLock(1, TimeUnit.SECONDS));
    lock.unlock();
    assertTrue(lock.tryLock(1, 10, TimeUnit.SECONDS));
    lock.unlock();
    lock.lockAsync().get();
    assertTrue(lock.forceUnlock());
    assertTrue(redisson.getFencedLock("fenced").lockAndGetToken() > 0);
  }

  @Test
  void ourCalls() throws Exception {
    DistributedLock lock = locks.lock("order:7");
    Lease lease = lock.acquire();
    assertTrue(lease.isValid());
    assertTrue(lease.remaining().toSeconds() > 0);
    assertTrue(lease.fencingToken() > 0);
    lease.release();
    lock.tryAcquire(Duration.ofSeconds(1)).orElseThrow().release();
    LockOptions fixed =
        LockOptions.defaults().withTtl(Duration.ofSeconds(10)).withRenewal(Renewal.none());
    lock.with(fixed).tryAcquire(Duration.ofSeconds(1)).orElseThrow().release();
    CompletableFuture<Lease> later = lock.acquireAsync();
    later.get().release();
    JavaLock reentrant = lock.asJavaLock();
    reentrant.lock();
    assertTrue(reentrant.isHeldByCurrentThread());
    Optional<LockHolder> holder = locks.inspector().holder("order:7");
    assertTrue(locks.inspector().evict(holder.orElseThrow()));
  }

  @Test
  void bothShareNothingButTheServer() throws Exception {
    redisson.getLock("same").lock();
    try (Lease lease = locks.lock("same").acquire()) {
      assertTrue(lease.isValid());
      assertEquals("hash", server.command("TYPE", "same"));
      assertEquals("string", server.command("TYPE", "lock:same"));
    }
    assertTrue(redisson.getLock("same").isLocked());
    redisson.getLock("same").unlock();
  }

  /** With our namespace in front, Redisson takes our key for a hash of its own, and cannot. */
  @Test
  void ourKeyIsNoneForRedisson() throws Exception {
    try (Lease lease = locks.lock("named").acquire()) {
      assertTrue(lease.isValid());
      assertThrows(RuntimeException.class, () -> redisson.getLock("lock:named").tryLock());
    }
  }

  @Test
  void bothAreHeldDuringTheChange() throws Exception {
    Lock both = new BothLocks(redisson.getLock("order:8"), locks.lock("order:8").asJavaLock());
    try (SideBySide releases = new SideBySide()) {
      releases.assertMigrates(
          Release.of(redisson.getLock("order:8")),
          Release.of(both),
          Release.of(locks.lock("order:8").asJavaLock()));
    }
    assertFalse(redisson.getLock("order:8").isLocked());
    assertTrue(locks.inspector().holder("order:8").isEmpty());
  }

  @Test
  void whoDoesNotGetTheSecondGivesTheFirstBack() throws Exception {
    Lock both = new BothLocks(redisson.getLock("order:9"), locks.lock("order:9").asJavaLock());
    try (Lease lease = locks.lock("order:9").acquire()) {
      assertTrue(lease.isValid());
      assertFalse(both.tryLock());
      assertFalse(both.tryLock(50, TimeUnit.MILLISECONDS));
      assertFalse(redisson.getLock("order:9").isLocked());
      FutureTask<?> waiter =
          new FutureTask<>(() -> assertThrows(InterruptedException.class, both::lockInterruptibly));
      Thread thread = new Thread(waiter);
      thread.start();
      Conditions.until(
          "it waits for the second",
          Duration.ofSeconds(20),
          () -> redisson.getLock("order:9").isLocked() && isParked(thread));
      thread.interrupt();
      waiter.get(20, TimeUnit.SECONDS);
      assertFalse(redisson.getLock("order:9").isLocked());
    }
    assertTrue(both.tryLock(1, TimeUnit.SECONDS));
    both.unlock();
  }

  private static boolean isParked(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().startsWith("io.holdfast.lock.engine"));
  }
}
