/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.recipes;

import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** {@code SET NX PX} to take it, and {@code GET}, then {@code DEL} to free it. */
class GetThenDel extends Recipe {

  GetThenDel(String uri) {
    super(uri);
  }

  @Override
  CompletionStage<Boolean> acquire(String key, String owner, Duration ttl) {
    return redis.set(key, owner, SetArgs.Builder.nx().px(ttl)).thenApply("OK"::equals);
  }

  @Override
  CompletionStage<Boolean> release(String key, String owner) {
    return redis
        .get(key)
        .thenCompose(
            found ->
                owner.equals(found)
                    ? redis.del(key).thenApply(count -> count == 1)
                    : CompletableFuture.completedFuture(false));
  }
}
