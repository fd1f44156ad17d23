/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.servers.DeadAddress;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ServerGroup;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Redis servers of its own, of which some may be down for good, and one may be slow. */
final class RedlockFixture implements Fixture {

  private final String name;
  private final List<DeadAddress> dead;
  private final List<RedisServer> servers;
  private final Optional<TcpProxy> slow;
  private final List<Integer> ports;

  private RedlockFixture(String name, int nodes, int down, Optional<Duration> slowness) {
    this.name = name;
    this.dead = Stream.generate(DeadAddress::take).limit(down).toList();
    this.servers = launch(nodes - down);
    this.ports = new ArrayList<>(servers.stream().map(RedisServer::port).toList());
    int last = servers.size() - 1;
    this.slow = slowness.map(by -> slowDown(servers.get(last), by));
    slow.ifPresent(link -> ports.set(last, link.port()));
  }

  /** Five, for mutants. */
  RedlockFixture() {
    this("redlock", 5, 0, Optional.empty());
  }

  static RedlockFixture of(int nodes) {
    return new RedlockFixture(
        nodes == 5 ? "redlock" : "redlock-" + nodes, nodes, 0, Optional.empty());
  }

  static RedlockFixture withTwoDown() {
    return new RedlockFixture("redlock-two-down", 5, 2, Optional.empty());
  }

  static RedlockFixture withOneSlow() {
    return new RedlockFixture("redlock-one-slow", 5, 0, Optional.of(Duration.ofMillis(50)));
  }

  static List<RedisServer> launch(int count) {
    return Stream.generate(() -> RedisServer.launch()).limit(count).toList();
  }

  private static TcpProxy slowDown(RedisServer server, Duration by) {
    TcpProxy link = TcpProxy.to(server.host(), server.port());
    link.delay(io.holdfast.lock.servers.Direction.TO_CLIENT, by);
    return link;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Capabilities promises() {
    return new Capabilities(
        Capabilities.Fencing.THROUGH_DATA_LOSS,
        Capabilities.Lifetime.TTL,
        Capabilities.Ordering.UNORDERED,
        Capabilities.WakeUp.MESSAGE,
        Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
        Capabilities.Scope.LEASE,
        Capabilities.Survival.MINORITY,
        Capabilities.Inspection.OWNER,
        Capabilities.Retention.SERVER,
        Capabilities.Sharing.NONE);
  }

  @Override
  public Timing timing() {
    return new Timing(Duration.ofSeconds(2), Duration.ofSeconds(2));
  }

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(settings(withDead(ports)));
  }

  @Override
  public Optional<Map<String, String>> settings(TcpProxy link) {
    return Optional.of(settings(withDead(link.ports())));
  }

  private List<Integer> withDead(List<Integer> alive) {
    return Stream.concat(dead.stream().map(DeadAddress::port), alive.stream()).toList();
  }

  /** The rules restart servers within less than the longest TTL, so each node always counts. */
  static Map<String, String> settings(List<Integer> ports) {
    Map<String, String> settings = new HashMap<>();
    settings.put("provider", "redlock");
    settings.put("uris", uris(ports));
    settings.put("restart-delay", "none");
    settings.put("command-timeout", "1s");
    return settings;
  }

  static String uris(List<Integer> ports) {
    return ports.stream()
        .map(port -> "redis://127.0.0.1:" + port)
        .collect(Collectors.joining(", "));
  }

  @Override
  public Optional<Map<String, String>> unreachable(int port, String secret) {
    String uris =
        IntStream.of(port, port + 1, port + 2)
            .mapToObj(one -> "redis://user:" + secret + "@127.0.0.1:" + one)
            .collect(Collectors.joining(","));
    return Optional.of(Map.of("provider", "redlock", "uris", uris));
  }

  /** In the addresses, and by itself. */
  @Override
  public List<Map<String, String>> withPassword(String secret) {
    servers.forEach(
        node -> node.command("ACL", "SETUSER", "kit", "on", ">" + secret, "~*", "&*", "+@all"));
    Map<String, String> inAddresses = settings(withDead(ports));
    inAddresses.computeIfPresent(
        "uris", (key, uris) -> uris.replace("://", "://kit:" + secret + "@"));
    Map<String, String> byItself = settings(withDead(ports));
    byItself.putAll(Map.of("username", "kit", "password", secret));
    return List.of(inAddresses, byItself);
  }

  @Override
  public List<Map<String, String>> malformed(String secret) {
    String good = "redis://kit:" + secret + "@localhost:1";
    return Stream.of(good + ":port", "redis:/kit:" + secret + "@localhost", "kit:" + secret + "@h")
        .map(bad -> Map.of("provider", "redlock", "uris", good + "," + good + "," + bad))
        .toList();
  }

  @Override
  public Optional<Server> server() {
    return Optional.of(ServerGroup.of(servers));
  }

  @Override
  public Optional<TcpProxy> link() {
    return Optional.of(TcpProxy.to(servers));
  }

  @Override
  public List<String> residue() {
    return servers.stream().flatMap(node -> node.values("KEYS", "lock:*").stream()).toList();
  }

  @Override
  public boolean prolong(String lockName, Duration by) {
    String key = "lock:" + lockName;
    return servers.stream()
            .filter(
                node -> {
                  long left = Long.parseLong(node.command("PTTL", key));
                  String ends = String.valueOf(left + by.toMillis());
                  return left > 0 && node.command("PEXPIRE", key, ends).equals("1");
                })
            .count()
        > 0;
  }

  @Override
  public Revocation revoke(String lockName) {
    return Revocation.of(
        servers.stream().filter(node -> node.command("DEL", "lock:" + lockName).equals("1")).count()
            > 0);
  }

  @Override
  public Optional<BooleanSupplier> occupy(String lockName) {
    servers.forEach(node -> node.command("LPUSH", "lock:" + lockName, "a list"));
    return Optional.of(
        () ->
            servers.stream()
                .allMatch(
                    node ->
                        node.values("LRANGE", "lock:" + lockName, "0", "9")
                            .equals(List.of("a list"))));
  }

  @Override
  public Optional<BooleanSupplier> occupyWith(String lockName, int bytes) {
    String key = "lock:" + lockName;
    servers.forEach(node -> node.command("SETRANGE", key, "" + (bytes - 1), "x"));
    return Optional.of(
        () -> servers.stream().allMatch(node -> node.command("STRLEN", key).equals("" + bytes)));
  }

  @Override
  public void close() {
    slow.ifPresent(TcpProxy::close);
    servers.forEach(RedisServer::close);
    dead.forEach(DeadAddress::close);
  }
}
