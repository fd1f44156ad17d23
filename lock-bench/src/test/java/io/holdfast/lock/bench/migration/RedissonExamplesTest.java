/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.bench.migration.SideBySide.Body;
import io.holdfast.lock.bench.migration.SideBySide.Release;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.RedisServer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RSemaphore;
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
    assertTrue(lock.tryLock(10, TimeUnit.SECONDS));
    lock.unlock();
    assertTrue(lock.tryLock(10, 10, TimeUnit.SECONDS));
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
    lock.tryAcquire(Duration.ofSeconds(10)).orElseThrow().release();
    LockOptions fixed =
        LockOptions.defaults().withTtl(Duration.ofSeconds(10)).withRenewal(Renewal.none());
    lock.with(fixed).tryAcquire(Duration.ofSeconds(10)).orElseThrow().release();
    CompletableFuture<Lease> later = lock.acquireAsync();
    later.get().release();
    JavaLock reentrant = lock.asJavaLock();
    reentrant.lock();
    assertTrue(reentrant.isHeldByCurrentThread());
    Optional<LockHolder> holder = locks.inspector().holder("order:7");
    assertTrue(locks.inspector().evict(holder.orElseThrow()));
  }

  @Test
  void theirSharedCalls() throws Exception {
    RReadWriteLock prices = redisson.getReadWriteLock("prices");
    prices.readLock().lock();
    prices.readLock().unlock();
    prices.writeLock().lock();
    prices.writeLock().unlock();
    RSemaphore exports = redisson.getSemaphore("exports");
    assertTrue(exports.trySetPermits(5));
    exports.acquire(2);
    exports.addPermits(3);
    assertEquals(6, exports.availablePermits());
    exports.release(2);
    RPermitExpirableSemaphore expirable = redisson.getPermitExpirableSemaphore("imports");
    assertTrue(expirable.trySetPermits(5));
    String id = expirable.acquire(10, TimeUnit.SECONDS);
    assertTrue(expirable.updateLeaseTime(id, 20, TimeUnit.SECONDS));
    expirable.release(id);
    RLock seven = redisson.getLock("account:7");
    RLock three = redisson.getLock("account:3");
    redisson.getMultiLock(seven, three).lock();
    redisson.getMultiLock(seven, three).unlock();
    redisson.getFairLock("fair").lock();
    redisson.getFairLock("fair").unlock();
  }

  @Test
  void ourSharedCalls() throws Exception {
    DistributedReadWriteLock prices = locks.readWriteLock("prices");
    prices.readLock().acquire().release();
    Lease written = prices.writeLock().acquire();
    Lease read = written.downgrade();
    assertTrue(read.isValid());
    read.release();
    DistributedSemaphore exports = locks.semaphore("exports", 5);
    Lease two = exports.permits(2).acquire();
    assertEquals(1, locks.inspector().holders("exports").size());
    assertThrows(
        LockCapacityException.class, () -> locks.semaphore("exports", 8).permit().tryAcquire());
    assertTrue(locks.inspector().changeCapacity("exports", 5, 8));
    two.release();
    two.release();
    LockOptions fixed =
        LockOptions.defaults().withTtl(Duration.ofSeconds(10)).withRenewal(Renewal.none());
    Lease one = exports.with(fixed).permit().acquire();
    one.expireIn(Duration.ofSeconds(20));
    one.release();
    Lease both = locks.allOf(List.of("account:7", "account:3")).acquire();
    assertTrue(both.fencingToken("account:3") > 0);
    both.release();
  }

  @Test
  void bothAreHeldDuringTheChangeOfAReadWriteLock() throws Exception {
    ReadWriteLock old = redisson.getReadWriteLock("prices:8");
    ReadWriteLock ours = locks.readWriteLock("prices:8").asJavaReadWriteLock();
    Lock reading = new BothLocks(old.readLock(), ours.readLock());
    Lock writing = new BothLocks(old.writeLock(), ours.writeLock());
    try (SideBySide releases = new SideBySide()) {
      releases.assertMigrates(
          Release.of(old.writeLock()), Release.of(writing), Release.of(ours.writeLock()));
      for (Lock reader : List.of(old.readLock(), reading, ours.readLock())) {
        releases.assertOverlap(Release.of(reader), Release.of(reading));
        releases.assertExclude(Release.of(reader), Release.of(writing));
        releases.assertExclude(Release.of(writing), Release.of(reader));
      }
    }
  }

  private static void both(RSemaphore old, DistributedLock permits, Body work) throws Exception {
    int count = permits.share().permits();
    old.acquire(count);
    try (Lease lease = permits.acquire()) {
      work.run();
      lease.ensureValid();
    } finally {
      old.release(count);
    }
  }

  private static Release permits(RSemaphore semaphore, int count) {
    return body -> {
      semaphore.acquire(count);
      try {
        body.run();
      } finally {
        semaphore.release(count);
      }
    };
  }

  @Test
  void bothAreHeldDuringTheChangeOfASemaphore() throws Exception {
    RSemaphore old = redisson.getSemaphore("exports:8");
    assertTrue(old.trySetPermits(3));
    DistributedSemaphore ours = locks.semaphore("exports:8", 3);
    try (SideBySide releases = new SideBySide()) {
      releases.assertMigrates(
          permits(old, 2),
          body -> both(old, ours.permits(2), body),
          Release.of(ours.permits(2).asJavaLock()));
      releases.assertOverlap(
          body -> both(old, ours.permits(2), body), body -> both(old, ours.permit(), body));
    }
    assertEquals(3, old.availablePermits());
    assertEquals(List.of(), locks.inspector().holders("exports:8"));
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
  void failingOnTheSecondGivesTheFirstBack() throws Exception {
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
    assertTrue(both.tryLock(20, TimeUnit.SECONDS));
    both.unlock();
  }

  private static boolean isParked(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getClassName().startsWith("io.holdfast.lock.engine"));
  }
}
