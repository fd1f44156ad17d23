/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ShareAsker.join;
import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/**
 * Nodes that go, and connections that break, around the moment in which a watch is set. A session
 * proves nothing about a node, so what no watch tells is not told.
 */
class WatchMomentsTest extends OneServerTestBase {

  private static final Duration TTL = Duration.ofMinutes(2);

  /** After which a client has asked for the watch on a node that it holds by. */
  private static final Duration WATCHED = Duration.ofMillis(500);

  private static ShareAsker asker(ZooKeeperBackend backend, String owner, Share share) {
    return new ShareAsker(backend, new ClaimRequest("a", owner, TTL, share));
  }

  private static ShareAsker holder(ZooKeeperBackend backend) {
    ShareAsker holder = asker(backend, "holder", Share.LOCK);
    holder.granted();
    return holder;
  }

  private List<String> contenders() {
    return ZooKeeperHarness.contenders(administrator, "/holdfast/lock/a");
  }

  private void deleteItsNode() throws Exception {
    administrator.delete(contenders().get(0), -1);
  }

  private static void isTold(ShareAsker holder) {
    Conditions.until("the loss", SOON, () -> holder.losses.get() == 1);
  }

  /** The watch is asked for a tenth of a second after the grant. */
  @Test
  void aNodeThatIsDeletedBeforeItIsWatchedIsALoss() throws Exception {
    TcpProxy link = harness.proxy();
    ShareAsker holder = holder(harness.backend(link));
    link.stall(Direction.TO_SERVER);
    deleteItsNode();
    link.heal();
    isTold(holder);
  }

  /** The server tells of one change for each watch. */
  @Test
  void aNodeThatHasChangedIsWatchedAgainByItsHolder() throws Exception {
    ZooKeeperBackend backend = harness.backend(harness.proxy());
    ShareAsker holder = holder(backend);
    Conditions.stays("held", WATCHED, () -> holder.losses.get() == 0);
    // A proof comes after the answer to whatever was asked before.
    RenewalAnswer renewed =
        join(backend.renew(List.of(new RenewalRequest<>(holder.claim, TTL, TTL)))).get(0);
    assertInstanceOf(RenewalAnswer.Extended.class, renewed);
    administrator.setData(contenders().get(0), new byte[0], -1);
    deleteItsNode();
    isTold(holder);
  }

  /** In between, the waiter has been told of the node, and does not watch it yet. */
  @Test
  void aNodeAheadThatGoesBeforeItIsWatchedIsNotWaitedFor() {
    ShareAsker holder = holder(harness.backend(harness.proxy()));
    TcpProxy link = harness.proxy();
    ShareAsker waiter = asker(harness.backend(link), "waiter", Share.LOCK);
    link.stall(Direction.TO_CLIENT);
    CompletableFuture<Attempt> attempt = waiter.claim.attempt().toCompletableFuture();
    Conditions.until("its place", SOON, () -> contenders().size() == 2);
    // The list of the queue is asked for with the place, and so read by then.
    Conditions.stays("no answer", Duration.ofMillis(300), () -> !attempt.isDone());
    holder.freed();
    link.heal();
    assertInstanceOf(Attempt.Granted.class, attempt.join());
    waiter.freed();
  }

  /** It watches nothing then. */
  @Test
  void aWaiterThatWasNotAnsweredIsWokenWhenThereIsAConnectionAgain() {
    holder(harness.backend(harness.proxy()));
    TcpProxy link = harness.proxy();
    ShareAsker waiter = asker(harness.backend(link), "waiter", Share.LOCK);
    link.stall(Direction.TO_SERVER);
    CompletableFuture<Attempt> attempt = waiter.claim.attempt().toCompletableFuture();
    link.cut();
    assertThrows(CompletionException.class, attempt::join);
    link.heal();
    Conditions.until("woken", SOON, () -> waiter.wakes.get() > 0);
  }

  /** The client has the reader's node then, and was not told so. */
  @Test
  void aDowngradeThatWasNotAnsweredIsAnsweredWhenItIsRepeated() throws Exception {
    TcpProxy link = harness.proxy();
    ShareAsker writer = asker(harness.backend(link), "writer", Share.WRITE);
    writer.granted();
    link.stallExisting(Direction.TO_CLIENT);
    CompletableFuture<ReleaseAnswer> downgrade = writer.claim.reduceTo(1).toCompletableFuture();
    Conditions.until(
        "it is carried out",
        SOON,
        () -> contenders().stream().anyMatch(node -> node.contains("~1of")));
    link.cut();
    assertThrows(CompletionException.class, downgrade::join);
    Conditions.until("an answer over another connection", SOON, () -> isReduced(writer));
    assertEquals(0, writer.losses.get());
    deleteItsNode();
    isTold(writer);
  }

  /** The watch does not tell, as the client expects the node to go. */
  @Test
  void aDowngradeThatFindsNoNodeIsALoss() throws Exception {
    TcpProxy link = harness.proxy();
    ShareAsker writer = asker(harness.backend(link), "writer", Share.WRITE);
    writer.granted();
    // So the client hears of the deletion when it has asked for the downgrade.
    link.stall(Direction.TO_CLIENT);
    deleteItsNode();
    CompletableFuture<ReleaseAnswer> downgrade = writer.claim.reduceTo(1).toCompletableFuture();
    link.heal();
    assertEquals(ReleaseAnswer.NOT_OURS, downgrade.join());
    isTold(writer);
  }

  /** The client has its node still, so that a deletion of the node is a loss. */
  @Test
  void aDowngradeThatWasRefusedHidesNoLoss() throws Exception {
    ShareAsker writer =
        new ShareAsker(
            harness.backend(harness.proxy()),
            new ClaimRequest("refused", "writer", TTL, Share.WRITE));
    writer.granted();
    String queue = "/holdfast/lock/refused";
    String node = ZooKeeperHarness.contenders(administrator, queue).get(0);
    ZooKeeper operator = harness.administrator();
    operator.addAuthInfo("digest", "operator:its-secret".getBytes(UTF_8));
    operator.setACL(queue, ZooDefs.Ids.CREATOR_ALL_ACL, -1);
    CompletionException refused =
        assertThrows(CompletionException.class, () -> join(writer.claim.reduceTo(1)));
    assertInstanceOf(LockRejectedException.class, refused.getCause());
    operator.delete(node, -1);
    isTold(writer);
  }

  /** A claim whose node is gone was refused before, and deleted the node that it had then. */
  @Test
  void aNodeThatWasGivenUpBeforeDoesNotMakeALossARelease() throws Exception {
    ShareAsker before = holder(harness.backend(harness.proxy()));
    TcpProxy link = harness.proxy();
    ShareAsker asker =
        new ShareAsker(
            harness.backend(link), new ClaimRequest("a", "asker", TTL, Share.LOCK, false));
    asker.contended();
    before.freed();
    asker.granted();
    // So the client hears of the deletion when it has asked for the release.
    link.stall(Direction.TO_CLIENT);
    deleteItsNode();
    CompletableFuture<ReleaseAnswer> release = asker.claim.release().toCompletableFuture();
    link.heal();
    assertEquals(ReleaseAnswer.NOT_OURS, release.join());
  }

  private static boolean isReduced(ShareAsker writer) {
    try {
      return join(writer.claim.reduceTo(1)) == ReleaseAnswer.FREED;
    } catch (CompletionException | LockException e) {
      // There is no connection yet.
      return false;
    }
  }
}
