/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ShareAsker.join;
import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.zookeeper.queue.LockPaths;
import io.holdfast.lock.zookeeper.queue.QueueNode;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.jupiter.api.Test;

/** Names that several owners share, as the backend keeps them in a queue. */
class SharesTest extends SharesScene {

  @Test
  void readersShareAndAWriterThatWaitsIsServedThoughReadersKeepComing() {
    ShareAsker first = asker(Share.READ);
    ShareAsker second = asker(Share.READ);
    long token = first.granted();
    assertTrue(second.granted() > token);
    ShareAsker writer = asker(Share.WRITE);
    ShareAsker late = asker(Share.READ);
    ShareAsker later = asker(Share.READ);
    writer.contended();
    late.contended();
    later.contended();
    first.freed();
    second.freed();
    writer.woken(1);
    assertEquals(0, late.wakes.get());
    late.contended();
    long written = writer.granted();
    writer.freed();
    late.woken(1);
    later.woken(1);
    assertTrue(late.granted() > written);
    later.granted();
    late.freed();
    later.freed();
  }

  /** Its number follows on the reader's, as that of the next owner of a lock does on the last's. */
  @Test
  void aWriterThatFollowsOnAReaderOfItsClientIsNotGrantedBesideAnother() {
    ShareAsker stays = asker(Share.READ);
    ShareAsker goes = asker(Share.READ);
    stays.granted();
    goes.granted();
    goes.freed();
    ShareAsker writer = asker(Share.WRITE);
    writer.contended();
    stays.freed();
    writer.woken(1);
    writer.granted();
    writer.freed();
  }

  @Test
  void permitsAreGrantedInTheOrderOfTheQueue() {
    ShareAsker two = asker(Share.of(2, 5));
    ShareAsker alsoTwo = asker(Share.of(2, 5));
    ShareAsker three = asker(Share.of(3, 5));
    ShareAsker one = asker(Share.of(1, 5));
    two.granted();
    alsoTwo.granted();
    three.contended();
    one.contended();
    two.freed();
    three.woken(1);
    three.granted();
    one.contended();
    alsoTwo.freed();
    one.woken(1);
    one.granted();
    three.freed();
    one.freed();
  }

  @Test
  void aCapacityBelongsToTheName() {
    ShareAsker reader = asker(Share.READ);
    reader.granted();
    assertRefused(asker(Share.LOCK), 1, Share.READ_WRITE_CAPACITY);
    assertRefused(asker(Share.of(1, 5)), 5, Share.READ_WRITE_CAPACITY);
    reader.freed();
    ShareAsker lock = asker(Share.LOCK);
    lock.granted();
    assertRefused(asker(Share.WRITE), Share.READ_WRITE_CAPACITY, 1);
    lock.freed();
    ShareAsker again = asker(Share.LOCK);
    again.granted();
    again.freed();
    ShareAsker writer = asker(Share.WRITE);
    writer.granted();
    writer.freed();
  }

  /** A lock that does not know yet whether it is refused may be the first when it looks. */
  @Test
  void aReaderIsNotGrantedPastALockThatWasNotRefusedYet() throws Exception {
    ShareAsker first = asker(Share.READ);
    first.granted();
    String lock = node("unanswered", Share.LOCK);
    ShareAsker reader = asker(Share.READ);
    reader.contended();
    assertEquals(1, join(inspection().holders("a")).size());
    first.freed();
    reader.contended();
    assertEquals(Share.LOCK, join(inspection().holder("a")).orElseThrow().share());
    administrator.delete(lock, -1);
    reader.woken(1);
    reader.granted();
    reader.freed();
  }

  @Test
  void aClaimThatDoesNotWaitTakesNoPlace() throws Exception {
    for (Share share : List.of(Share.LOCK, Share.WRITE, Share.of(2, 2))) {
      ShareAsker holder = asker(share);
      long first = holder.granted();
      ShareAsker tries = asker(share, false);
      tries.contended();
      assertEquals(1, nodes());
      holder.freed();
      // Its release has not been asked for, and is in nobody's way.
      ShareAsker next = asker(share, false);
      assertTrue(next.granted() > first);
      assertEquals(ReleaseAnswer.NOT_OURS, join(tries.claim.release()));
      next.freed();
      assertEquals(0, nodes());
    }
  }

  @Test
  void aClaimThatDoesNotWaitIsGrantedIfItFitsAndOvertakesNobody() throws Exception {
    ShareAsker first = asker(Share.READ, false);
    ShareAsker second = asker(Share.READ, false);
    first.granted();
    second.granted();
    asker(Share.WRITE, false).contended();
    ShareAsker third = asker(Share.READ, false);
    third.granted();
    ShareAsker writer = asker(Share.WRITE);
    writer.contended();
    asker(Share.READ, false).contended();
    assertRefused(asker(Share.LOCK, false), 1, Share.READ_WRITE_CAPACITY);
    assertEquals(4, nodes());
    first.freed();
    second.freed();
    third.freed();
    writer.granted();
    writer.freed();
  }

  @Test
  void aClaimRefusedForAnotherCapacityHasNoNode() throws Exception {
    ShareAsker reader = asker(Share.READ);
    reader.granted();
    for (boolean waits : List.of(true, false)) {
      CompletionStage<Attempt> refused = asker(Share.LOCK, waits).claim.attempt();
      assertThrows(CompletionException.class, () -> join(refused));
      assertEquals(1, nodes());
    }
    reader.freed();
  }

  private int nodes() throws Exception {
    return ZooKeeperHarness.contenders(administrator, "/holdfast").size();
  }

  @Test
  void aLockThatWaitsIsNotRefusedForAReaderThatWas() throws Exception {
    ShareAsker first = asker(Share.LOCK);
    first.granted();
    String reader = node("refused", Share.READ);
    ShareAsker second = asker(Share.LOCK);
    second.contended();
    first.freed();
    second.contended();
    administrator.delete(reader, -1);
    second.woken(1);
    second.granted();
    second.freed();
  }

  @Test
  void aPlaceThatWasTakenAwayIsAskedForAnew() throws Exception {
    ShareAsker first = asker(Share.LOCK);
    first.granted();
    ShareAsker second = asker(Share.LOCK);
    second.contended();
    for (String path : ZooKeeperHarness.contenders(administrator, "/holdfast")) {
      administrator.delete(path, -1);
    }
    ShareAsker reader = asker(Share.READ);
    reader.granted();
    assertRefused(second, 1, Share.READ_WRITE_CAPACITY);
    reader.freed();
  }

  /** A contender whose client is silent. */
  private String node(String owner, Share share) throws Exception {
    return administrator.create(
        new LockPaths("/holdfast", "lock").lock("a")
            + "/"
            + LockPaths.prefix(owner)
            + QueueNode.text(share),
        new byte[0],
        ZooDefs.Ids.OPEN_ACL_UNSAFE,
        CreateMode.EPHEMERAL_SEQUENTIAL);
  }

  @Test
  void aHolderIsEvictedAndTheOthersStay() {
    ShareAsker first = asker(Share.READ);
    ShareAsker second = asker(Share.READ);
    first.granted();
    second.granted();
    LockHolder told = join(inspection().holder("a")).orElseThrow();
    assertTrue(join(inspection().evict(told)));
    assertFalse(join(inspection().evict(told)));
    assertEquals(1, join(inspection().holders("a")).size());
    Conditions.until(
        "the loss",
        SOON,
        () -> renew(first).get(0).equals(new RenewalAnswer.Lost(LossReason.REVOKED)));
    assertEquals(List.of(extended(second)), renew(second));
  }

  private void assertRefused(ShareAsker contender, int asked, int inUse) {
    CompletionException told =
        assertThrows(CompletionException.class, () -> join(contender.claim.attempt()));
    LockCapacityException why = assertInstanceOf(LockCapacityException.class, told.getCause());
    assertEquals(asked, why.askedFor());
    assertEquals(inUse, why.inUse());
    assertEquals(ReleaseAnswer.NOT_OURS, join(contender.claim.release()));
  }
}
