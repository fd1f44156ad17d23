/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.shedlock;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.Test;

/** Tests ours as ShedLock tests its own providers, in tests that it does not publish. */
abstract class ShedLockContract extends ProviderTestBase {

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
  void noAdditionIsLost() throws Exception {
    assertCounts(provider, other);
  }
}
