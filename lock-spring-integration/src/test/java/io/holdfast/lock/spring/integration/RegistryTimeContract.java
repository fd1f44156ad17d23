/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.integration;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.JavaLock;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** The part of {@link RegistryContract} that is about time: what is renewed, and what ends. */
@SuppressWarnings("LockNotBeforeTry") // Each test ends with all that it has locked.
abstract class RegistryTimeContract extends RegistryProcesses {

  static final Duration TTL = Duration.ofSeconds(5);
  static final LockOptions FIXED = LockOptions.defaults().withTtl(TTL).withRenewal(Renewal.none());

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
    IllegalMonitorStateException told =
        assertThrows(IllegalMonitorStateException.class, () -> registry.renewLock("foo\u001b[2J"));
    assertTrue(
        String.valueOf(told.getMessage()).startsWith("Lock 'foo\\u001b[2J' is not held by"),
        told.getMessage());
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
  void aRefusedCallerDoesNotMoveTheEnd() throws Exception {
    JavaLock lock = new HoldfastLockRegistry(process(), FIXED.withTtl(PATIENCE)).obtain("foo");
    lock.lock();
    Duration before = lock.lease().orElseThrow().remaining();
    assertFalse(inAnotherThread(() -> elsewhere.obtain("foo").tryLock()));
    assertTrue(lock.lease().orElseThrow().remaining().compareTo(before) <= 0);
    lock.unlock();
  }
}
