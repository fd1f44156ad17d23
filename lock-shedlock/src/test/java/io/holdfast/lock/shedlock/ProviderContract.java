/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.shedlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What ShedLock asks of its own providers, in tests that it does not publish, asked of ours; and
 * what ours has besides. A client stands for a process.
 */
abstract class ProviderContract {

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofSeconds(4);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final Duration NOT = Duration.ZERO;

  private final String name = UUID.randomUUID().toString();

  private LockClient client;
  private LockClient elsewhere;
  private HoldfastLockProvider provider;
  private HoldfastLockProvider other;

  /** A new client; all are of one server. */
  abstract LockClient open();

  @BeforeEach
  void begin() {
    client = open();
    elsewhere = open();
    provider = new HoldfastLockProvider(client);
    other = new HoldfastLockProvider(elsewhere);
  }

  @AfterEach
  void end() {
    client.close();
    elsewhere.close();
  }

  private LockConfiguration job(Duration atMost, Duration atLeast) {
    return new LockConfiguration(Instant.now(), name, atMost, atLeast);
  }

  private SimpleLock locked(Duration atMost) {
    SimpleLock lock = provider.lock(job(atMost, NOT)).orElseThrow();
    assertLocked();
    return lock;
  }

  private boolean isLocked() {
    return elsewhere.inspector().holder(name).isPresent();
  }

  private void assertLocked() {
    assertTrue(isLocked());
    assertTrue(provider.lock(job(LONG, NOT)).isEmpty());
    assertTrue(other.lock(job(LONG, NOT)).isEmpty());
  }

  private void assertUnlocked() {
    assertFalse(isLocked());
  }

  private void awaitUnlocked() {
    Conditions.until("it is unlocked", PATIENCE, () -> !isLocked());
  }

  @Test
  void locksAndUnlocks() {
    for (int i = 0; i < 10; i++) {
      locked(LONG).unlock();
      assertUnlocked();
    }
  }

  @Test
  void namesAreIndependent() {
    SimpleLock lock = locked(LONG);
    LockConfiguration another = new LockConfiguration(Instant.now(), name + "2", LONG, NOT);
    provider.lock(another).orElseThrow().unlock();
    lock.unlock();
  }

  @Test
  void endsAfterLockAtMostFor() {
    SimpleLock lock = locked(SHORT);
    awaitUnlocked();
    SimpleLock next = other.lock(job(LONG, NOT)).orElseThrow();
    lock.unlock();
    assertTrue(isLocked(), "an unlock that comes too late frees nothing");
    next.unlock();
    assertUnlocked();
  }

  @Test
  void lastsLongerOnceItIsExtended() {
    SimpleLock longer = locked(SHORT).extend(LONG, NOT).orElseThrow();
    Conditions.stays("it lasts longer", SHORT.multipliedBy(2), this::isLocked);
    longer.unlock();
    assertUnlocked();
  }

  @Test
  void isNotExtendedOnceItIsUnlocked() {
    SimpleLock lock = locked(LONG);
    lock.unlock();
    assertThrows(IllegalStateException.class, () -> lock.extend(LONG, NOT));
    assertThrows(IllegalStateException.class, lock::unlock);
  }

  @Test
  void isNotExtendedOnceItHasEnded() {
    SimpleLock lock = locked(SHORT);
    awaitUnlocked();
    SimpleLock next = other.lock(job(LONG, NOT)).orElseThrow();
    assertTrue(lock.extend(LONG, NOT).isEmpty());
    assertTrue(isLocked());
    next.unlock();
  }

  @Test
  void isExtendedOnceOnly() {
    SimpleLock lock = locked(LONG);
    SimpleLock longer = lock.extend(LONG, NOT).orElseThrow();
    assertThrows(IllegalStateException.class, () -> lock.extend(LONG, NOT));
    assertThrows(IllegalStateException.class, lock::unlock);
    assertLocked();
    longer.unlock();
    assertUnlocked();
  }

  @Test
  void staysLockedForLockAtLeastFor() {
    provider.lock(job(LONG, SHORT)).orElseThrow().unlock();
    assertLocked();
    awaitUnlocked();
    SimpleLock next = provider.lock(job(LONG, Duration.ofMillis(1))).orElseThrow();
    next.unlock();
    awaitUnlocked();
  }

  @Test
  void staysLockedAlsoIfTheProcessEnds() {
    provider.lock(job(LONG, SHORT)).orElseThrow().unlock();
    client.close();
    assertTrue(other.lock(job(LONG, NOT)).isEmpty());
    awaitUnlocked();
  }

  @Test
  void lockAtLeastForIsExtended() {
    SimpleLock longer = locked(LONG).extend(LONG, SHORT).orElseThrow();
    longer.unlock();
    assertLocked();
    awaitUnlocked();
  }

  @Test
  void lockAtLeastForOutlastsAnExtensionWithoutOne() {
    SimpleLock longer = locked(LONG).extend(LONG, SHORT).orElseThrow();
    longer.extend(LONG, NOT).orElseThrow().unlock();
    assertLocked();
    awaitUnlocked();
  }

  @Test
  void isExtendedToAnEarlierEnd() {
    SimpleLock shorter = locked(LONG).extend(SHORT, NOT).orElseThrow();
    awaitUnlocked();
    SimpleLock next = other.lock(job(LONG, NOT)).orElseThrow();
    shorter.unlock();
    assertTrue(isLocked(), "an unlock that comes too late frees nothing");
    next.unlock();
  }

  @Test
  void aRenewedLockKeepsItsLockAtLeastFor() {
    HoldfastLockProvider renewed = new HoldfastLockProvider(client, Renewal.automatic());
    SimpleLock lock = renewed.lock(job(SHORT, SHORT)).orElseThrow();
    assertThrows(UnsupportedOperationException.class, () -> lock.extend(LONG, LONG));
    lock.extend(LONG, NOT).orElseThrow().unlock();
    assertLocked();
    awaitUnlocked();
  }

  /** Threads of two processes add to plain numbers under two locks. */
  @Test
  void noAdditionIsLost() throws Exception {
    assertCounts(provider, other);
  }

  private void assertCounts(LockProvider one, LockProvider two) throws Exception {
    int[] counts = new int[2];
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        int which = thread % 2;
        LockProvider its = thread < 4 ? one : two;
        LockConfiguration job =
            new LockConfiguration(Instant.now(), name + which, LONG, Duration.ZERO);
        all.add(threads.submit(() -> add(its, job, counts, which)));
      }
      for (Future<?> each : all) {
        each.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(List.of(100, 100), List.of(counts[0], counts[1]));
  }

  private static void add(LockProvider provider, LockConfiguration job, int[] counts, int which) {
    for (int done = 0; done < 25; ) {
      Optional<SimpleLock> lock = provider.lock(job);
      if (lock.isPresent()) {
        int before = counts[which];
        LockSupport.parkNanos(1);
        counts[which] = before + 1;
        lock.get().unlock();
        done++;
      } else {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  @Test
  void tasksRunOnceAndHaveTheLease() throws Throwable {
    LockingTaskExecutor executor = new DefaultLockingTaskExecutor(provider);
    LockConfiguration job = job(LONG, NOT);
    List<Long> tokens = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      executor.executeWithLock(
          (LockingTaskExecutor.Task)
              () -> {
                Lease lease = provider.lease(name).orElseThrow();
                tokens.add(lease.fencingToken());
                assertTrue(other.lock(job).isEmpty());
                assertTrue(other.lease(name).isEmpty());
                LockExtender.extendActiveLock(LONG.multipliedBy(2), NOT);
                assertTrue(lease.remaining().compareTo(LONG) > 0);
              },
          job);
    }
    assertTrue(tokens.get(1) > tokens.get(0));
    assertTrue(provider.lease(name).isEmpty());
    assertUnlocked();
  }

  @Test
  void aLeaseIsSeenByItsThreadOnly() throws Exception {
    SimpleLock lock = locked(LONG);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      assertTrue(thread.submit(() -> provider.lease(name)).get().isEmpty());
      thread.submit(lock::unlock).get();
    } finally {
      thread.shutdownNow();
    }
    assertTrue(provider.lease(name).isEmpty(), "wherever it was unlocked");
  }

  @Test
  void isRenewedIfThatIsAskedFor() {
    HoldfastLockProvider renewed = new HoldfastLockProvider(client, Renewal.automatic());
    Duration atMost = SHORT.plusSeconds(2);
    SimpleLock lock = renewed.lock(job(atMost, NOT)).orElseThrow();
    Conditions.stays("it is held on", atMost.plusSeconds(2), this::isLocked);
    lock.unlock();
    assertUnlocked();
  }

  @Test
  void isKeptAliveByShedLock() throws Exception {
    try (Hurried hurried = new Hurried()) {
      KeepAliveLockProvider keepAlive = new KeepAliveLockProvider(provider, hurried.executor);
      SimpleLock lock = keepAlive.lock(job(Duration.ofSeconds(30), NOT)).orElseThrow();
      Lease lease = provider.lease(name).orElseThrow();
      long end = lease.remaining().toNanos() + System.nanoTime();
      Conditions.until(
          "it is extended again and again, and ends later",
          PATIENCE,
          () ->
              hurried.executor.getCompletedTaskCount() >= 3
                  && System.nanoTime() + lease.remaining().toNanos() - end > 0);
      lock.unlock();
      assertUnlocked();
      assertCounts(keepAlive, new KeepAliveLockProvider(other, hurried.executor));
    }
  }

  /** Does many times a second what ShedLock wants every fifteen seconds. */
  private static final class Hurried implements AutoCloseable {

    final ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(1) {
          @Override
          public ScheduledFuture<?> scheduleAtFixedRate(
              Runnable command, long initialDelay, long period, TimeUnit unit) {
            return super.scheduleAtFixedRate(command, 50, 50, TimeUnit.MILLISECONDS);
          }
        };

    @Override
    public void close() {
      executor.shutdownNow();
    }
  }

  @Test
  void anInterruptedThreadIsGivenNoLock() {
    Thread.currentThread().interrupt();
    Optional<SimpleLock> lock = provider.lock(job(LONG, NOT));
    assertTrue(Thread.interrupted());
    assertTrue(lock.isEmpty());
    assertUnlocked();
  }
}
