/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.Map;

/**
 * A real server, and how long it may keep the lock of a holder that says nothing more.
 *
 * @param server runs; closed with this
 * @param settings with which a client reaches it
 * @param keeps a sentence: what the server does with a silent holder
 * @param takeOver within what time somebody else must hold the lock of a dead holder
 */
record Stage(Server server, Map<String, String> settings, String keeps, Duration takeOver)
    implements AutoCloseable {

  private static final Duration SCHEDULING = Duration.ofMillis(500);
  private static final Duration ETCD_LOOKS_EVERY = Duration.ofMillis(500);
  private static final int TICKS_PER_SESSION = 10;

  static Stage redis(Duration ttl) {
    Server server = RedisServer.launch();
    return new Stage(
        server,
        Map.of("provider", "redis", "uri", "redis://" + server.host() + ":" + server.port()),
        "Redis keeps the lock of a silent holder for %s (its TTL), then gives it away."
            .formatted(Screen.seconds(ttl)),
        ttl.plus(SCHEDULING));
  }

  /** ZooKeeper ends a session at the first tick after its time-out. */
  static Stage zookeeper(Duration ttl) {
    Duration tick = ttl.dividedBy(TICKS_PER_SESSION);
    Server server = ZooKeeperServer.launch(tick);
    return new Stage(
        server,
        Map.of(
            "provider",
            "zookeeper",
            "connect",
            server.host() + ":" + server.port(),
            "session-timeout",
            ttl.toMillis() + "ms"),
        "ZooKeeper ends the session of a silent holder after %s, and its lock with it."
            .formatted(Screen.seconds(ttl)),
        ttl.plus(tick).plus(SCHEDULING));
  }

  /** Etcd counts in whole seconds, and looks every half second which leases are over. */
  static Stage etcd(Duration ttl) {
    Server server = EtcdServer.launch();
    Duration kept = Duration.ofSeconds(ttl.plus(ttl.dividedBy(10)).plusMillis(1_499).toSeconds());
    return new Stage(
        server,
        Map.of("provider", "etcd", "endpoints", "http://" + server.host() + ":" + server.port()),
        "etcd keeps the lock of a silent holder for %s (whole seconds above its TTL)."
            .formatted(Screen.seconds(kept)),
        kept.plus(ETCD_LOOKS_EVERY).plus(SCHEDULING));
  }

  @Override
  public void close() {
    server.close();
  }
}
