/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.NamedFault;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.ServerFaultCatalog;
import io.holdfast.lock.tck.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * A primary that clients find through sentinels, which tell those behind a link its address ({@link
 * SentinelRelay}). {@link SentinelTest} breaks the servers.
 */
final class SentinelFixture implements Fixture {

  private final SentinelTrio trio = new SentinelTrio();
  private final SentinelPair pair = new SentinelPair(trio);
  private final Map<Integer, List<SentinelRelay>> relays = new ConcurrentHashMap<>();

  @Override
  public String name() {
    return "redis-sentinel";
  }

  @Override
  public Capabilities promises() {
    return RedisFixture.PROMISES;
  }

  @Override
  public Timing timing() {
    return new Timing(Duration.ofSeconds(2), Duration.ofSeconds(2));
  }

  @Override
  public Optional<Map<String, String>> settings() {
    return Optional.of(trio.settings());
  }

  @Override
  public Optional<Server> server() {
    return Optional.of(pair);
  }

  @Override
  public Optional<TcpProxy> link() {
    List<RedisServer> servers = List.of(trio.primary, trio.replica);
    TcpProxy link = TcpProxy.to(servers);
    Map<Integer, Integer> ports = new HashMap<>();
    servers.forEach(server -> ports.put(server.port(), link.ports().get(servers.indexOf(server))));
    relays.put(
        link.port(), trio.sentinels.stream().map(one -> new SentinelRelay(one, ports)).toList());
    return Optional.of(link);
  }

  @Override
  public Optional<Map<String, String>> settings(TcpProxy link) {
    List<SentinelRelay> sentinels = Objects.requireNonNull(relays.get(link.port()));
    return Optional.of(trio.settings(sentinels.stream().map(SentinelRelay::address).toList()));
  }

  @Override
  public Optional<Map<String, String>> unreachable(int port, String secret) {
    return Optional.of(
        Map.of(
            "provider",
            "redis",
            "uri",
            "redis-sentinel://user:" + secret + "@127.0.0.1:" + port + "/0#prime"));
  }

  @Override
  public List<Map<String, String>> withPassword(String secret) {
    return RedisFixture.withPassword(List.of(trio.primary, trio.replica), trio.settings(), secret);
  }

  @Override
  public List<String> residue() {
    RedisServer current = trio.current();
    return current.values("KEYS", "lock:*").stream()
        .filter(key -> current.command("TYPE", key).equals("string"))
        .map(key -> key + " of " + current.command("GET", key))
        .toList();
  }

  @Override
  public Revocation revoke(String lockName) {
    return Revocation.of(trio.current().command("DEL", "lock:" + lockName).equals("1"));
  }

  @Override
  public Optional<BooleanSupplier> occupy(String lockName) {
    String key = "lock:" + lockName;
    trio.current().command("LPUSH", key, "a list");
    return Optional.of(() -> trio.current().command("LRANGE", key, "0", "9").equals("a list"));
  }

  @Override
  public Optional<BooleanSupplier> occupyWith(String lockName, int bytes) {
    return RedisFixture.occupyWith(trio.current(), "lock:" + lockName, bytes);
  }

  /**
   * Writes that have not reached the replica yet are lost, and a primary that stood still goes on
   * for a while.
   */
  @Override
  public List<NamedFault> faults() {
    Duration longest = Duration.ofSeconds(1);
    List<NamedFault> faults =
        new ArrayList<>(
            ServerFaultCatalog.of(
                trio.current(), "", () -> List.of(trio.current()), promises().lifetime()));
    // The sentinels are clients, too, and would soon take it for dead.
    faults.removeIf(fault -> fault.name().equals("connection limit"));
    faults.addAll(
        List.of(
            NamedFault.undoing(
                "fail-over", Duration.ZERO, longest, trio::replaceCurrent, trio::takeBack),
            NamedFault.undoing(
                "fail-over from one that stands still",
                Duration.ZERO,
                longest,
                trio::suspendCurrent,
                trio::takeBackSuspended),
            NamedFault.survived(
                "SIGSTOP of a sentinel",
                Duration.ZERO,
                longest,
                () -> trio.sentinels.get(0).suspend(),
                () -> trio.sentinels.get(0).resume())));
    return faults;
  }

  @Override
  public void close() {
    relays.values().forEach(all -> all.forEach(SentinelRelay::close));
    trio.close();
  }
}
