/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ShareAsker.join;
import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.LockException;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.support.Failures;
import io.holdfast.lock.zookeeper.queue.LockPaths;
import io.holdfast.lock.zookeeper.session.CurrentSession;
import io.holdfast.lock.zookeeper.session.SessionRequests;
import io.holdfast.lock.zookeeper.session.ZooKeeperSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** Tests the remains of claims that end, whatever they have come to. */
class ClaimEndsTest extends OneServerTestBase {

  private static final Duration TTL = Duration.ofMinutes(2);

  private int owners;

  private ShareAsker asker(ZooKeeperBackend backend, Share share) {
    return new ShareAsker(backend, new ClaimRequest("ends", "owner-" + ++owners, TTL, share));
  }

  private List<String> nodes() {
    return ZooKeeperHarness.contenders(administrator, "/holdfast/lock/ends");
  }

  /** An attempt may be asked for when its waiter gives up. */
  @Test
  void anAttemptAfterTheReleaseTakesNoPlace() {
    ShareAsker asker = asker(harness.backend(), Share.LOCK);
    assertEquals(ReleaseAnswer.NOT_OURS, join(asker.claim.release()));
    asker.contended();
    assertEquals(List.of(), nodes());
    ShareAsker holder = asker(harness.backend(), Share.LOCK);
    holder.granted();
    holder.freed();
    holder.contended();
    assertEquals(List.of(), nodes());
  }

  /** It would be repeated until there is a connection again. */
  @Test
  void aClaimThatSentNothingEndsWithoutTheServer() {
    TcpProxy link = harness.proxy();
    ZooKeeperBackend backend = harness.backend(link);
    link.refuse();
    Conditions.until("no connection", SOON, () -> isCutOff(backend));
    assertEquals(ReleaseAnswer.NOT_OURS, join(asker(backend, Share.LOCK).claim.release()));
  }

  /** A request that has failed says less: the client may not know yet that all others would. */
  private static boolean isCutOff(ZooKeeperBackend backend) {
    try {
      join(backend.inspection().orElseThrow().holder("ends"));
      return false;
    } catch (CompletionException e) {
      return Failures.cause(e).toString().contains("there is no connection");
    }
  }

  /**
   * The server keeps a session that the client has given up, and its nodes, for the time-out.
   * Nobody would be granted the lock meanwhile.
   */
  @Test
  void aNodeOfASessionThatWasGivenUpIsDeletedInTheNext() throws Exception {
    TcpProxy link = harness.proxy();
    CuratorFramework curator =
        new SeenRequests().curator(harness, ZooKeeperHarness.addressOf(link));
    curator.blockUntilConnected();
    CurrentSession sessions = new CurrentSession(curator);
    ZooKeeperBackend backend =
        harness.closing(
            new ZooKeeperBackend(
                new SessionRequests(
                    sessions,
                    new LockPaths("/holdfast", "lock"),
                    ZooDefs.Ids.OPEN_ACL_UNSAFE,
                    Duration.ofSeconds(5)),
                () -> {}));
    ShareAsker holder = asker(backend, Share.LOCK);
    holder.granted();
    ZooKeeperSession before = sessions.connected(() -> "A test");
    ZooKeeper handle = curator.getZookeeperClient().getZooKeeper();
    // While it is connected, it may tell the server that it gives the session up.
    link.refuse();
    Conditions.until("no connection", SOON, () -> !handle.getState().isConnected());
    handle.getTestable().injectSessionExpiration();
    link.heal();
    Conditions.until("another session", SOON, () -> isAnother(sessions, before));
    assertEquals(1, nodes().size());
    assertEquals(ReleaseAnswer.NOT_OURS, join(holder.claim.release()));
    assertEquals(List.of(), nodes());
  }

  private static boolean isAnother(CurrentSession sessions, ZooKeeperSession before) {
    try {
      return !sessions.connected(() -> "A test").equals(before);
    } catch (LockException e) {
      return false;
    }
  }

  /** Of several ahead, those are watched that leave too little; these change as some go. */
  @Test
  void aClaimThatIsNotWaitedForAnyMoreIsNotWatched() {
    ZooKeeperBackend backend = harness.backend();
    ShareAsker first = asker(backend, Share.of(3, 5));
    ShareAsker goes = asker(backend, Share.of(1, 5));
    ShareAsker stays = asker(backend, Share.of(2, 5));
    ShareAsker waiter = asker(backend, Share.of(3, 5));
    first.granted();
    goes.granted();
    stays.contended();
    waiter.contended();
    goes.freed();
    waiter.woken(1);
    // Behind the first it does not fit, whatever becomes of the one in between.
    waiter.contended();
    assertEquals(ReleaseAnswer.NOT_OURS, join(stays.claim.release()));
    assertEquals(1, waiter.wakes.get());
    first.freed();
    waiter.woken(2);
    waiter.granted();
    waiter.freed();
  }
}
