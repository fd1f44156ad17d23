/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.redis.node.KeyHolder;
import io.holdfast.lock.redis.topology.RedisServers;
import io.holdfast.lock.spi.LockInspection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Reads the keys of locks. The token is not told: it is drawn from a counter of many locks, and
 * kept by nobody but the holder. An owner id is never used again, so it alone says who is meant.
 */
final class RedisInspection implements LockInspection {

  private final RedisServers servers;

  RedisInspection(RedisServers servers) {
    this.servers = servers;
  }

  @Override
  public CompletionStage<Optional<LockHolder>> holder(String lockName) {
    return holders(lockName).thenApply(found -> found.stream().findFirst());
  }

  @Override
  public CompletionStage<List<LockHolder>> holders(String lockName) {
    return servers
        .ask(lockName, node -> node.holders(lockName))
        .thenApply(found -> found.stream().map(one -> toHolder(lockName, one)).toList());
  }

  private static LockHolder toHolder(String lockName, KeyHolder one) {
    return new LockHolder(
        lockName,
        Optional.of(one.owner()),
        OptionalLong.empty(),
        Optional.empty(),
        one.expiresIn(),
        one.share());
  }

  @Override
  public CompletionStage<Boolean> changeCapacity(String lockName, int from, int to) {
    return servers.ask(lockName, node -> node.changeCapacity(lockName, from, to));
  }

  @Override
  public CompletionStage<Set<String>> names() {
    return servers.names();
  }

  @Override
  public CompletionStage<Boolean> evict(LockHolder holder) {
    if (holder.ownerId().isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    String name = holder.lockName();
    String owner = holder.ownerId().get();
    return servers.ask(
        name,
        node ->
            holder.share().capacity() > 1 ? node.evictShare(name, owner) : node.evict(name, owner));
  }
}
