/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.zookeeper.lock.ZooKeeperClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** Requests whose answers never come. */
class UnknownOutcomeTest extends OneServerTestBase {

  private static final ClaimSignals DEAF =
      new ClaimSignals() {
        @Override
        public void wake() {}

        @Override
        public void lost(LossReason reason) {}
      };

  private void nothingIsLeft() {
    Conditions.until(
        "no node is left",
        SOON,
        () -> ZooKeeperHarness.contenders(administrator, "/holdfast").isEmpty());
  }

  @Test
  void aNodeWhoseCreationWasNotConfirmedIsRemoved() throws Exception {
    TcpProxy link = harness.proxy();
    try (LockClient client = harness.client(link)) {
      for (int i = 0; i < 5; i++) {
        // Something else may be answered in between: a ping, or the reply to a renewal.
        link.loseNextReply();
        try {
          Optional<Lease> lease = client.lock("create").tryAcquire();
          lease.ifPresent(Lease::close);
        } catch (LockException expected) {
          nothingIsLeft();
        }
        link.heal();
        client.lock("create").acquire(SOON).close();
        nothingIsLeft();
      }
    }
  }

  @Test
  void aWaiterGoesOnAfterALostReply() throws Exception {
    TcpProxy link = harness.proxy();
    try (LockClient client = harness.client(link)) {
      link.loseNextReply();
      client.lock("go on").acquire(SOON).close();
      nothingIsLeft();
    }
  }

  @Test
  void aReleaseWhoseAnswerIsLostIsCarriedOutOnce() throws Exception {
    TcpProxy link = harness.proxy();
    try (LockClient client = harness.client(link);
        LockClient other = harness.client()) {
      for (int i = 0; i < 5; i++) {
        Lease lease = client.lock("release").acquire(SOON);
        link.loseNextReply();
        lease.release();
        try (Lease next = other.lock("release").acquire(SOON)) {
          link.heal();
          Conditions.stays("nobody takes it away", Duration.ofMillis(100), next::isValid);
        }
      }
      nothingIsLeft();
    }
  }

  /** The create is sent, the caller is told that it failed, and it is carried out afterwards. */
  @Test
  void aRequestThatIsCarriedOutLateIsUndone() throws Exception {
    TcpProxy link = harness.proxy();
    try (LockClient client =
        harness.client(
            Map.of(
                "connect",
                link.host() + ":" + link.port(),
                "command-timeout",
                "1s",
                "session-timeout",
                "10s"))) {
      for (int i = 0; i < 5; i++) {
        client.lock("warm").acquire(SOON).close();
        link.stall(Direction.TO_SERVER);
        try {
          client.lock("late").tryAcquire().ifPresent(Lease::close);
        } catch (LockException expected) {
          // Nothing could be known at that time.
        }
        link.heal();
        client.lock("late").acquire(SOON).close();
        nothingIsLeft();
        Conditions.stays(
            "nothing comes later",
            Duration.ofMillis(200),
            () -> ZooKeeperHarness.contenders(administrator, "/holdfast").isEmpty());
      }
    }
  }

  @Test
  void aReleaseThatFailedIsMadeGoodWhenTheConnectionIsBack() throws Exception {
    TcpProxy link = harness.proxy();
    try (LockClient client = harness.client(link, ZooKeeperHarness.LASTING)) {
      Lease lease = client.lock("back").acquire();
      link.refuse();
      lease.release();
      assertEquals(1, ZooKeeperHarness.contenders(administrator, "/holdfast").size());
      link.heal();
      nothingIsLeft();
    }
  }

  /** The create is on its way when its session ends; another session has to clean up. */
  @Test
  void aRequestOfASessionThatEndsMeanwhileIsUndone() throws Exception {
    TcpProxy link = harness.proxy();
    try (CuratorFramework curator =
            CuratorFrameworkFactory.builder()
                .connectString(link.host() + ":" + link.port())
                .sessionTimeoutMs((int) ZooKeeperHarness.SESSION.toMillis())
                .connectionTimeoutMs((int) ZooKeeperHarness.SESSION.toMillis())
                .ensembleTracker(false)
                .retryPolicy(new RetryOneTime(100))
                .build();
        LockClient client = using(curator)) {
      for (int i = 0; i < 3; i++) {
        client.lock("warm").acquire(SOON).close();
        link.stall(Direction.TO_SERVER);
        CompletableFuture<Lease> wanted = client.lock("ended").acquireAsync();
        ZooKeeper handle = curator.getZookeeperClient().getZooKeeper();
        handle.getTestable().injectSessionExpiration();
        wanted.cancel(true);
        link.heal();
        client.lock("ended").acquire(SOON).close();
        nothingIsLeft();
      }
      Conditions.stays(
          "nothing comes later",
          ZooKeeperHarness.SESSION,
          () -> ZooKeeperHarness.contenders(administrator, "/holdfast").isEmpty());
    }
  }

  /**
   * The share that a node asks for is in its name, so a downgrade makes another node in its place.
   */
  @Test
  void aReleaseFindsTheNodeOfADowngradeThatWasNotAnswered() {
    TcpProxy link = harness.proxy();
    ZooKeeperBackend backend = harness.backend(link);
    ZooKeeperClaim writer = granted(backend, "downgrade", Share.WRITE);
    link.stallExisting(Direction.TO_CLIENT);
    CompletableFuture<ReleaseAnswer> downgrade = writer.reduceTo(1).toCompletableFuture();
    Conditions.until(
        "it is carried out",
        SOON,
        () ->
            ZooKeeperHarness.contenders(administrator, "/holdfast").stream()
                .anyMatch(node -> node.contains("~1of")));
    link.cut();
    assertThrows(CompletionException.class, downgrade::join);
    Conditions.until("there is a connection again", SOON, () -> isConnected(backend));
    assertEquals(ReleaseAnswer.FREED, writer.release().toCompletableFuture().join());
    nothingIsLeft();
  }

  @Test
  void aReleaseWhoseAnswerWasLostCountsAsOursWhenItIsRepeated() {
    TcpProxy link = harness.proxy();
    ZooKeeperBackend backend = harness.backend(link);
    ZooKeeperClaim claim = granted(backend, "repeated", Share.LOCK);
    link.stallExisting(Direction.TO_CLIENT);
    CompletableFuture<ReleaseAnswer> unanswered = claim.release().toCompletableFuture();
    nothingIsLeft();
    link.cut();
    assertThrows(CompletionException.class, unanswered::join);
    Conditions.until("there is a connection again", SOON, () -> isConnected(backend));
    assertEquals(ReleaseAnswer.FREED, claim.release().toCompletableFuture().join());
  }

  /** A refused request was not carried out, so it was not what has taken the node away. */
  @Test
  void aReleaseThatWasRefusedDoesNotCountAsOurs() throws Exception {
    ZooKeeperBackend backend = harness.backend(harness.proxy());
    ZooKeeperClaim claim = granted(backend, "refused", Share.LOCK);
    ZooKeeper operator = harness.administrator();
    operator.addAuthInfo("digest", "operator:its-secret".getBytes(UTF_8));
    String queue = "/holdfast/lock/refused";
    operator.setACL(queue, ZooDefs.Ids.CREATOR_ALL_ACL, -1);
    CompletableFuture<ReleaseAnswer> refused = claim.release().toCompletableFuture();
    CompletionException failure = assertThrows(CompletionException.class, refused::join);
    assertInstanceOf(LockRejectedException.class, failure.getCause());
    operator.delete(queue + "/" + operator.getChildren(queue, false).get(0), -1);
    operator.setACL(queue, ZooDefs.Ids.OPEN_ACL_UNSAFE, -1);
    assertEquals(ReleaseAnswer.NOT_OURS, claim.release().toCompletableFuture().join());
  }

  /** A session proves nothing about a node, so only a watch tells that it was deleted. */
  @Test
  void aWatchThatWasNotAnsweredIsSetByTheNextRenewal() throws Exception {
    TcpProxy link = harness.proxy();
    ZooKeeperBackend backend = harness.backend(link);
    ShareAsker holder =
        new ShareAsker(
            backend, new ClaimRequest("watched", "owner-1", Duration.ofMinutes(2), Share.LOCK));
    holder.granted();
    // A tenth of a second after the grant, the client asks for the watch.
    link.stall(Direction.TO_SERVER);
    Conditions.stays("held", Duration.ofMillis(500), () -> holder.losses.get() == 0);
    link.cut();
    link.heal();
    Conditions.until(
        "a renewal", SOON, () -> renewed(backend, holder.claim) instanceof RenewalAnswer.Extended);
    administrator.delete(
        ZooKeeperHarness.contenders(administrator, "/holdfast/lock/watched").get(0), -1);
    Conditions.until("the loss", SOON, () -> holder.losses.get() == 1);
  }

  private static RenewalAnswer renewed(ZooKeeperBackend backend, ZooKeeperClaim claim) {
    Duration ttl = Duration.ofMinutes(2);
    return ShareAsker.join(backend.renew(List.of(new RenewalRequest<>(claim, ttl, ttl)))).get(0);
  }

  private static ZooKeeperClaim granted(ZooKeeperBackend backend, String name, Share share) {
    ZooKeeperClaim claim =
        backend.claim(new ClaimRequest(name, "owner-1", Duration.ofMinutes(2), share), DEAF);
    assertInstanceOf(Attempt.Granted.class, claim.attempt().toCompletableFuture().join());
    return claim;
  }

  private static boolean isConnected(ZooKeeperBackend backend) {
    try {
      return backend
          .inspection()
          .orElseThrow()
          .holder("downgrade")
          .handle((holder, failure) -> failure == null)
          .toCompletableFuture()
          .join();
    } catch (LockException e) {
      return false;
    }
  }

  private static LockClient using(CuratorFramework curator) throws InterruptedException {
    curator.start();
    curator.blockUntilConnected();
    return ZooKeeperLocks.using(curator);
  }
}
