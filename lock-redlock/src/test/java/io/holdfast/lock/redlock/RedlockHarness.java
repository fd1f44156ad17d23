/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Retry;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.OpenResources;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/** Servers, the clients of one test, and patience. */
final class RedlockHarness extends OpenResources {

  /** For claims whose signals make no difference. */
  static final ClaimSignals DEAF =
      new ClaimSignals() {
        @Override
        public void wake() {}

        @Override
        public void lost(LossReason reason) {}
      };

  static final Duration TTL = Duration.ofMillis(1500);
  static final Duration PATIENCE = Duration.ofSeconds(30);

  static final LockOptions SHORT =
      LockOptions.defaults()
          .withTtl(TTL)
          .withRetry(Retry.defaults().withPauses(Duration.ofMillis(10), Duration.ofMillis(100)));

  static final LockOptions LONG = SHORT.withTtl(Duration.ofMinutes(2));

  /** The first connections of a JVM may take long on a busy machine. */
  private static final String CONNECT_TIMEOUT = "10s";

  final List<RedisServer> servers = new ArrayList<>();

  RedlockHarness(int nodes, String... arguments) {
    for (int i = 0; i < nodes; i++) {
      servers.add(closing(RedisServer.launch(arguments)));
    }
  }

  List<Integer> ports() {
    return servers.stream().map(RedisServer::port).toList();
  }

  /** A link to each node, for one client. */
  List<TcpProxy> links() {
    return servers.stream()
        .map(server -> closing(TcpProxy.to(server.host(), server.port())))
        .toList();
  }

  LockClient client() {
    return client(Map.of());
  }

  LockClient client(Map<String, String> more) {
    return client(ports(), more);
  }

  LockClient client(List<TcpProxy> links) {
    return client(links.stream().map(TcpProxy::port).toList(), Map.of());
  }

  LockClient client(List<Integer> ports, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(RedlockFixture.settings(ports));
    settings.put("connect-timeout", CONNECT_TIMEOUT);
    settings.putAll(more);
    return closing(Locks.open(settings));
  }

  /** The backend below a client. */
  RedlockBackend backend() {
    return backend(Map.of());
  }

  RedlockBackend backend(Map<String, String> more) {
    return backend(ports(), more);
  }

  RedlockBackend backend(List<Integer> ports, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(RedlockFixture.settings(ports));
    String provider = settings.remove("provider");
    settings.put("connect-timeout", CONNECT_TIMEOUT);
    // A machine that is busy can take a second from anybody.
    settings.put("command-timeout", "5s");
    settings.putAll(more);
    return (RedlockBackend)
        new RedlockLockProvider().open(new Settings(String.valueOf(provider), settings));
  }

  RedisServer server(int node) {
    return servers.get(node);
  }

  /** Kills a node and starts it again; what it had not on disk is gone. */
  void restart(int node) {
    server(node).kill();
    server(node).start();
  }

  /** As the server says. */
  static long secondsUp(RedisServer server) {
    return server
        .command("INFO", "server")
        .lines()
        .filter(line -> line.startsWith("uptime_in_seconds:"))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
        .findFirst()
        .orElseThrow();
  }

  /** Since it was started, or its statistics were reset. */
  static long scriptsCalled(RedisServer node) {
    String calls = "cmdstat_evalsha:calls=";
    return node.command("INFO", "commandstats")
        .lines()
        .filter(line -> line.startsWith(calls))
        .mapToLong(line -> Long.parseLong(line.substring(calls.length()).split("[,\\s]", 2)[0]))
        .sum();
  }

  /** How long a node keeps a lock; negative if it is free there. */
  static long millisLeft(RedisServer node, String lockName) {
    return Long.parseLong(node.command("PTTL", "lock:" + lockName));
  }

  boolean has(int node, String lockName) {
    return server(node).command("EXISTS", "lock:" + lockName).equals("1");
  }

  /** On how many nodes there is a lock. */
  long holding(String lockName) {
    return servers.stream()
        .filter(server -> server.command("EXISTS", "lock:" + lockName).equals("1"))
        .count();
  }

  static void until(String what, BooleanSupplier condition) {
    Conditions.until(what, PATIENCE, condition);
  }

  static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  static boolean isGranted(RedlockClaim claim) {
    return claim
        .attempt()
        .toCompletableFuture()
        .handle((answer, failure) -> answer instanceof Attempt.Granted)
        .join();
  }
}
