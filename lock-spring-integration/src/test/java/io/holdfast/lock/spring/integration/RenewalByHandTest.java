/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.integration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.JavaLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the renewal of a lock of fixed time, on a clock that is driven by hand. */
class RenewalByHandTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final LockOptions FIXED =
      LockOptions.defaults().withTtl(TTL).withRenewal(Renewal.none());

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);
  private final LockClient client = server.open();
  private final HoldfastLockRegistry registry = new HoldfastLockRegistry(client, FIXED);
  private final JavaLock lock = registry.obtain("foo");

  @AfterEach
  void close() {
    server.comeBack();
    client.close();
  }

  /** On the thread of the test, which is the only one that may renew it. */
  private Duration taken() {
    assertTrue(lock.tryLock());
    return left();
  }

  private Duration left() {
    return lock.lease().orElseThrow().remaining();
  }

  @Test
  void itLastsForOneMoreTtlFromNow() {
    Duration first = taken();
    time.advance(TTL.dividedBy(2));
    assertEquals(first.minus(TTL.dividedBy(2)), left());
    registry.renewLock("foo");
    assertTrue(left().compareTo(first.minusMillis(100)) > 0, "left: " + left());
  }

  @Test
  void itLastsForAsLongAsIsAskedForAndNeverForLess() {
    Duration first = taken();
    registry.renewLock("foo", Duration.ofSeconds(1));
    assertTrue(left().compareTo(first) >= 0, "left: " + left());
    registry.renewLock("foo", TTL.multipliedBy(3));
    assertTrue(left().compareTo(TTL.multipliedBy(2)) > 0, "left: " + left());
  }

  @Test
  void aLockThatIsOverIsNotRenewed() {
    assertTrue(taken().compareTo(TTL) <= 0);
    time.pause(TTL);
    assertThrows(LockLostException.class, () -> registry.renewLock("foo"));
    assertTrue(server.owners().isEmpty());
  }

  @Test
  void aRenewalWithoutAnAnswerIsToldAndTheLockGoesOn() {
    Duration first = taken();
    server.goAway();
    assertThrows(LockUnavailableException.class, () -> registry.renewLock("foo"));
    assertEquals(first, left());
  }
}
