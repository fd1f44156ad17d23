/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Finds the server that has a key, for one request. */
interface Route {

  /**
   * Sends a request to the server that has the key; once more if the key turns out to be elsewhere.
   *
   * @param request fails with a {@link io.holdfast.lock.LockException}
   * @param <T> of the answer
   * @return the answer
   */
  <T> CompletableFuture<T> send(Function<RedisNode, CompletableFuture<T>> request);

  /** To one server, whatever the key. */
  static Route to(RedisNode node) {
    return new Route() {
      @Override
      public <T> CompletableFuture<T> send(Function<RedisNode, CompletableFuture<T>> request) {
        return request.apply(node);
      }
    };
  }
}
