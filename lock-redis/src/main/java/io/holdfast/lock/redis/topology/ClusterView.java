/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import io.holdfast.lock.redis.client.RedisInfo;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.slots.ClusterSlotRange;
import io.lettuce.core.cluster.models.slots.ClusterSlotsParser;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster as one of its servers sees it. One that has left the cluster, or is cut off from it,
 * still answers, but says that it is not well, or knows of older epochs only than the others.
 *
 * @param isWell whether the server takes requests
 * @param epoch the newest that it knows of; each fail-over and each move of a slot makes a new one
 * @param slots who has them
 * @param ids of the servers that have slots, of their replicas, and its own; none if it knows of no
 *     slots, as after it has left its cluster
 */
record ClusterView(boolean isWell, long epoch, List<ClusterSlotRange> slots, Set<String> ids) {

  /** The last is to be believed. Says nothing about views of different clusters. */
  static final Comparator<ClusterView> BY_TRUST =
      Comparator.comparing(ClusterView::isWell).thenComparingLong(ClusterView::epoch);

  /** Asks a server; fails with Lettuce's failure. */
  static CompletableFuture<ClusterView> ask(RedisAsyncCommands<String, String> commands) {
    CompletableFuture<String> info = commands.clusterInfo().toCompletableFuture();
    // Where it may not be asked for, the others tell whose cluster this is.
    CompletableFuture<Optional<String>> ownId =
        commands
            .clusterMyId()
            .toCompletableFuture()
            .thenApply(Optional::of)
            .exceptionally(failure -> Optional.empty());
    CompletableFuture<List<Object>> slots = commands.clusterSlots().toCompletableFuture();
    return CompletableFuture.allOf(info, slots, ownId)
        .thenApply(done -> of(info.join(), ClusterSlotsParser.parse(slots.join()), ownId.join()));
  }

  static ClusterView of(String info, List<ClusterSlotRange> slots, Optional<String> ownId) {
    Optional<String> state = RedisInfo.field(info, "cluster_state");
    Optional<String> epoch = RedisInfo.field(info, "cluster_current_epoch");
    return new ClusterView(
        state.filter("ok"::equals).isPresent(),
        epoch.map(Long::parseLong).orElse(0L),
        slots,
        slots.isEmpty() ? Set.of() : ids(slots, ownId));
  }

  private static Set<String> ids(List<ClusterSlotRange> slots, Optional<String> ownId) {
    Stream<String> others =
        slots.stream()
            .flatMap(
                range ->
                    Stream.concat(Stream.of(range.getUpstream()), range.getReplicaNodes().stream()))
            .map(ClusterView::idOf);
    return Stream.concat(others, ownId.stream()).collect(Collectors.toUnmodifiableSet());
  }

  /** Where no ids are told (before Redis 4), addresses have to do. */
  private static String idOf(RedisClusterNode server) {
    return Objects.requireNonNullElseGet(
        server.getNodeId(), () -> address(server.getUri().getHost(), server.getUri().getPort()));
  }

  static String address(String host, int port) {
    return host + ":" + port;
  }
}
