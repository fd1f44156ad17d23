/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static io.holdfast.lock.zookeeper.ZooKeeperHarness.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.curator.framework.listen.StandardListenerManager;
import org.apache.curator.framework.state.ConnectionStateListener;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** Tests that a client that was handed over stays as it was, and that one opened here ends. */
class BorrowedClientTest extends OneServerTestBase {

  private static CuratorFramework curator(String address, int sessionMillis) throws Exception {
    CuratorFramework curator =
        CuratorFrameworkFactory.builder()
            .connectString(address)
            .sessionTimeoutMs(sessionMillis)
            .connectionTimeoutMs(5_000)
            .namespace("tenant")
            .ensembleTracker(false)
            .retryPolicy(new RetryOneTime(100))
            .build();
    curator.start();
    assertTrue(curator.blockUntilConnected(10, TimeUnit.SECONDS));
    return curator;
  }

  private static int listeners(CuratorFramework curator) {
    return ((StandardListenerManager<ConnectionStateListener>)
            curator.getConnectionStateListenable())
        .size();
  }

  @Test
  void aBorrowedClientIsLeftAsItWas() throws Exception {
    try (CuratorFramework curator = curator(harness.address(), 10_000)) {
      long session = curator.getZookeeperClient().getZooKeeper().getSessionId();
      int listeners = listeners(curator);
      LockClient client = ZooKeeperLocks.using(curator);
      Lease held = client.lock("borrowed").acquire();
      CompletableFuture<Lease> waiting = client.lock("borrowed").acquireAsync();
      assertEquals(
          1, ZooKeeperHarness.contenders(administrator, "/tenant/holdfast/lock/borrowed").size());
      client.close();
      assertThrows(ExecutionException.class, () -> waiting.get(10, TimeUnit.SECONDS));
      assertFalse(held.isValid());
      assertEquals(List.of(), ZooKeeperHarness.contenders(administrator, "/tenant"));
      assertEquals(CuratorFrameworkState.STARTED, curator.getState());
      assertEquals(session, curator.getZookeeperClient().getZooKeeper().getSessionId());
      assertEquals(listeners, listeners(curator));
      Conditions.until(
          "no watch of ours is left",
          SOON,
          () -> watches().stream().noneMatch(path -> path.contains("holdfast")));
    }
  }

  private static Set<String> watches() {
    return harness
        .server
        .command("wchc")
        .lines()
        .map(String::trim)
        .filter(line -> line.startsWith("/"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void aLockNotReleasedAtCloseIsReleasedWhenTheServerIsBack() throws Exception {
    closeWhileTheServerIsAway(curator -> {});
  }

  /** A request that is made before that may wait in ZooKeeper's client, and be sent later. */
  @Test
  void aReleaseNotSentAtCloseIsSentWhenTheServerIsBack() throws Exception {
    closeWhileTheServerIsAway(
        curator -> Conditions.until("the loss is known", SOON, () -> !isConnected(curator)));
  }

  private static boolean isConnected(CuratorFramework curator) {
    try {
      return curator.getZookeeperClient().getZooKeeper().getState().isConnected();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void closeWhileTheServerIsAway(Consumer<CuratorFramework> beforeClose) throws Exception {
    TcpProxy link = harness.proxy();
    try (CuratorFramework curator = curator(link.host() + ":" + link.port(), 30_000)) {
      int listeners = listeners(curator);
      LockClient client =
          ZooKeeperLocks.using(
              curator, Map.of("command-timeout", "300ms"), ClientOptions.defaults());
      client.lock("left").acquire();
      // An attempt that was not answered in time may have left another, which is removed.
      Conditions.until(
          "one node",
          SOON,
          () -> ZooKeeperHarness.contenders(administrator, "/tenant").size() == 1);
      link.refuse();
      beforeClose.accept(curator);
      client.close();
      assertEquals(1, ZooKeeperHarness.contenders(administrator, "/tenant").size());
      link.heal();
      Conditions.until(
          "released", SOON, () -> ZooKeeperHarness.contenders(administrator, "/tenant").isEmpty());
      Conditions.until("no listener of ours", SOON, () -> listeners(curator) == listeners);
    }
  }

  @Test
  void aClientThatIsNotStartedIsRefused() {
    try (CuratorFramework curator =
        CuratorFrameworkFactory.newClient(harness.address(), new RetryOneTime(100))) {
      assertThrows(IllegalArgumentException.class, () -> ZooKeeperLocks.using(curator));
      curator.start();
      // Not connected yet, perhaps; that is no error.
      ZooKeeperLocks.using(curator).close();
    }
  }

  /** As by an application that ends its beans in another order. */
  @Test
  void aClientThatWasClosedFirstIsAnOutage() throws Exception {
    CuratorFramework curator = curator(harness.address(), 10_000);
    LockClient client = ZooKeeperLocks.using(curator);
    Lease held = client.lock("closed").acquire();
    curator.close();
    assertThrows(LockUnavailableException.class, () -> client.lock("another").tryAcquire());
    assertThrows(LockUnavailableException.class, () -> client.inspector().holder("closed"));
    client.close();
    assertFalse(held.isValid());
  }

  @Test
  void aSettingThatIsNotKnownIsRefused() {
    try (CuratorFramework curator =
        CuratorFrameworkFactory.newClient(harness.address(), new RetryOneTime(100))) {
      curator.start();
      for (String key : List.of("comand-timeout", "connect", "session-timeout")) {
        Map<String, String> settings = Map.of(key, "10s");
        LockException told =
            assertThrows(
                LockConfigurationException.class,
                () -> ZooKeeperLocks.using(curator, settings, ClientOptions.defaults()));
        assertTrue(told.toString().contains(key), told::toString);
      }
    }
  }

  /** The server knows no such scheme. To wait and to ask again would not help. */
  @Test
  void anIdentityThatIsRefusedIsNoOutage() {
    try (CuratorFramework curator =
        CuratorFrameworkFactory.builder()
            .connectString(harness.address())
            .authorization("unheard-of", "somebody".getBytes(StandardCharsets.UTF_8))
            .ensembleTracker(false)
            .retryPolicy(new RetryOneTime(100))
            .build()) {
      curator.start();
      Conditions.until("the refusal", SOON, () -> isRefused(curator));
      LockClient client = harness.closing(ZooKeeperLocks.using(curator));
      LockException told =
          assertThrows(LockRejectedException.class, () -> client.lock("identity").tryAcquire());
      assertTrue(told.toString().contains("'auth'"), told::toString);
      client.close();
    }
  }

  private static boolean isRefused(CuratorFramework curator) {
    try {
      return curator.getZookeeperClient().getZooKeeper().getState() == ZooKeeper.States.AUTH_FAILED;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void nothingRunsAfterClose() throws Exception {
    harness.client().lock("warm").acquire().close();
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    for (int i = 0; i < 3; i++) {
      LockClient client = harness.client();
      client.lock("threads").acquire();
      client.lock("threads").acquireAsync();
      client.close();
    }
    noNewThread(before);
    assertEquals(List.of(), ZooKeeperHarness.contenders(administrator, "/holdfast/lock/threads"));
  }

  private static void noNewThread(Set<Thread> before) {
    Conditions.until(
        "no new thread",
        SOON,
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .allMatch(before::contains));
  }

  @Test
  void nothingRunsAfterAnOpeningThatFailed() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    for (int i = 0; i < 3; i++) {
      Map<String, String> misspelt = Map.of("connect", harness.address() + "/misspelt");
      assertThrows(LockRejectedException.class, () -> harness.client(misspelt));
    }
    noNewThread(before);
  }

  @Test
  void anInterruptEndsTheOpeningAndStaysSet() {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    Map<String, String> away = Map.of("connect", "127.0.0.1:1", "connect-timeout", "60s");
    Thread.currentThread().interrupt();
    LockException told = assertThrows(LockUnavailableException.class, () -> harness.client(away));
    assertTrue(Thread.interrupted());
    assertTrue(told.toString().contains("Interrupted while connecting"), told::toString);
    noNewThread(before);
  }

  @Test
  void anInterruptStaysSetWhenTheClientIsClosed() throws Exception {
    LockClient client = harness.client();
    client.lock("interrupted").acquire();
    Thread.currentThread().interrupt();
    client.close();
    assertTrue(Thread.interrupted());
    Conditions.until(
        "its lock is free",
        SOON,
        () -> ZooKeeperHarness.contenders(administrator, "/holdfast/lock/interrupted").isEmpty());
  }

  @Test
  void closingIsBoundedWhenTheServerStandsStill() throws Exception {
    LockClient client = harness.client(Map.of("command-timeout", "400ms", "session-timeout", "2s"));
    client.lock("frozen").acquire();
    harness.server.suspend();
    try {
      long began = System.nanoTime();
      client.close();
      long took = (System.nanoTime() - began) / 1_000_000;
      assertTrue(took < 10_000, () -> took + " ms");
    } finally {
      harness.server.resume();
    }
    Conditions.until(
        "the session's node goes",
        SOON,
        () -> ZooKeeperHarness.contenders(administrator, "/holdfast/lock/frozen").isEmpty());
  }
}
