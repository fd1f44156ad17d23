/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.redis.node.RedisServers;
import io.holdfast.lock.spi.LockInspection;
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
    return servers
        .holder(lockName)
        .thenApply(
            found ->
                found.map(
                    key ->
                        new LockHolder(
                            lockName,
                            Optional.of(key.owner()),
                            OptionalLong.empty(),
                            Optional.empty(),
                            key.expiresIn())));
  }

  @Override
  public CompletionStage<Set<String>> names() {
    return servers.names();
  }

  @Override
  public CompletionStage<Boolean> evict(LockHolder holder) {
    return holder
        .ownerId()
        .map(owner -> servers.evict(holder.lockName(), owner))
        .orElseGet(() -> CompletableFuture.completedFuture(false));
  }
}
