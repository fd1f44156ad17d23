/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Share;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A release and a move to another lease that overlap. */
class QueuedKeyTest {

  private static final Duration TTL = Duration.ofSeconds(10);

  private final ServerLease first = new ServerLease(7, 10, TTL, 3, 0);
  private final ServerLease second = new ServerLease(8, 10, TTL, 4, 0);
  private final QueuedKey key =
      new QueuedKey(
          new LockKeys("/holdfast", "lock"), new ClaimRequest("order", "owner", TTL, Share.LOCK));

  QueuedKeyTest() {
    key.joining(first);
    key.joined(71, 71);
  }

  @Test
  void aMoveAnsweredAfterTheEndFreesNoLease() {
    assertEquals(Optional.of(second), key.moving(second, false));
    QueuedKey.End end = key.end();
    assertTrue(end.uncertain());
    key.moved(second, 72);
    assertEquals(List.of(), key.freed());
    assertEquals(List.of(first, second), key.leases());
    assertTrue(key.end().uncertain());
  }

  @Test
  void aMoveAnsweredBeforeTheEndFreesTheLeaseThatIsNotGivenBack() {
    key.moving(second, false);
    key.moved(second, 72);
    QueuedKey.End end = key.end();
    assertFalse(end.uncertain());
    assertEquals(Optional.of(new QueuedKey.Place(second, 72)), end.place());
    assertEquals(List.of(first), key.freed());
  }

  @Test
  void noMoveBeginsAfterTheEnd() {
    QueuedKey.End end = key.end();
    assertEquals(new QueuedKey.End(Optional.of(new QueuedKey.Place(first, 71)), false, false), end);
    assertEquals(Optional.empty(), key.moving(second, true));
    key.moved(second, 72);
    assertEquals(List.of(), key.freed());
    assertTrue(key.end().sentBefore());
  }
}
