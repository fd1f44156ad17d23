/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.zookeeper.session.CurrentSession;
import io.holdfast.lock.zookeeper.session.ReacquireFastPath;
import io.holdfast.lock.zookeeper.session.ZooKeeperSession;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests when a queue need not be listed, and when it must. */
class ReacquireFastPathTest {

  private static final String LOCK = "/holdfast/lock/mine";

  private final ZooKeeperHarness harness = ZooKeeperHarness.slowlyCleaned();

  @AfterEach
  void stop() {
    harness.close();
  }

  private static ZooKeeperSession.Node node(int sequence, long czxid) {
    return node(sequence, czxid, 0);
  }

  private static ZooKeeperSession.Node node(int sequence, long czxid, long writes) {
    return new ZooKeeperSession.Node(LOCK + "/someone~%010d".formatted(sequence), czxid, writes);
  }

  @Test
  void aNodeDirectlyBehindOneOfOursIsTheFirst() {
    ReacquireFastPath fastPath = new ReacquireFastPath();
    assertFalse(fastPath.isFirst(LOCK, node(5, 100)));
    fastPath.gone(LOCK, node(5, 100));
    assertFalse(fastPath.isExpected(LOCK));
    assertTrue(fastPath.isFirst(LOCK, node(6, 106)));
    fastPath.gone(LOCK, node(6, 106));
    assertTrue(fastPath.isExpected(LOCK), "twice in a row");
    String elsewhere = "/holdfast/lock/elsewhere";
    assertFalse(fastPath.isFirst(elsewhere, node(1, 113)));
    assertFalse(fastPath.isExpected(LOCK), "too much has happened since");
    assertFalse(fastPath.isFirst(elsewhere, node(1, 112)));
    assertTrue(fastPath.isExpected(LOCK));
    assertFalse(fastPath.isFirst("/holdfast/lock/other", node(7, 108)));
    assertTrue(fastPath.isFirst(LOCK, node(7, 108)));
  }

  @Test
  void oneInBetweenEndsIt() {
    ReacquireFastPath fastPath = new ReacquireFastPath();
    fastPath.gone(LOCK, node(5, 100));
    fastPath.gone(LOCK, node(6, 102));
    assertFalse(fastPath.isFirst(LOCK, node(8, 105)));
    assertFalse(fastPath.isExpected(LOCK));
    fastPath.gone(LOCK, node(8, 105));
    assertFalse(fastPath.isExpected(LOCK));
    assertTrue(fastPath.isFirst(LOCK, node(9, 107)));
  }

  @Test
  void asManyTransactionsAsItTakesToCountAnewEndIt() {
    ReacquireFastPath fastPath = new ReacquireFastPath();
    fastPath.gone(LOCK, node(5, 100));
    assertFalse(fastPath.isFirst(LOCK, node(6, 107)));
    fastPath.gone(LOCK, node(6, 107));
    assertFalse(fastPath.isFirst(LOCK, node(7, 90)), "data that was set back");
    fastPath.gone(LOCK, node(8, 110));
    fastPath.forget();
    assertFalse(fastPath.isFirst(LOCK, node(9, 112)), "another connection");
  }

  /** The server behind the next one may have been set back, and count up to the same numbers. */
  @Test
  void sequencesSeenOverAConnectionAreForgottenWithIt() throws Exception {
    try (CuratorFramework curator =
        CuratorFrameworkFactory.newClient(harness.address(), new RetryOneTime(100))) {
      curator.start();
      assertTrue(curator.blockUntilConnected(10, TimeUnit.SECONDS));
      CurrentSession sessions = new CurrentSession(curator);
      ReacquireFastPath fastPath = sessions.connected(() -> "A test").fastPath();
      fastPath.gone(LOCK, node(5, 100));
      sessions.stateChanged(curator, ConnectionState.SUSPENDED);
      assertFalse(fastPath.isFirst(LOCK, node(6, 102)));
      fastPath.gone(LOCK, node(6, 102));
      sessions.stateChanged(curator, ConnectionState.RECONNECTED);
      assertFalse(fastPath.isFirst(LOCK, node(7, 104)));
      sessions.close();
    }
  }

  @Test
  void transactionsOfOurOwnMayBeInBetween() {
    ReacquireFastPath fastPath = new ReacquireFastPath();
    fastPath.gone(LOCK, node(5, 100, 10));
    assertTrue(fastPath.isFirst(LOCK, node(6, 1_000, 904)), "of 900 six were of others");
    assertFalse(fastPath.isFirst(LOCK, node(6, 1_000, 903)), "of 900 seven were of others");
  }

  /** A client may take another lock for each order, for years. */
  @Test
  void notEveryLockThatWasEverTakenIsRemembered() {
    ReacquireFastPath fastPath = new ReacquireFastPath();
    fastPath.gone(LOCK, node(5, 100));
    for (int i = 0; i < 20_000; i++) {
      fastPath.gone(LOCK + i, node(5, 100));
    }
    assertFalse(fastPath.isFirst(LOCK, node(6, 102)), "it would be, if it were remembered");
  }

  @Test
  void aLockAmongManyOfOneClientCostsTwoRequestsToo() throws Exception {
    LockClient client = harness.client();
    for (int round = 0; round < 3; round++) {
      takeEach(client);
    }
    long before = received();
    takeEach(client);
    long requests = received() - before;
    assertTrue(requests < 250, () -> requests + " requests for 100 locks");
  }

  private static void takeEach(LockClient client) throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      takeAndGiveBack(client, "lock-" + i, 1);
    }
  }

  @Test
  void aLockThatIsTakenAgainCostsTwoRequests() throws Exception {
    LockClient client = harness.client();
    takeAndGiveBack(client, "again", 10);
    long before = received();
    takeAndGiveBack(client, "again", 100);
    // Of which some are pings, and this look.
    long requests = received() - before;
    assertTrue(requests < 250, () -> requests + " requests for 100 times");
  }

  @Test
  void aLockThatOthersTakeInBetweenIsGrantedToOneAtATime() throws Exception {
    LockClient one = harness.client();
    LockClient two = harness.client();
    for (int i = 0; i < 5; i++) {
      takeAndGiveBack(one, "mine", 5);
      try (Lease held = two.lock("mine").acquire()) {
        assertTrue(one.lock("mine").tryAcquire().isEmpty());
        assertTrue(held.isValid());
      }
      takeAndGiveBack(two, "mine", 3);
    }
  }

  @Test
  void aQueueThatWasMadeAnewAndCountedUpByOthersIsListed() throws Exception {
    LockClient client = harness.client();
    takeAndGiveBack(client, "mine", 5);
    ZooKeeper administrator = harness.administrator();
    administrator.delete(LOCK, -1);
    create(administrator, LOCK, CreateMode.CONTAINER);
    for (int i = 0; i < 4; i++) {
      administrator.delete(contend(administrator), -1);
    }
    String owner = contend(administrator);
    assertEquals(LOCK + "/somebody~0000000004", owner);
    // Ours will be the fifth after the last that it had.
    assertTrue(client.lock("mine").tryAcquire().isEmpty());
    administrator.delete(owner, -1);
    client.lock("mine").acquire(ZooKeeperHarness.SOON).close();
  }

  private static String contend(ZooKeeper administrator) throws Exception {
    return create(administrator, LOCK + "/somebody~", CreateMode.EPHEMERAL_SEQUENTIAL);
  }

  private static String create(ZooKeeper administrator, String path, CreateMode mode)
      throws Exception {
    return administrator.create(path, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
  }

  private static void takeAndGiveBack(LockClient client, String name, int times)
      throws InterruptedException {
    for (int i = 0; i < times; i++) {
      client.lock(name).acquire(ZooKeeperHarness.SOON).close();
    }
  }

  private long received() {
    return harness
        .server
        .command("srvr")
        .lines()
        .filter(line -> line.startsWith("Received:"))
        .mapToLong(line -> Long.parseLong(line.substring("Received:".length()).trim()))
        .findFirst()
        .orElseThrow();
  }
}
