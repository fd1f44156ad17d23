/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.servers.ChildJvm;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A leader whose followers are silent takes itself for the leader until {@code syncLimit} has
 * passed. Meanwhile it answers pings, reads and {@code sync}, while the others may have elected
 * another.
 */
class SilentFollowersTest {

  private static final Duration TICK = Duration.ofMillis(500);
  private static final Duration SESSION = Duration.ofSeconds(9);

  /** Twice as long as a session lasts. */
  private static final int SYNC_LIMIT_TICKS = 36;

  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final List<ChildJvm> members = new ArrayList<>();
  private final List<Integer> ports = new ArrayList<>();

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    StringBuilder ensemble = new StringBuilder();
    for (int id = 1; id <= 3; id++) {
      ports.add(Ports.free());
      ensemble.append("server.%d=127.0.0.1:%d:%d%n".formatted(id, Ports.free(), Ports.free()));
    }
    for (int id = 1; id <= 3; id++) {
      Path data = Files.createDirectory(directory.resolve("m" + id));
      Files.writeString(data.resolve("myid"), Integer.toString(id));
      String config =
          """
          dataDir=%s
          clientPort=%d
          clientPortAddress=127.0.0.1
          tickTime=%d
          initLimit=%d
          syncLimit=%d
          admin.enableServer=false
          4lw.commands.whitelist=*
          %s"""
              .formatted(
                  data,
                  ports.get(id - 1),
                  TICK.toMillis(),
                  SYNC_LIMIT_TICKS,
                  SYNC_LIMIT_TICKS,
                  ensemble);
      Path file = Files.writeString(data.resolve("zoo.cfg"), config);
      members.add(ChildJvm.start(List.of("-Xmx128m"), QuorumPeerMain.class, file.toString()));
    }
    Conditions.until("a leader", PATIENCE, () -> having("leader").size() == 1);
    Conditions.until("two followers", PATIENCE, () -> having("follower").size() == 2);
  }

  @AfterEach
  void stop() {
    members.forEach(ChildJvm::close);
  }

  private List<Integer> having(String mode) {
    return IntStream.range(0, ports.size())
        .filter(i -> status(ports.get(i)).contains("Mode: " + mode))
        .boxed()
        .toList();
  }

  private static String status(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(2_000);
      socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void aLeaderAloneKeepsNobodyBelieving() throws Exception {
    int leader = having("leader").get(0);
    String address = "127.0.0.1:" + ports.get(leader);
    try (LockClient client =
        Locks.open(
            "zookeeper",
            Map.of(
                "connect",
                address,
                "session-timeout",
                SESSION.toMillis() + "ms",
                "connect-timeout",
                "30s"))) {
      Lease lease = client.lock("alone").acquire();
      // For longer than a lease is worth that nobody renews.
      Conditions.stays("held", Duration.ofSeconds(7), lease::isValid);
      for (int i = 0; i < members.size(); i++) {
        if (i != leader) {
          members.get(i).suspend();
        }
      }
      long silent = System.nanoTime();
      Duration believed = Duration.ofNanos(ZooKeeperSessionTest.lastValid(lease) - silent);
      LossReason reason = lease.loss().get(PATIENCE.toSeconds(), TimeUnit.SECONDS).reason();
      assertEquals(LossReason.UNREACHABLE, reason);
      assertTrue(believed.compareTo(SESSION) < 0, "believed for " + believed);
      assertTrue(
          status(ports.get(leader)).contains("Mode: leader"),
          "the leader has noticed, so that nothing was tried");
    }
  }
}
