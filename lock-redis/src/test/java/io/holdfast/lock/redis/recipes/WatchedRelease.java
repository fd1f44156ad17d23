/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.recipes;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Optimistic locking: {@code WATCH}, {@code GET}, {@code MULTI}, {@code DEL}, {@code EXEC}. Sound
 * on a connection of one's own; on a shared one, any other {@code EXEC} ends the watch.
 */
final class WatchedRelease extends GetThenDel {

  WatchedRelease(String uri) {
    super(uri);
  }

  @Override
  CompletionStage<Boolean> release(String key, String owner) {
    redis.watch(key);
    return redis
        .get(key)
        .thenCompose(
            found -> {
              if (!owner.equals(found)) {
                redis.unwatch();
                return CompletableFuture.completedFuture(false);
              }
              redis.multi();
              redis.del(key);
              return redis.exec().thenApply(result -> !result.wasDiscarded());
            });
  }
}
