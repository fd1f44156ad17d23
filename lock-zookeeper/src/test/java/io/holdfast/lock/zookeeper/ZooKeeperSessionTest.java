/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ZooKeeperHarness.LASTING;
import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SESSION;
import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Retry;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Tests a lease whose session is in danger, or over. */
class ZooKeeperSessionTest extends OneServerTestBase {

  /** That of a holder whose session is to end, which has to last until the test ends it. */
  private static final Duration HOLDERS = Duration.ofSeconds(4);

  private CuratorFramework curator(Duration session) throws Exception {
    CuratorFramework curator =
        CuratorFrameworkFactory.newClient(
            harness.address(), (int) session.toMillis(), 5_000, new RetryOneTime(100));
    curator.start();
    assertTrue(curator.blockUntilConnected(20, TimeUnit.SECONDS));
    return curator;
  }

  /** As an administrator, or a client that has stolen the session, would. */
  private void endAtServer(CuratorFramework curator) throws Exception {
    ZooKeeper handle = curator.getZookeeperClient().getZooKeeper();
    ZooKeeperHarness.connect(harness.address(), handle.getSessionId(), handle.getSessionPasswd())
        .close();
  }

  @Test
  void theNegotiatedTimeOutCountsAndNotTheAskedOne() throws Exception {
    Duration least = Duration.ofSeconds(9);
    Map<String, String> slow = Map.of("minSessionTimeout", Long.toString(least.toMillis()));
    try (ZooKeeperHarness patience = new ZooKeeperHarness(slow);
        LockClient impatient = patience.client(Map.of("session-timeout", "1s"));
        Lease lease = impatient.lock("short").acquire()) {
      assertTrue(lease.remaining().compareTo(least) < 0, () -> "" + lease.remaining());
      assertTrue(lease.remaining().toMillis() > least.toMillis() / 4, () -> "" + lease.remaining());
      Conditions.stays("renewed", least.plusSeconds(3), lease::isValid);
    }
    try (LockClient patient = harness.client(Map.of("session-timeout", "10m"));
        Lease lease = patient.lock("long").acquire()) {
      Duration most = Duration.ofSeconds(60);
      assertTrue(lease.remaining().compareTo(most) < 0, () -> "" + lease.remaining());
    }
  }

  @Test
  void aSessionThatIsEndedAtTheServerLosesItsLeasesAtOnce() throws Exception {
    CuratorFramework curator = harness.closing(curator(LASTING));
    LockClient client = harness.closing(ZooKeeperLocks.using(curator));
    Lease one = client.lock("ended").acquire();
    Lease two = client.lock("ended too").acquire();
    LockClient other = harness.client();
    CompletableFuture<Lease> next = other.lock("ended").acquireAsync();
    endAtServer(curator);
    Lease taken = ZooKeeperHarness.get(next);
    // The client learns of it when it connects again, for which it takes up to a second.
    assertEquals(LossReason.SESSION_ENDED, ZooKeeperHarness.get(one.loss()).reason());
    assertEquals(LossReason.SESSION_ENDED, ZooKeeperHarness.get(two.loss()).reason());
    assertFalse(one.isValid());
    assertEquals(ReleaseOutcome.ALREADY_LOST, one.release());
    assertTrue(taken.isValid());
    taken.close();
    try (Lease again = client.lock("ended").acquire(SOON)) {
      assertTrue(again.fencingToken() > taken.fencingToken());
      assertFalse(one.isValid());
    }
  }

  /** The one ahead may be the same as before, and nothing of the old session watches it. */
  @Test
  void aWaiterWhoseSessionHasEndedWatchesInTheNext() throws Exception {
    Duration seldom = Duration.ofSeconds(60);
    LockOptions noPolls =
        LockOptions.defaults().withRetry(Retry.defaults().withPauses(seldom, seldom).withJitter(0));
    Lease held = harness.client().lock("next").acquire();
    CuratorFramework curator = harness.closing(curator(LASTING));
    LockClient client = harness.closing(ZooKeeperLocks.using(curator));
    AtomicInteger refused = new AtomicInteger();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.Contended) {
            refused.incrementAndGet();
          }
        });
    CompletableFuture<Lease> next = client.lock("next", noPolls).acquireAsync();
    Conditions.until("refused", SOON, () -> refused.get() == 1);
    endAtServer(curator);
    Conditions.until("refused in the next session", SOON, () -> refused.get() > 1);
    held.close();
    ZooKeeperHarness.get(next).close();
  }

  /** CURATOR-604: a grant on the dying node of the session before. */
  @Test
  void everyNewSessionHasNodesOfItsOwn() throws Exception {
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String name = "renewed-" + i;
      running.add(
          CompletableFuture.runAsync(() -> endSessionsOf(name), task -> new Thread(task).start()));
    }
    CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).get(2, TimeUnit.MINUTES);
    Conditions.until(
        "nothing is left",
        SOON,
        () -> ZooKeeperHarness.contenders(administrator, "/holdfast").isEmpty());
  }

  private void endSessionsOf(String name) {
    try (CuratorFramework curator = curator(SESSION.multipliedBy(2));
        LockClient client = ZooKeeperLocks.using(curator)) {
      for (int i = 0; i < 10; i++) {
        Lease lease = client.lock(name).acquire(SOON);
        if (i % 2 == 0) {
          endAtServer(curator);
        } else {
          curator.getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
        }
        Lease next = client.lock(name).acquire(SOON);
        assertFalse(lease.isValid(), "two leases of one lock");
        long session = curator.getZookeeperClient().getZooKeeper().getSessionId();
        List<String> nodes = ZooKeeperHarness.contenders(administrator, "/holdfast/lock/" + name);
        boolean owned =
            nodes.stream()
                .anyMatch(node -> node.contains(next.ownerId()) && owner(node) == session);
        assertTrue(owned, "granted on a node of another session: " + nodes);
        next.close();
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private long owner(String path) {
    try {
      var stat = administrator.exists(path, false);
      return stat == null ? 0 : stat.getEphemeralOwner();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @RepeatedTest(2)
  void aStalledHolderKnowsBeforeAnybodyElseGetsTheLock() throws Exception {
    TcpProxy link = harness.proxy();
    Lease lease = harness.client(link, HOLDERS).lock("stall").acquire();
    CompletableFuture<Long> taken =
        harness.client().lock("stall").acquireAsync().thenApply(next -> System.nanoTime());
    Conditions.until(
        "both are there",
        SOON,
        () -> ZooKeeperHarness.contenders(administrator, "/holdfast").size() == 2);
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    long lastValid = lastValid(lease);
    long gap = ZooKeeperHarness.get(taken) - lastValid;
    System.out.printf("Stalled holder: valid until %d ms before the grant%n", gap / 1_000_000);
    assertTrue(gap > 0, "overlap");
    link.heal();
    Conditions.stays("stays invalid", Duration.ofMillis(500), () -> !lease.isValid());
  }

  /** The clock is read before each look, so a machine that stands still makes no overlap. */
  static long lastValid(Lease lease) {
    AtomicLong last = new AtomicLong(System.nanoTime());
    Conditions.until(
        "the holder's validity has ended",
        SOON,
        () -> {
          long now = System.nanoTime();
          if (!lease.isValid()) {
            return true;
          }
          last.set(now);
          return false;
        });
    return last.get();
  }

  @Test
  void aCutIsSurvivedByTheSession() throws Exception {
    TcpProxy link = harness.proxy();
    Lease lease = harness.client(link, LASTING).lock("cut").acquire();
    for (int i = 0; i < 3; i++) {
      link.cut();
      Conditions.stays("valid", Duration.ofSeconds(2), lease::isValid);
    }
    Duration before = lease.remaining();
    Conditions.until("renewed again", SOON, () -> lease.remaining().compareTo(before) > 0);
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
  }

  @Test
  void aWaiterSurvivesARestartOfTheServer() throws Exception {
    Map<String, String> brief = Map.of("session-timeout", HOLDERS.toSeconds() + "s");
    Lease held = harness.client(brief).lock("restart").acquire();
    CompletableFuture<Lease> next = harness.client().lock("restart").acquireAsync();
    Conditions.until(
        "both are there",
        SOON,
        () -> ZooKeeperHarness.contenders(administrator, "/holdfast").size() == 2);
    harness.server.kill();
    Conditions.until("the holder's validity has ended", SOON, () -> !held.isValid());
    harness.server.start();
    Lease lease = ZooKeeperHarness.get(next);
    assertTrue(lease.fencingToken() > held.fencingToken());
    lease.close();
  }

  @Test
  void aFrozenServerMakesNobodyWaitLongerThanTheCommandTimeOut() throws Exception {
    LockClient client = harness.client(Map.of("command-timeout", "300ms"));
    client.lock("warm").acquire().close();
    harness.server.suspend();
    try {
      long began = System.nanoTime();
      assertThrows(LockUnavailableException.class, () -> client.lock("frozen").tryAcquire());
      long took = (System.nanoTime() - began) / 1_000_000;
      // Long before the session would end.
      assertTrue(took < 10_000, () -> took + " ms");
    } finally {
      harness.server.resume();
    }
    Conditions.until(
        "nothing is left",
        SOON,
        () -> ZooKeeperHarness.contenders(administrator, "/holdfast").isEmpty());
    client.lock("frozen").acquire(SOON).close();
  }

  @Test
  void optionsOfABorrowedClientAreTaken() throws Exception {
    LockClient client =
        harness.closing(
            ZooKeeperLocks.using(
                harness.closing(curator(LASTING)),
                Map.of("namespace", "other", "root", "/elsewhere"),
                ClientOptions.defaults().withClientName("mine")));
    try (Lease lease = client.lock("x").acquire()) {
      assertTrue(lease.ownerId().startsWith("mine"));
      assertEquals(1, ZooKeeperHarness.contenders(administrator, "/elsewhere/other/x").size());
    }
  }
}
