/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import io.holdfast.lock.cli.common.Times;
import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Real servers, and how long they may keep the lock of a holder that says nothing more.
 *
 * @param servers run; closed with this
 * @param dispensable how many of them may die without anybody's noticing
 * @param settings with which a client reaches it
 * @param keeps a sentence: what the server does with a silent holder
 * @param takeOver within what time somebody else must hold the lock of a dead holder
 * @param freesFrozen whether that holds for one that stands still as well
 */
record DemoServers(
    List<Server> servers,
    int dispensable,
    Map<String, String> settings,
    String keeps,
    Duration takeOver,
    boolean freesFrozen)
    implements AutoCloseable {

  private static final Duration SCHEDULING = Duration.ofMillis(500);
  private static final long SHORTEST_SESSION_MILLIS = 2_000;
  private static final int REDLOCK_NODES = 5;
  private static final long SHORTEST_DELAY_MILLIS = 2_000;
  private static final Duration ETCD_LOOKS_EVERY = Duration.ofMillis(500);

  /** PostgreSQL tells nobody that it has ended a session. */
  private static final Duration WAITERS_LOOK_EVERY = Duration.ofSeconds(1);

  private static final int TICKS_PER_SESSION = 10;

  private DemoServers(
      List<Server> servers,
      int dispensable,
      Map<String, String> settings,
      String keeps,
      Duration takeOver) {
    this(servers, dispensable, settings, keeps, takeOver, true);
  }

  static DemoServers redis(Duration ttl) {
    Server server = RedisServer.launch();
    return new DemoServers(
        List.of(server),
        0,
        Map.of("provider", "redis", "uri", "redis://" + server.host() + ":" + server.port()),
        "Redis keeps the lock of a silent holder for %s (its TTL), then gives it away."
            .formatted(Times.text(ttl)),
        ttl.plus(SCHEDULING));
  }

  /**
   * New servers count after the restart delay, which is as long as the TTL here, and no shorter.
   */
  static DemoServers redlock(Duration ttl) {
    List<Server> servers =
        Stream.generate(() -> (Server) RedisServer.launch()).limit(REDLOCK_NODES).toList();
    return new DemoServers(
        servers,
        REDLOCK_NODES / 2,
        Map.of(
            "provider",
            "redlock",
            "uris",
            servers.stream()
                .map(server -> "redis://" + server.host() + ":" + server.port())
                .collect(Collectors.joining(",")),
            "restart-delay",
            Math.max(ttl.toMillis(), SHORTEST_DELAY_MILLIS) + "ms"),
        "Each of %d Redis servers keeps the lock of a silent holder for %s."
            .formatted(REDLOCK_NODES, Times.text(ttl)),
        ttl.plus(SCHEDULING));
  }

  /** ZooKeeper ends a session at the first tick after its time-out. */
  static DemoServers zookeeper(Duration ttl) {
    Duration tick = ttl.dividedBy(TICKS_PER_SESSION);
    Server server = ZooKeeperServer.launch(tick);
    return new DemoServers(
        List.of(server),
        0,
        Map.of(
            "provider",
            "zookeeper",
            "connect",
            server.host() + ":" + server.port(),
            "session-timeout",
            ttl.toMillis() + "ms"),
        "ZooKeeper ends the session of a silent holder after %s, and its lock with it."
            .formatted(Times.text(ttl)),
        ttl.plus(tick).plus(SCHEDULING));
  }

  /** Etcd counts in whole seconds, and looks every half second which leases are over. */
  static DemoServers etcd(Duration ttl) {
    Server server = EtcdServer.launch();
    Duration kept = keptByEtcd(ttl);
    return new DemoServers(
        List.of(server),
        0,
        Map.of("provider", "etcd", "endpoints", "http://" + server.host() + ":" + server.port()),
        "etcd keeps the lock of a silent holder for %s, a little above its TTL."
            .formatted(Times.text(kept)),
        kept.plus(ETCD_LOOKS_EVERY).plus(SCHEDULING));
  }

  /** A tenth longer than the TTL, half a second at the least, in whole seconds. */
  private static Duration keptByEtcd(Duration ttl) {
    long slack = Math.max(ttl.toMillis() / 10, 500);
    return Duration.ofSeconds((ttl.toMillis() + slack + 999) / 1_000);
  }

  /** The way in which the server treats a silent holder depends on the provider. */
  static DemoServers postgres(String provider, Duration ttl) {
    PostgresServer server = PostgresServer.launch();
    Map<String, String> settings =
        Map.of(
            "provider",
            provider,
            "url",
            server.url(),
            "username",
            PostgresServer.USER,
            "create-schema",
            "true",
            "session-timeout",
            Math.max(ttl.toMillis(), SHORTEST_SESSION_MILLIS) + "ms");
    Duration kept =
        provider.equals("postgres-table")
            ? ttl
            : Duration.ofMillis(Math.max(ttl.toMillis(), SHORTEST_SESSION_MILLIS));
    String time = Times.text(kept);
    String keeps =
        switch (provider) {
          case "postgres-advisory" ->
              "PostgreSQL ends the session of a silent holder after " + time + ".";
          case "postgres-table" ->
              "The row of a silent holder is free after " + time + ", its TTL.";
          default -> "A row is locked for as long as its transaction lasts.";
        };
    return new DemoServers(
        List.of(server),
        0,
        settings,
        keeps,
        kept.plus(WAITERS_LOOK_EVERY).plus(SCHEDULING),
        !provider.equals("postgres-row"));
  }

  @Override
  public void close() {
    servers.forEach(Server::close);
  }
}
