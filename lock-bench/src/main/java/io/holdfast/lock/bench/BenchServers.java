/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.servers.EtcdServer;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The servers of a backend, and what they count themselves. Servers as the tests start them: on
 * loopback, and without waiting for the disk.
 *
 * @param servers run; closed with this
 * @param commands how many the servers have carried out
 */
record BenchServers(List<? extends Server> servers, Supplier<Double> commands)
    implements AutoCloseable {

  static final String MEMORY = "memory";

  static final List<String> BACKENDS =
      List.of(
          MEMORY,
          "redis",
          "redlock",
          "zookeeper",
          "etcd",
          "postgres-advisory",
          "postgres-table",
          "postgres-row");

  /** By default, there is room for 20,000. */
  private static final String MANY_ADVISORY_LOCKS = "max_locks_per_transaction=256";

  /** Of a hundred clients, each with those of its leases. */
  private static final String MANY_CONNECTIONS = "max_connections=500";

  private static final int QUORUM_OF = 5;
  private static final Duration TICK = Duration.ofSeconds(2);
  private static final Duration ZOOKEEPERS_DEFAULT = Duration.ofMinutes(1);
  private static final Set<String> ETCD_METHODS =
      Set.of(
          "Range",
          "Put",
          "Txn",
          "DeleteRange",
          "LeaseGrant",
          "LeaseRevoke",
          "LeaseKeepAlive",
          "Watch",
          "Lock",
          "Unlock");

  private static final Pattern REDIS_REQUEST =
      Pattern.compile("^cmdstat_(?:eval|evalsha|fcall|[ps]?(?:un)?subscribe):calls=(\\d+)");

  static BenchServers open(String backend) {
    return switch (backend) {
      case MEMORY -> new BenchServers(List.of(), () -> 0.0);
      case "redis" -> redis(1);
      case "redlock" -> redis(QUORUM_OF);
      case "zookeeper" -> zookeeper();
      case "etcd" -> etcd();
      default -> postgres();
    };
  }

  Address address() {
    return new Address(
        servers.stream().map(server -> server.host() + ":" + server.port()).toList());
  }

  private static BenchServers redis(int count) {
    List<RedisServer> servers = Stream.generate(() -> RedisServer.launch()).limit(count).toList();
    return new BenchServers(
        servers, () -> servers.stream().mapToDouble(BenchServers::redisRequests).sum());
  }

  /**
   * Scripts, and subscriptions. The commands that a script calls are counted by Redis as well, in
   * the same way as if a client had sent them; the contestants that wait or hold send scripts only.
   */
  private static double redisRequests(RedisServer server) {
    return server
        .command("INFO", "commandstats")
        .lines()
        .map(REDIS_REQUEST::matcher)
        .filter(Matcher::find)
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .sum();
  }

  private static BenchServers zookeeper() {
    ZooKeeperServer server = ZooKeeperServer.launch(TICK, Map.of(), ZOOKEEPERS_DEFAULT);
    return new BenchServers(
        List.of(server), () -> number(server.command("mntr"), "zk_packets_received\t"));
  }

  private static BenchServers etcd() {
    EtcdServer server = EtcdServer.launch();
    return new BenchServers(
        List.of(server),
        () ->
            server.metric(
                "grpc_server_msg_received_total",
                labels ->
                    ETCD_METHODS.stream()
                        .anyMatch(method -> labels.contains("grpc_method=\"" + method + "\""))));
  }

  private static BenchServers postgres() {
    PostgresServer server =
        PostgresServer.launch(
            "shared_preload_libraries=pg_stat_statements", MANY_ADVISORY_LOCKS, MANY_CONNECTIONS);
    server.ask("CREATE EXTENSION pg_stat_statements");
    return new BenchServers(
        List.of(server),
        () -> Double.parseDouble(server.ask("SELECT sum(calls) FROM pg_stat_statements").get(0)));
  }

  private static double number(String text, String label) {
    return text.lines()
        .filter(line -> line.startsWith(label))
        .mapToDouble(line -> Double.parseDouble(line.substring(label.length()).strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("No " + label + " in: " + text));
  }

  @Override
  public void close() {
    servers.forEach(Server::close);
  }
}
