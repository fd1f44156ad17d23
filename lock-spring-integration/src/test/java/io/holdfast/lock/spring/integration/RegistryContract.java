/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.integration;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.JavaLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What Spring Integration asks of its own registries on Redis and JDBC, in tests that it does not
 * publish, asked of ours. A client stands for a process.
 */
@SuppressWarnings("LockNotBeforeTry") // Each test ends with all that it has locked.
abstract class RegistryContract {

  private static final int ROUNDS = 10;
  private static final Duration TTL = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final LockOptions FIXED =
      LockOptions.defaults().withTtl(TTL).withRenewal(Renewal.none());

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<LockClient> processes = Collections.synchronizedList(new ArrayList<>());

  /** So that no test meets the locks of another. */
  private final String prefix = UUID.randomUUID().toString();

  private HoldfastLockRegistry registry;
  private HoldfastLockRegistry elsewhere;

  /** A new client; all are of one server. */
  abstract LockClient open();

  @BeforeEach
  void begin() {
    registry = new HoldfastLockRegistry(process());
    elsewhere = new HoldfastLockRegistry(process());
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
    processes.forEach(LockClient::close);
  }

  private LockClient process() {
    LockClient client = open();
    processes.add(client);
    return client.within(prefix);
  }

  private <T> T inAnotherThread(Callable<T> work) throws Exception {
    return inThread(work).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private <T> Future<T> inThread(Callable<T> work) {
    return threads.submit(work);
  }

  private void assertFree() {
    assertEquals(List.of(), processes.get(0).within(prefix).inspector().held(1_000));
  }

  private static boolean took(Lock lock) {
    boolean taken = lock.tryLock();
    if (taken) {
      lock.unlock();
    }
    return taken;
  }

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
                          boolean taken = other.obtain("foo").tryLock(3, TimeUnit.SECONDS);
                          if (taken) {
                            served.incrementAndGet();
                          }
                          return taken;
                        }))
            .toList();
    Conditions.stays("nobody else has it", Duration.ofMillis(200), () -> served.get() == 0);
    lock.unlock();
    int granted = 0;
    for (Future<Boolean> waiter : waiters) {
      granted += waiter.get(PATIENCE.toSeconds(), TimeUnit.SECONDS) ? 1 : 0;
    }
    assertEquals(1, granted, "the one that has it does not unlock");
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
  void renewsInTheBackground() {
    HoldfastLockRegistry renewed =
        new HoldfastLockRegistry(process(), LockOptions.defaults().withTtl(TTL));
    Lock lock = renewed.obtain("foo");
    assertTrue(lock.tryLock());
    Conditions.stays(
        "it is held for longer than its TTL",
        TTL.plusSeconds(1),
        () -> !took(elsewhere.obtain("foo")));
    assertDoesNotThrow(lock::unlock);
  }

  @Test
  void aLockOfFixedTimeEndsAndItsThreadIsTold() throws Exception {
    JavaLock lock = new HoldfastLockRegistry(process(), FIXED).obtain("foo");
    assertTrue(lock.tryLock());
    Lock next = elsewhere.obtain("foo");
    assertFalse(next.tryLock());
    assertTrue(next.tryLock(PATIENCE.toSeconds(), TimeUnit.SECONDS), "it ends");
    assertThrows(LockLostException.class, lock::tryLock, "nothing is taken again in silence");
    assertThrows(LockLostException.class, lock::unlock);
    assertThrows(IllegalMonitorStateException.class, lock::unlock, "it is over");
    assertFalse(took(lock), "the next one has it");
    next.unlock();
    assertTrue(took(lock));
  }

  @Test
  void aLockOfFixedTimeIsRenewedByHand() {
    HoldfastLockRegistry fixed = new HoldfastLockRegistry(process(), FIXED);
    Lock lock = fixed.obtain("foo");
    lock.lock();
    fixed.renewLock("foo", TTL.multipliedBy(4));
    Conditions.stays(
        "it is held for longer than its TTL",
        TTL.plusSeconds(1),
        () -> !took(elsewhere.obtain("foo")));
    fixed.renewLock("foo");
    assertDoesNotThrow(lock::unlock);
  }

  @Test
  void onlyItsThreadRenewsALock() throws Exception {
    assertThrows(IllegalMonitorStateException.class, () -> registry.renewLock("foo"));
    Lock lock = registry.obtain("foo");
    lock.lock();
    inAnotherThread(
        () ->
            assertThrows(
                IllegalMonitorStateException.class,
                () -> registry.renewLock("foo", Duration.ofSeconds(1))));
    registry.renewLock("foo");
    lock.unlock();
  }

  @Test
  void whoIsRefusedDoesNotMoveTheEnd() throws Exception {
    JavaLock lock = new HoldfastLockRegistry(process(), FIXED.withTtl(PATIENCE)).obtain("foo");
    lock.lock();
    Duration before = lock.lease().orElseThrow().remaining();
    assertFalse(inAnotherThread(() -> elsewhere.obtain("foo").tryLock()));
    assertTrue(lock.lease().orElseThrow().remaining().compareTo(before) <= 0);
    lock.unlock();
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
