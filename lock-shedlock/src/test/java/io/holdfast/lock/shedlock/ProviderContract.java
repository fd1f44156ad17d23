/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.shedlock;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import org.junit.jupiter.api.Test;

/** Tests ours beyond what ShedLock asks of its own providers. */
abstract class ProviderContract extends ShedLockContract {

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
