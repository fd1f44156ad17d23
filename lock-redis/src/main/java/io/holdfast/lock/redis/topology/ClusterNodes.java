/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.redis.node.RedisNode;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The servers of a cluster by their addresses. Each is asked whether it is one before it is used.
 */
final class ClusterNodes {

  /** Longer than TTLs are, so that nobody still relies on a request that got no answer there. */
  static final Duration REMEMBERED = Duration.ofHours(1);

  private final RedisConfig config;
  private final RedisClient client;
  private final TimeSource time;
  private final ClusterMembership membership;
  private final Set<String> seeds;
  private final Map<String, RedisNode> nodes = new ConcurrentHashMap<>();

  /** By address, since when a server has been neither in a map nor connected to. */
  private final Map<String, Long> goneSince = new ConcurrentHashMap<>();

  /** Connects to nothing yet. */
  ClusterNodes(List<RedisConfig> seeds, RedisClient client, TimeSource time) {
    this.config = seeds.get(0);
    this.client = client;
    this.time = time;
    this.seeds =
        seeds.stream()
            .map(seed -> ClusterView.address(seed.uri().getHost(), seed.uri().getPort()))
            .collect(Collectors.toUnmodifiableSet());
    this.membership =
        new ClusterMembership(
            this.seeds, () -> nodes.values().stream().anyMatch(RedisNode::isConnected), time);
    seeds.forEach(seed -> at(seed.uri().getHost(), seed.uri().getPort()));
  }

  /** One or more; not all of them have slots, or are connected to. */
  Collection<RedisNode> all() {
    return Collections.unmodifiableCollection(nodes.values());
  }

  /** One that may not be connected to yet. */
  RedisNode at(String host, int port) {
    return nodes.computeIfAbsent(
        ClusterView.address(host, port),
        address ->
            new RedisNode(
                config.at(host, port), client, time, commands -> view(address, commands)));
  }

  /** How each server that is connected to sees the cluster; empty if it has not answered. */
  List<CompletableFuture<Optional<ClusterView>>> views() {
    return nodes.entrySet().stream()
        .filter(node -> node.getValue().isConnected())
        .map(node -> seenBy(node.getKey(), node.getValue()))
        .toList();
  }

  private CompletableFuture<Optional<ClusterView>> seenBy(String address, RedisNode node) {
    return node.ask(
            "Asking for the slots of the cluster at " + node.where(),
            commands -> view(address, commands))
        .handle((view, failure) -> Optional.ofNullable(view));
  }

  private CompletableFuture<ClusterView> view(
      String address, RedisAsyncCommands<String, String> commands) {
    return ClusterView.ask(commands)
        .thenApply(
            view -> {
              membership.admit(address, view);
              return view;
            });
  }

  /**
   * The map of the slots that is used from now on. By the servers in it, others are known. One that
   * has long been neither in a map nor connected to is forgotten; otherwise each address that ever
   * had slots would be tried again each second. Configured ones stay: a DNS name may lead to
   * another server.
   *
   * @param owners who has the slots
   */
  void take(ClusterView map, Collection<RedisNode> owners) {
    membership.take(map);
    long now = time.nanos();
    nodes.forEach(
        (address, node) -> {
          if (owners.contains(node) || node.isConnected() || seeds.contains(address)) {
            goneSince.remove(address);
          } else if (now - goneSince.computeIfAbsent(address, any -> now) >= REMEMBERED.toNanos()) {
            goneSince.remove(address);
            nodes.remove(address);
            node.end();
          }
        });
  }

  void close() {
    nodes.values().forEach(RedisNode::close);
  }
}
