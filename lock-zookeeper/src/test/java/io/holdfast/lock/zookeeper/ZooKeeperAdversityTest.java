/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Ports;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.Settings;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers, strangers and settings at their worst. */
@Timeout(90)
class ZooKeeperAdversityTest {

  @TempDir Path data;

  private TestingServer server(int port, int longestSession) throws Exception {
    File directory = data.toFile();
    return new TestingServer(
        new InstanceSpec(
            directory,
            port,
            -1,
            -1,
            false,
            -1,
            250,
            100,
            Map.of("maxSessionTimeout", Integer.toString(longestSession)),
            "127.0.0.1"),
        true);
  }

  /** As after a rolling restart with another configuration. */
  @Test
  void aSessionThatTheServerShortensEndsItsLeases() throws Exception {
    // One that stays free while the server is stopped.
    int port = Ports.free();
    TestingServer server = server(port, 20_000);
    try (LockClient client = open(port)) {
      Lease lease = client.lock("a").acquire();
      server.stop();
      server = server(port, 1_000);
      Loss loss = lease.loss().get(12, TimeUnit.SECONDS);
      assertEquals(LossReason.SESSION_ENDED, loss.reason());
      assertTrue(client.lock("a").tryAcquire(Duration.ofSeconds(20)).isPresent());
    } finally {
      server.close();
    }
  }

  /** The next renewal would tell as well, but may come when the session is over. */
  @Test
  void aLeaseOfAShortenedSessionIsToldThoughNothingIsRenewed() throws Exception {
    int port = Ports.free();
    TestingServer server = server(port, 20_000);
    try (ZooKeeperBackend backend =
        (ZooKeeperBackend)
            new ZooKeeperLockProvider().open(new Settings("zookeeper", settings(port)))) {
      ShareAsker holder =
          new ShareAsker(
              backend, new ClaimRequest("a", "holder", Duration.ofMinutes(2), Share.LOCK));
      holder.granted();
      server.stop();
      // Long enough for a busy machine to keep it.
      server = server(port, 8_000);
      Conditions.until("the loss", Duration.ofSeconds(20), () -> holder.losses.get() == 1);
    } finally {
      server.close();
    }
  }

  private static LockClient open(int port) {
    return Locks.open("zookeeper", settings(port));
  }

  private static Map<String, String> settings(int port) {
    return Map.of("connect", "127.0.0.1:" + port, "session-timeout", "20s");
  }

  @Test
  void aStrangersNodeWithALargeNumberHurtsNobody() throws Exception {
    try (ZooKeeperHarness harness = new ZooKeeperHarness()) {
      LockClient client = harness.client();
      ZooKeeper administrator = harness.administrator();
      // The server removes the lock's node some time after the last that is in it.
      try (Lease held = client.lock("a").acquire()) {
        administrator.create(
            "/holdfast/lock/a/x~9999999999",
            new byte[0],
            ZooDefs.Ids.OPEN_ACL_UNSAFE,
            CreateMode.EPHEMERAL);
        assertTrue(held.isValid());
      }
      assertTrue(client.lock("a").tryAcquire(Duration.ofSeconds(20)).isPresent());
    }
  }

  @Test
  void aDurationTooLongToCountInIsRefused() throws Exception {
    try (ZooKeeperHarness harness = new ZooKeeperHarness()) {
      try {
        LockClient client = harness.client(Map.of("command-timeout", "200000d"));
        client.lock("a").acquire(Duration.ofSeconds(20)).close();
        client.close();
      } catch (LockConfigurationException e) {
        assertTrue(e.toString().contains("command-timeout"));
      }
    }
  }
}
