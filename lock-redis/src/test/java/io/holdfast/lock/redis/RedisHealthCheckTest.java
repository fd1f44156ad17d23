/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.health.Finding;
import io.holdfast.lock.servers.RedisServer;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the findings about a server, and about the way to it. */
class RedisHealthCheckTest {

  private static final Duration TTL = Duration.ofSeconds(10);

  @Test
  void aPasswordThatOthersMayReadIsWarnedOf() throws SocketException {
    Optional<String> address = addressInANetwork();
    assumeFalse(address.isEmpty(), "this machine has no address but loopback");
    try (RedisServer server = RedisServer.launch("--bind", "*", "--requirepass", "s3cr3t-pass")) {
      Map<String, String> settings =
          new HashMap<>(Map.of("provider", "redis", "password", "s3cr3t-pass"));
      settings.put("command-timeout", "5s");
      settings.put("uri", "redis://" + address.get() + ":" + server.port());
      assertTrue(
          findings(settings, Finding.Promise.ACCESS).stream()
              .anyMatch(
                  found ->
                      found.severity() == Finding.Severity.WARNING
                          && found.text().contains("password")),
          findings(settings, Finding.Promise.ACCESS).toString());
      for (String local : List.of("localhost", "127.0.0.1")) {
        settings.put("uri", "redis://" + local + ":" + server.port());
        assertEquals(List.of(), findings(settings, Finding.Promise.ACCESS));
      }
    }
  }

  @Test
  void sentinelsWithoutAWaitAreWarnedOf() {
    try (SentinelTrio trio = new SentinelTrio()) {
      trio.replica.stop();
      RedisHarness.until(
          "the primary has no replica",
          () -> trio.primary.command("INFO", "replication").contains("connected_slaves:0"));
      Map<String, String> settings = new HashMap<>(trio.settings());
      settings.put("command-timeout", "5s");
      assertTrue(
          findings(settings, Finding.Promise.EXCLUSION).stream()
              .anyMatch(found -> found.remedy().contains("wait-replicas")));
    }
  }

  private static List<Finding> findings(Map<String, String> settings, Finding.Promise promise) {
    try (LockClient client = Locks.open(settings)) {
      return client.examine(TTL).get(0).findings().stream()
          .filter(found -> found.promise() == promise)
          .toList();
    }
  }

  private static Optional<String> addressInANetwork() throws SocketException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(one -> one instanceof Inet4Address && !one.isLoopbackAddress())
        .map(one -> one.getHostAddress())
        .findFirst();
  }
}
