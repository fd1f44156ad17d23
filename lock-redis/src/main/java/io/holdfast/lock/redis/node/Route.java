/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Finds the server that has a key, for one request. */
public interface Route {

  /**
   * Sends a request to the server that has the key; once more if the key turns out to be elsewhere.
   *
   * @param request fails with a {@link io.holdfast.lock.LockException}
   * @param <T> of the answer
   * @return the answer
   */
  <T> CompletableFuture<T> send(Function<RedisNode, CompletableFuture<T>> request);

  /**
   * Makes sure that a request could be sent now. If not, and the key may be elsewhere by now, it is
   * looked for meanwhile, so that a later request finds it.
   *
   * @param operation the beginning of the message
   * @throws LockUnavailableException if there is no connection to the server that has the key
   */
  void checkLine(String operation);

  /**
   * To one server, whatever the key.
   *
   * @param node the server
   * @return a route that never changes
   */
  static Route to(RedisNode node) {
    return new Route() {
      @Override
      public <T> CompletableFuture<T> send(Function<RedisNode, CompletableFuture<T>> request) {
        return request.apply(node);
      }

      @Override
      public void checkLine(String operation) {
        node.line(operation);
      }
    };
  }
}
