/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.recipes;

import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A watchdog that reads the key, prolongs it if it is ours, and sets it again if it is gone. */
final class RenewalTakesAnew extends GetThenDel {

  RenewalTakesAnew(String uri) {
    super(uri);
  }

  @Override
  CompletionStage<Boolean> renew(String key, String owner, Duration ttl) {
    return redis
        .get(key)
        .thenCompose(
            found -> {
              if (found == null) {
                return redis.set(key, owner, SetArgs.Builder.px(ttl)).thenApply("OK"::equals);
              }
              return found.equals(owner)
                  ? redis.pexpire(key, ttl)
                  : CompletableFuture.completedFuture(false);
            });
  }
}
