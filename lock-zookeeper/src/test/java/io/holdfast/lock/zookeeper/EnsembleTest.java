/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three servers, of which some go away. */
class EnsembleTest {

  private static final int TICK_MILLIS = 250;

  /** Longer than it takes to connect to another server, on a busy machine too. */
  private static final Duration SESSION = Duration.ofSeconds(8);

  /** Otherwise a server grants twenty ticks. */
  private static final Map<String, Object> GRANTED =
      Map.of("maxSessionTimeout", Long.toString(SESSION.toMillis()));

  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final List<LockClient> clients = new ArrayList<>();
  private TestingCluster cluster;

  @BeforeEach
  void start() throws Exception {
    List<InstanceSpec> servers =
        Stream.generate(
                () ->
                    // On ports that stay free while a server is stopped.
                    new InstanceSpec(
                        null,
                        Ports.free(),
                        Ports.free(),
                        Ports.free(),
                        true,
                        -1,
                        TICK_MILLIS,
                        1_000,
                        GRANTED,
                        "127.0.0.1"))
            .limit(3)
            .toList();
    cluster = new TestingCluster(servers);
    cluster.start();
    Conditions.until("a leader", PATIENCE, () -> servers("leader").size() == 1);
    Conditions.until("two followers", PATIENCE, () -> servers("follower").size() == 2);
  }

  @AfterEach
  void stop() throws Exception {
    clients.forEach(LockClient::close);
    cluster.close();
  }

  private LockClient client(String connect) {
    LockClient client =
        Locks.open(
            "zookeeper",
            Map.of(
                "connect",
                connect,
                "session-timeout",
                SESSION.toMillis() + "ms",
                "connect-timeout",
                "30s"));
    clients.add(client);
    return client;
  }

  private List<InstanceSpec> servers(String mode) {
    return cluster.getInstances().stream()
        .filter(server -> answer(server, "srvr").contains("Mode: " + mode))
        .toList();
  }

  private static String address(InstanceSpec server) {
    return "127.0.0.1:" + server.getPort();
  }

  private static String answer(InstanceSpec server, String word) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
      socket.setSoTimeout(2_000);
      socket.getOutputStream().write(word.getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void aLeaseSurvivesTheDeathOfTheServerThatItsClientIsConnectedTo() throws Exception {
    InstanceSpec follower = servers("follower").get(0);
    String others =
        cluster.getInstances().stream()
            .filter(server -> !server.equals(follower))
            .map(EnsembleTest::address)
            .reduce((a, b) -> a + "," + b)
            .orElseThrow();
    LockClient client = client(address(follower));
    LockClient other = client(others);
    long token = 0;
    for (int i = 0; i < 3; i++) {
      try (Lease lease = client.lock("follower").acquire()) {
        assertTrue(lease.fencingToken() > token);
        token = lease.fencingToken();
      }
      try (Lease lease = other.lock("follower").acquire()) {
        assertTrue(lease.fencingToken() > token);
        token = lease.fencingToken();
      }
    }
    LockClient roaming = client(address(follower) + "," + others);
    Lease held = roaming.lock("roaming").acquire();
    CompletableFuture<Lease> next = other.lock("roaming").acquireAsync();
    cluster.killServer(follower);
    Conditions.stays("nobody else", SESSION.plusSeconds(4), () -> held.isValid() || !next.isDone());
    held.close();
    next.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).close();
  }

  @Test
  void withoutAQuorumNobodyHoldsAndAfterwardsSomebodyCan() throws Exception {
    LockClient holder = client(cluster.getConnectString());
    LockClient other = client(cluster.getConnectString());
    Lease held = holder.lock("quorum").acquire();
    CompletableFuture<Lease> next = other.lock("quorum").acquireAsync();
    List<InstanceSpec> killed = new ArrayList<>(servers("follower"));
    long began = System.nanoTime();
    for (InstanceSpec server : killed) {
      cluster.killServer(server);
    }
    Conditions.until("the holder gives up", SESSION, () -> !held.isValid());
    System.out.printf(
        "Quorum lost: invalid after %d ms of a session of %d ms%n",
        (System.nanoTime() - began) / 1_000_000, SESSION.toMillis());
    assertFalse(next.isDone());
    for (InstanceSpec server : killed) {
      cluster.restartServer(server);
    }
    try (Lease lease = next.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      assertTrue(lease.fencingToken() > held.fencingToken());
      assertFalse(held.isValid());
    }
    holder.lock("quorum").acquire(PATIENCE).close();
  }

  @Test
  void tokensGrowOverElections() throws Exception {
    LockClient client = client(cluster.getConnectString());
    long token = 0;
    for (int i = 0; i < 3; i++) {
      try (Lease lease = client.lock("elections").acquire(PATIENCE)) {
        assertTrue(lease.fencingToken() > token, lease.fencingToken() + " after " + token);
        token = lease.fencingToken();
      }
      InstanceSpec leader = servers("leader").get(0);
      cluster.killServer(leader);
      Conditions.until("another leader", PATIENCE, () -> servers("leader").size() == 1);
      cluster.restartServer(leader);
      Conditions.until("two followers", PATIENCE, () -> servers("follower").size() == 2);
    }
  }
}
