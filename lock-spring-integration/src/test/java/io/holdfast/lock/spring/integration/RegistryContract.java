/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.JavaLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests ours as Spring Integration tests its own registries on Redis and JDBC, in tests that it
 * does not publish.
 */
@SuppressWarnings("LockNotBeforeTry") // Each test ends with all that it has locked.
abstract class RegistryContract extends RegistryTimeContract {

  private static final int ROUNDS = 10;

  @Test
  void locksAndUnlocks() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      Lock lock = registry.obtain("foo");
      lock.lock();
      assertFalse(took(elsewhere.obtain("foo")));
      lock.unlock();
      lock.lockInterruptibly();
      lock.unlock();
    }
    registry.expireUnusedOlderThan(-1_000);
    assertFree();
  }

  @Test
  void isReentrant() throws Exception {
    for (int i = 0; i < ROUNDS; i++) {
      JavaLock lock = registry.obtain("foo");
      lock.lock();
      JavaLock again = registry.obtain("foo");
      assertEquals(lock, again);
      again.lockInterruptibly();
      assertTrue(registry.obtain("foo").tryLock(1, TimeUnit.SECONDS));
      assertEquals(3, lock.holdCount());
      again.unlock();
      again.unlock();
      assertFalse(took(elsewhere.obtain("foo")), "one hold is left");
      lock.unlock();
    }
    assertFree();
  }

  @Test
  void oneThreadHoldsTwoLocks() throws Exception {
    Lock foo = registry.obtain("foo");
    Lock bar = registry.obtain("bar");
    assertNotEquals(foo, bar);
    foo.lockInterruptibly();
    bar.lockInterruptibly();
    bar.unlock();
    foo.unlock();
    assertFree();
  }

  @Test
  void aSecondThreadDoesNotGetItInTime() throws Exception {
    Lock lock = registry.obtain("foo");
    lock.lock();
    for (HoldfastLockRegistry other : List.of(registry, elsewhere)) {
      IllegalMonitorStateException refused =
          inAnotherThread(
              () -> {
                Lock second = other.obtain("foo");
                assertFalse(second.tryLock(100, TimeUnit.MILLISECONDS));
                return assertThrows(IllegalMonitorStateException.class, second::unlock);
              });
      assertTrue(String.valueOf(refused.getMessage()).contains("foo"), refused.getMessage());
    }
    lock.unlock();
  }

  @Test
  void aSecondThreadGetsItAfterTheFirst() throws Exception {
    for (HoldfastLockRegistry other : List.of(registry, elsewhere)) {
      for (int i = 0; i < ROUNDS; i++) {
        Lock lock = registry.obtain("foo");
        lock.lock();
        Future<Boolean> second =
            inThread(
                () -> {
                  Lock same = other.obtain("foo");
                  same.lockInterruptibly();
                  same.unlock();
                  return true;
                });
        assertThrows(TimeoutException.class, () -> second.get(10, TimeUnit.MILLISECONDS));
        lock.unlock();
        assertTrue(second.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
      }
    }
    assertFree();
  }

  @Test
  void anotherThreadCannotUnlock() throws Exception {
    Lock lock = registry.obtain("foo");
    lock.lock();
    inAnotherThread(() -> assertThrows(IllegalMonitorStateException.class, lock::unlock));
    assertFalse(took(elsewhere.obtain("foo")), "it is held still");
    lock.unlock();
  }

  @Test
  void ofTwoWaitersElsewhereOneGetsIt() throws Exception {
    Lock lock = registry.obtain("foo");
    lock.lock();
    HoldfastLockRegistry third = new HoldfastLockRegistry(process());
    AtomicInteger served = new AtomicInteger();
    List<Future<Boolean>> waiters =
        Stream.of(elsewhere, third)
            .map(
                other ->
                    inThread(
                        () -> {
                          boolean taken =
                              other.obtain("foo").tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                          if (taken) {
                            served.incrementAndGet();
                          }
                          return taken;
                        }))
            .toList();
    Conditions.stays("nobody else has it", Duration.ofMillis(200), () -> served.get() == 0);
    lock.unlock();
    Conditions.until("one has it", PATIENCE, () -> served.get() > 0);
    Conditions.stays("it does not unlock", Duration.ofSeconds(1), () -> served.get() == 1);
    waiters.forEach(waiter -> waiter.cancel(true));
  }

  @Test
  void manyRegistriesTakeTurns() throws Exception {
    List<HoldfastLockRegistry> all = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      all.add(new HoldfastLockRegistry(process()));
    }
    int[] plain = {0};
    for (int round = 0; round < 3; round++) {
      List<Future<Boolean>> done = new ArrayList<>();
      for (HoldfastLockRegistry one : all) {
        done.add(
            inThread(
                () -> {
                  Lock lock = one.obtain("foo");
                  lock.lock();
                  try {
                    plain[0]++;
                  } finally {
                    lock.unlock();
                  }
                  return true;
                }));
      }
      for (Future<Boolean> each : done) {
        assertTrue(each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
      }
    }
    assertEquals(3 * ROUNDS, plain[0]);
    assertFree();
  }

  @Test
  void viewsAreEqualIfTheyAreOfOneKeyAndClient() {
    LockClient client = process();
    HoldfastLockRegistry one = new HoldfastLockRegistry(client);
    HoldfastLockRegistry another = new HoldfastLockRegistry(client, FIXED);
    HoldfastLockRegistry apart = new HoldfastLockRegistry(client.within("apart"));
    JavaLock lock = one.obtain("foo");
    assertEquals(lock, another.obtain("foo"));
    assertEquals(lock.hashCode(), another.obtain("foo").hashCode());
    assertNotEquals(lock, elsewhere.obtain("foo"));
    lock.lock();
    assertEquals(2, reentered(another.obtain("foo")), "registries on one client share the holds");
    assertFalse(took(elsewhere.obtain("foo")));
    assertTrue(took(apart.obtain("foo")), "another prefix is another lock");
    lock.unlock();
    assertFree();
  }

  private static int reentered(JavaLock lock) {
    lock.lock();
    int holds = lock.holdCount();
    lock.unlock();
    return holds;
  }

  @Test
  void keysAreWithoutNumberAndNothingOfThemStays() throws Exception {
    List<Future<Boolean>> done = new ArrayList<>();
    CyclicBarrier together = new CyclicBarrier(4);
    for (int thread = 0; thread < 4; thread++) {
      int first = thread;
      done.add(
          inThread(
              () -> {
                together.await();
                for (int key = first; key < 500; key += 4) {
                  Lock lock = registry.obtain("foo:" + key);
                  lock.lock();
                  registry.expireUnusedOlderThan(0);
                  registry.obtain("foo:" + key).unlock();
                }
                return true;
              }));
    }
    for (Future<Boolean> each : done) {
      assertTrue(each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
    assertFree();
  }

  @Test
  void anInterruptEndsAWait() throws Exception {
    Lock lock = registry.obtain("foo");
    lock.lock();
    Thread here = Thread.currentThread();
    Future<?> waiter =
        inThread(
            () -> {
              Thread.currentThread().interrupt();
              return assertThrows(
                  InterruptedException.class, () -> elsewhere.obtain("foo").lockInterruptibly());
            });
    waiter.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertFalse(here.isInterrupted());
    lock.unlock();
    Thread.currentThread().interrupt();
    lock.lock();
    assertTrue(Thread.interrupted(), "lock() waits through an interrupt, and keeps it");
    lock.unlock();
    assertFree();
  }

  @Test
  void tasksRunLocked() throws Exception {
    assertEquals(
        true, registry.executeLocked("foo", () -> registry.obtain("foo").isHeldByCurrentThread()));
    Lock lock = elsewhere.obtain("foo");
    lock.lock();
    assertThrows(
        TimeoutException.class,
        () -> registry.executeLocked("foo", Duration.ofMillis(50), () -> {}));
    lock.unlock();
    assertFree();
  }

  @Test
  void keysAreStrings() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> registry.obtain(7));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("java.lang.Integer"), refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> registry.obtain(""));
  }

  /** The token of a lock in a registry is that of the lease behind it. */
  @Test
  void aHolderHasATokenThatGrows() throws ExecutionException, InterruptedException {
    long[] tokens = new long[2];
    for (int i = 0; i < tokens.length; i++) {
      JavaLock lock = (i == 0 ? registry : elsewhere).obtain("foo");
      lock.lock();
      tokens[i] = lock.lease().orElseThrow().fencingToken();
      lock.unlock();
    }
    assertTrue(tokens[1] > tokens[0]);
  }
}
