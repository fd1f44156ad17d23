/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.recipes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@code SETNX} with the time of expiry as the value, and {@code GETSET} to take over what has
 * expired: by the clocks of the clients, which do not agree.
 */
@SuppressWarnings("deprecation") // The commands of its time.
final class ClientClocks extends Recipe {

  private final Duration skew;

  ClientClocks(String uri, Duration skew) {
    super(uri);
    this.skew = skew;
  }

  @Override
  CompletionStage<Boolean> acquire(String key, String owner, Duration ttl) {
    String mine = String.valueOf(now() + ttl.toMillis() + 1);
    return redis
        .setnx(key, mine)
        .thenCompose(set -> set ? CompletableFuture.completedFuture(true) : takeOver(key, mine));
  }

  private CompletionStage<Boolean> takeOver(String key, String mine) {
    return redis
        .get(key)
        .thenCompose(
            found ->
                found != null && Long.parseLong(found) < now()
                    ? redis.getset(key, mine).thenApply(found::equals)
                    : CompletableFuture.completedFuture(false));
  }

  @Override
  CompletionStage<Boolean> release(String key, String owner) {
    return redis.del(key).thenApply(count -> count == 1);
  }

  @Override
  CompletionStage<Boolean> renew(String key, String owner, Duration ttl) {
    return redis.set(key, String.valueOf(now() + ttl.toMillis() + 1)).thenApply("OK"::equals);
  }

  /** The clock of this client's host. */
  private long now() {
    return System.currentTimeMillis() + skew.toMillis();
  }
}
