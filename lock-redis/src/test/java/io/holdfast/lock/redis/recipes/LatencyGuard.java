/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.recipes;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@code SETEX} of a key of one's own and {@code RENAMENX} to the lock's, in {@code MULTI}, because
 * there was no {@code SET NX PX}; and a guard: what took too long does not count. Nobody undoes it,
 * though.
 */
@SuppressWarnings("deprecation") // The commands of its time.
final class LatencyGuard extends GetThenDel {

  private static final Duration TOO_LONG = Duration.ofMillis(250);

  LatencyGuard(String uri) {
    super(uri);
  }

  @Override
  CompletionStage<Boolean> acquire(String key, String owner, Duration ttl) {
    long begun = System.nanoTime();
    String own = key + ":" + owner;
    CompletableFuture<Boolean> renamed;
    redis.multi();
    redis.psetex(own, ttl.toMillis(), owner);
    renamed = redis.renamenx(own, key).toCompletableFuture();
    redis.exec();
    return renamed.thenApply(taken -> taken && System.nanoTime() - begun < TOO_LONG.toNanos());
  }
}
