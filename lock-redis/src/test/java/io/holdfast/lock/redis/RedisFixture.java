/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.Timing;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/** A Redis server of its own. */
class RedisFixture implements Fixture {

  /** The same of one server, one behind sentinels, and a cluster. */
  static final Capabilities PROMISES =
      new Capabilities(
          Capabilities.Fencing.THROUGH_DATA_LOSS,
          Capabilities.Lifetime.TTL,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
          Capabilities.Scope.LEASE,
          Capabilities.Survival.NOTHING,
          Capabilities.Inspection.OWNER,
          Capabilities.Retention.SERVER,
          Capabilities.Sharing.PERMITS);

  private static final String PROLONG =
      """
      local left = redis.call('PTTL', KEYS[1])
      if left <= 0 then
        return 0
      end
      redis.call('PEXPIRE', KEYS[1], left + ARGV[1])
      if redis.call('TYPE', KEYS[1]).ok == 'hash' then
        local all = redis.call('HGETALL', KEYS[1])
        for i = 1, #all, 2 do
          local permits, ends, set, number = string.match(all[i + 1], '^(%d+) (%d+) (%d+) (%d+)$')
          if permits then
            local later = string.format('%.0f %.0f', ends + ARGV[1], set + ARGV[1])
            redis.call('HSET', KEYS[1], all[i], permits .. ' ' .. later .. ' ' .. number)
          end
        end
      end
      return 1
      """;

  private final RedisServer server = RedisServer.launch();
  private final Queue<RedisServer> guarded = new ConcurrentLinkedQueue<>();
  private final RedisClient inspector = RedisClient.create(uri(server.host(), server.port()));

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public Capabilities promises() {
    return PROMISES;
  }

  @Override
  public Timing timing() {
    return new Timing(Duration.ofMillis(1500), Duration.ofMillis(1500));
  }

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(settings(server.host(), server.port()));
  }

  @Override
  public Optional<Map<String, String>> settings(TcpProxy link) {
    return Optional.of(settings(link.host(), link.port()));
  }

  @Override
  public Optional<Map<String, String>> unreachable(int port, String secret) {
    return Optional.of(
        Map.of("provider", "redis", "uri", "redis://user:" + secret + "@127.0.0.1:" + port));
  }

  @Override
  public List<Map<String, String>> withPassword(String secret) {
    return withPassword(List.of(server), settings(server.host(), server.port()), secret);
  }

  /** All others here are the default user, so that the server is another one. */
  @Override
  public Optional<Map<String, String>> withoutPassword(Map<String, String> settings) {
    RedisServer other = RedisServer.launch("--requirepass", "what another client has");
    guarded.add(other);
    Map<String, String> rest = new HashMap<>(settings);
    rest.keySet().removeAll(List.of("username", "password"));
    rest.put("uri", uri(other.host(), other.port()));
    return Optional.of(rest);
  }

  /** In the address, and by itself. */
  static List<Map<String, String>> withPassword(
      List<RedisServer> servers, Map<String, String> settings, String secret) {
    for (RedisServer server : servers) {
      server.command("ACL", "SETUSER", "kit", "on", ">" + secret, "~*", "&*", "+@all");
    }
    Map<String, String> inAddress = new HashMap<>(settings);
    inAddress.computeIfPresent("uri", (key, uri) -> uri.replace("://", "://kit:" + secret + "@"));
    Map<String, String> byItself = new HashMap<>(settings);
    byItself.putAll(Map.of("username", "kit", "password", secret));
    return List.of(inAddress, byItself);
  }

  @Override
  public List<Map<String, String>> malformed(String secret) {
    List<Map<String, String>> malformed = new ArrayList<>(malformed("uri", "redis", secret));
    for (String store : List.of("tls-truststore", "tls-keystore")) {
      malformed.add(
          Map.of(
              "provider",
              "redis",
              "uri",
              "rediss://localhost:1",
              store,
              "pom.xml",
              store + "-password",
              secret));
    }
    return malformed;
  }

  /** With what a mistyped address may look like. */
  static List<Map<String, String>> malformed(String key, String provider, String secret) {
    return Stream.of(
            "redis://kit:%s@localhost:port",
            "redis:/kit:%s@localhost:1",
            "redis//kit:%s@localhost:1",
            "http://kit:%s@localhost:1",
            "kit:%s@localhost:1",
            "redis://kit:%s@local host",
            "redis://kit:%s@localhost:1/zero",
            "redis-sentinel://kit:%s@localhost:1",
            "redis-cluster://kit:%s@localhost:1/3",
            "redis://localhost:1?password=%s")
        .map(text -> Map.of("provider", provider, key, text.formatted(secret)))
        .toList();
  }

  @Override
  public Optional<Server> server() {
    return Optional.of(server);
  }

  @Override
  public List<String> residue() {
    return ask(connection -> connection.sync().keys("lock:*"));
  }

  /** The key, and what is written in it of the ends of shares. */
  @Override
  public boolean prolong(String lockName, Duration by) {
    return server
        .command("EVAL", PROLONG, "1", "lock:" + lockName, String.valueOf(by.toMillis()))
        .equals("1");
  }

  @Override
  public Revocation revoke(String lockName) {
    return Revocation.of(ask(connection -> connection.sync().del("lock:" + lockName)) == 1);
  }

  @Override
  public Optional<BooleanSupplier> occupy(String lockName) {
    ask(connection -> connection.sync().lpush("lock:" + lockName, "a list"));
    return Optional.of(
        () ->
            ask(connection -> connection.sync().lrange("lock:" + lockName, 0, 9))
                .equals(List.of("a list")));
  }

  @Override
  public Optional<BooleanSupplier> occupyWith(String lockName, int bytes) {
    return occupyWith(server, "lock:" + lockName, bytes);
  }

  /** Without sending it. */
  static Optional<BooleanSupplier> occupyWith(RedisServer server, String key, int bytes) {
    server.command("SETRANGE", key, "" + (bytes - 1), "x");
    return Optional.of(() -> server.command("STRLEN", key).equals("" + bytes));
  }

  private <T> T ask(Function<StatefulRedisConnection<String, String>, T> question) {
    try (StatefulRedisConnection<String, String> connection = inspector.connect()) {
      return question.apply(connection);
    }
  }

  static Map<String, String> settings(String host, int port) {
    return Map.of("provider", "redis", "uri", uri(host, port), "command-timeout", "500ms");
  }

  private static String uri(String host, int port) {
    return "redis://" + host + ":" + port;
  }

  @Override
  public void close() {
    inspector.shutdown();
    guarded.forEach(RedisServer::close);
    server.close();
  }
}
