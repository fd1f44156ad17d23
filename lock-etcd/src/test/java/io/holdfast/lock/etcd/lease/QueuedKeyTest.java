/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A move to another lease that overlaps with a release, or with another move. */
class QueuedKeyTest {

  private static final Duration TTL = Duration.ofSeconds(10);

  private final ServerLease first = new ServerLease(7, 10, TTL, 3, 0);
  private final ServerLease second = new ServerLease(8, 10, TTL, 4, 0);
  private long now;
  private final QueuedKey.Place joined = new QueuedKey.Place(first, 71);
  private final QueuedKey key = JoinedKey.on(joined, () -> now);

  /** As by a change of the capacity, before the answer to its put was known. */
  @Test
  void aKeyThatWasChangedHasItsPlaceByItsFirstRevision() {
    key.joined(71, 73);
    assertEquals(71, key.revision());
    assertEquals(Optional.of(new QueuedKey.Place(first, 73)), key.place());
  }

  @Test
  void theLeaseOfAKeyThatWasWithdrawnIsFree() {
    key.leaveAnswered(null);
    assertEquals(Optional.of(first), key.withdrawn());
    assertEquals(List.of(), key.leases());
    assertEquals(new QueuedKey.End(Optional.empty(), false, false), key.end());
  }

  @Test
  void theLeaseOfAKeyThatWasWithdrawnIsNotFreeIfAPutMayStillCome() {
    key.joinAnswered(Status.UNAVAILABLE.asRuntimeException());
    key.leaveAnswered(null);
    assertEquals(Optional.empty(), key.withdrawn());
    assertEquals(List.of(first), key.leases());
    assertEquals(new QueuedKey.End(Optional.empty(), false, true), key.end());
  }

  /** Etcd looks whether there is space when it has carried out a transaction, too. */
  @Test
  void norIfEtcdWasOutOfSpace() {
    key.joinAnswered(Status.RESOURCE_EXHAUSTED.asRuntimeException());
    assertEquals(Optional.empty(), key.withdrawn());
  }

  @Test
  void theLeaseOfAPutThatWasRefusedIsFree() {
    key.joinAnswered(Status.PERMISSION_DENIED.asRuntimeException());
    assertEquals(Optional.of(first), key.withdrawn());
  }

  @Test
  void aMoveAnsweredAfterTheEndFreesNoLease() {
    assertEquals(Optional.of(second), key.moving(joined, second, key.generation(), false));
    QueuedKey.End end = key.end();
    assertTrue(end.uncertain());
    key.moved(second, 72);
    assertEquals(List.of(), key.freed());
    assertEquals(List.of(first, second), key.leases());
    assertTrue(key.end().uncertain());
  }

  @Test
  void aMoveAnsweredBeforeTheEndFreesTheLeaseThatIsNotGivenBack() {
    key.moving(joined, second, key.generation(), false);
    key.moved(second, 72);
    QueuedKey.End end = key.end();
    assertFalse(end.uncertain());
    assertEquals(Optional.of(new QueuedKey.Place(second, 72)), end.place());
    assertEquals(List.of(first), key.freed());
  }

  @Test
  void noMoveBeginsAfterTheEnd() {
    QueuedKey.End end = key.end();
    assertEquals(new QueuedKey.End(Optional.of(joined), false, false), end);
    assertEquals(Optional.empty(), key.moving(joined, second, key.generation(), true));
    key.moved(second, 72);
    assertEquals(List.of(), key.freed());
    assertTrue(key.end().sentBefore());
  }

  @Test
  void aMoveThatIsAnsweredMeanwhileEndsOneThatWasDecidedBefore() {
    key.moving(joined, second, key.generation(), false);
    key.moved(second, 72);
    assertEquals(Optional.empty(), key.moving(joined, first, key.generation(), false));
    assertTrue(key.mayMove(key.generation()));
    assertEquals(Optional.empty(), key.target());
    assertEquals(Optional.of(new QueuedKey.Place(second, 72)), key.place());
  }

  @Test
  void anotherLeaseHasToLastForTheLongestRequest() {
    key.requested(TTL.multipliedBy(5));
    key.requested(TTL);
    now += TTL.toNanos();
    assertEquals(TTL.multipliedBy(4), key.needed(TTL));
    key.endsIn(TTL.multipliedBy(2));
    assertEquals(TTL.multipliedBy(2), key.needed(TTL));
  }

  @Test
  void aLeaseIsTooShortForWhatWasRequestedAfterItWasChosen() {
    key.requested(TTL);
    now += TTL.dividedBy(2).toNanos();
    key.requested(TTL);
    assertEquals(Optional.empty(), key.moving(joined, second, key.generation(), false));
    assertEquals(Optional.empty(), key.target());
    // The release knows for how long the name is to stay taken.
    assertEquals(Optional.of(second), key.moving(joined, second, key.leaving(), true));
  }

  @Test
  void aLeaseThatLastsAsLongAsWasRequestedIsLongEnough() {
    key.requested(TTL);
    assertEquals(Optional.of(second), key.moving(joined, second, key.generation(), false));
  }

  /** By half only while an extension runs out. */
  @Test
  void aLeaseIsTooLongWithoutAnExtensionByAnyPart() {
    assertTrue(key.isTooLong(new ServerLease(9, 15, Duration.ofSeconds(15), 4, 0), TTL));
  }

  @Test
  void aLeaseIsTooLongOnceTheExtensionIsOverThatItWasGrantedFor() {
    ServerLease longer = new ServerLease(9, 55, Duration.ofSeconds(55), 4, 0);
    key.requested(Duration.ofSeconds(50));
    assertFalse(key.isTooLong(longer, TTL));
    now += Duration.ofSeconds(45).toNanos();
    assertTrue(key.isTooLong(longer, TTL));
    assertFalse(key.isTooLong(new ServerLease(10, 11, TTL, 4, 0), TTL));
  }

  @Test
  void aLeaseThatWasToBeRevokedIsNotGivenBack() {
    key.moving(joined, second, key.generation(), false);
    assertTrue(key.end().uncertain());
    key.moveAnswered(second, Status.NOT_FOUND.asRuntimeException());
    assertEquals(Optional.empty(), key.target());
    assertTrue(key.end().uncertain(), "the revocation of the first may still be on its way");
  }

  @Test
  void theLatestEndOrReleaseMovesTheKey() {
    long first = key.endsIn(TTL);
    long second = key.endsIn(TTL);
    assertFalse(key.mayMove(first));
    assertTrue(key.mayMove(second));
    long release = key.leaving();
    assertFalse(key.mayMove(second));
    assertTrue(key.mayMove(release));
  }

  @Test
  void aMoveThatIsAnsweredAfterTheKeyWasMovedOnIsNotWhereItHangs() {
    assertTrue(key.moved(second, 72));
    assertTrue(key.moved(second, 72), "a look may have told so before");
    assertFalse(key.moved(first, 71));
  }

  @Test
  void aReleaseOrAnEarlierEndStopsTheRenewalsThatHaveBegun() {
    long begun = key.generation();
    assertTrue(key.isOf(begun));
    key.endsIn(TTL);
    assertFalse(key.isOf(begun));
    long meanwhile = key.generation();
    assertFalse(key.isOf(meanwhile), "not before the end is set");
    key.endAnswered();
    assertFalse(key.isOf(meanwhile), "nor afterwards, if it began before");
    assertFalse(key.isOf(begun));
    assertTrue(key.isOf(key.generation()));
    long next = key.generation();
    key.leaving();
    assertFalse(key.isOf(next));
    assertFalse(key.isOf(key.generation()));
  }
}
