/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

class ZooKeeperServerTest {

  private static final Duration TICK = Duration.ofMillis(200);

  /** Of a session that is used: a short one may end while a busy machine starts a thread. */
  private static final int LONG_MILLIS = 30_000;

  @Test
  void keepsPortAndDataThroughAKillAndGrantsShortSessions() throws Exception {
    try (ZooKeeperServer server = ZooKeeperServer.launch(TICK)) {
      int port = server.port();
      assertTrue(server.describe().startsWith("ZooKeeper 3."), server.describe());
      ZooKeeper brief = connect(server, 100);
      assertEquals(400, brief.getSessionTimeout());
      brief.close();
      ZooKeeper client = connect(server, LONG_MILLIS);
      client.create("/kept", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
      client.close();

      server.kill();
      assertThrows(UncheckedIOException.class, () -> server.command("srvr"));
      server.start();
      assertEquals(port, server.port());
      assertTrue(exists(server, "/kept"));

      server.stop();
      server.wipe();
      server.start();
      assertTrue(!exists(server, "/kept"));
    }
  }

  @Test
  void answersFourLetterWordsAndCanBeSuspended() throws IOException {
    try (ZooKeeperServer server = ZooKeeperServer.launch(TICK)) {
      assertEquals("imok", server.command("ruok"));
      server.suspend();
      assertTrue(Silence.of(server, "ruok"));
      server.resume();
      assertEquals("imok", server.command("ruok"));
    }
  }

  private static boolean exists(ZooKeeperServer server, String path) throws Exception {
    ZooKeeper client = connect(server, LONG_MILLIS);
    try {
      return client.exists(path, false) != null;
    } finally {
      client.close();
    }
  }

  private static ZooKeeper connect(ZooKeeperServer server, int sessionMillis) throws Exception {
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            server.host() + ":" + server.port(),
            sessionMillis,
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
              }
            });
    assertTrue(connected.await(30, TimeUnit.SECONDS));
    return client;
  }
}
