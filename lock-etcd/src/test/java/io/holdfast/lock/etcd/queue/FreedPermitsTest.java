/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.queue;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.KeyValue;
import io.holdfast.lock.Share;
import org.junit.jupiter.api.Test;

/** Tests when a waiter for permits has to look again. */
class FreedPermitsTest {

  private static final long OWN = 20;
  private static final long AHEAD = 10;
  private static final long BEHIND = 30;

  @Test
  void asManyAsAreMissingAreEnough() {
    FreedPermits freed = new FreedPermits(OWN, 3);
    assertFalse(freed.test(gone(holder(AHEAD, 2, 5))));
    assertFalse(freed.test(gone(holder(BEHIND, 3, 5))), "it is not waited for");
    assertFalse(freed.test(gone(holder(OWN, 3, 5))), "nor is its own");
    assertTrue(freed.test(gone(holder(AHEAD, 1, 5))));
  }

  @Test
  void aPartThatIsGivenBackCounts() {
    FreedPermits freed = new FreedPermits(OWN, 2);
    assertFalse(freed.test(changed(holder(AHEAD, 4, 5), holder(AHEAD, 3, 5))));
    assertTrue(freed.test(changed(holder(AHEAD, 3, 5), holder(AHEAD, 2, 5))));
  }

  @Test
  void anotherCapacityIsLookedAt() {
    FreedPermits freed = new FreedPermits(OWN, 2);
    assertTrue(freed.test(changed(holder(AHEAD, 1, 5), holder(AHEAD, 1, 6))));
  }

  /** Of what was compacted etcd does not tell how it was before. */
  @Test
  void anUnknownNumberMayBeEnough() {
    assertTrue(new FreedPermits(OWN, 3).test(untold(Event.EventType.DELETE, AHEAD)));
    assertTrue(new FreedPermits(OWN, 3).test(untold(Event.EventType.PUT, AHEAD)));
    assertFalse(new FreedPermits(OWN, 3).test(untold(Event.EventType.PUT, BEHIND)), "it has come");
  }

  private static KeyValue holder(long revision, int permits, int capacity) {
    return KeyValue.newBuilder()
        .setCreateRevision(revision)
        .setValue(ClaimValue.of("owner", Share.of(permits, capacity)).value())
        .build();
  }

  private static Event gone(KeyValue before) {
    return Event.newBuilder().setType(Event.EventType.DELETE).setPrevKv(before).build();
  }

  private static Event changed(KeyValue before, KeyValue now) {
    return Event.newBuilder().setPrevKv(before).setKv(now).build();
  }

  private static Event untold(Event.EventType type, long revision) {
    return Event.newBuilder()
        .setType(type)
        .setKv(KeyValue.newBuilder().setCreateRevision(revision))
        .build();
  }
}
