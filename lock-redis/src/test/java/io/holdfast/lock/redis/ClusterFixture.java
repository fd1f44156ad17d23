/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.NamedFault;
import io.holdfast.lock.tck.Revocation;
import io.holdfast.lock.tck.ServerFaultCatalog;
import io.holdfast.lock.tck.Timing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A cluster. Clients connect to the addresses that its servers tell, so their links cannot be
 * broken here; {@link ClusterTest} breaks the servers.
 */
final class ClusterFixture implements Fixture {

  private final ClusterHarness scene = new ClusterHarness();

  ClusterFixture() {
    scene.suspectSoon();
  }

  @Override
  public String name() {
    return "redis-cluster";
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
    return Optional.of(scene.settings());
  }

  @Override
  public Optional<Map<String, String>> unreachable(int port, String secret) {
    return Optional.of(
        Map.of(
            "provider", "redis", "uri", "redis-cluster://user:" + secret + "@127.0.0.1:" + port));
  }

  @Override
  public List<Map<String, String>> withPassword(String secret) {
    return RedisFixture.withPassword(scene.primaries, scene.settings(), secret);
  }

  @Override
  public List<String> residue() {
    return IntStream.range(0, scene.primaries.size())
        .mapToObj(scene::inChargeOf)
        .flatMap(node -> node.values("KEYS", "lock:*").stream())
        .toList();
  }

  @Override
  public Revocation revoke(String lockName) {
    return Revocation.of(owner(lockName).command("DEL", "lock:" + lockName).equals("1"));
  }

  @Override
  public Optional<BooleanSupplier> occupy(String lockName) {
    owner(lockName).command("LPUSH", "lock:" + lockName, "a list");
    return Optional.of(
        () ->
            owner(lockName)
                .values("LRANGE", "lock:" + lockName, "0", "9")
                .equals(List.of("a list")));
  }

  @Override
  public Optional<BooleanSupplier> occupyWith(String lockName, int bytes) {
    return RedisFixture.occupyWith(owner(lockName), "lock:" + lockName, bytes);
  }

  private RedisServer owner(String lockName) {
    return scene.inChargeOf(ClusterHarness.nodeOf("lock:" + lockName));
  }

  /**
   * Writes that have not reached the replica yet are lost; without a replica, slots are not served.
   */
  @Override
  public List<NamedFault> faults() {
    RedisServer alone = scene.primaries.get(1);
    List<NamedFault> faults =
        new ArrayList<>(
            ServerFaultCatalog.of(
                alone,
                " of all primaries",
                () ->
                    IntStream.range(0, scene.primaries.size()).mapToObj(scene::inChargeOf).toList(),
                promises().lifetime()));
    faults.addAll(
        List.of(
            NamedFault.undoing(
                "fail-over",
                Duration.ZERO,
                Duration.ofSeconds(1),
                scene::replaceFirst,
                scene::takeBack),
            NamedFault.survived(
                "SIGSTOP of a primary",
                Duration.ofMillis(50),
                Duration.ofSeconds(3),
                alone::suspend,
                () -> scene.resume(alone))));
    return faults;
  }

  @Override
  public void close() {
    scene.close();
  }
}
