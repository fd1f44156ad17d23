/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.support.Failures;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Calls to the backend for which the caller waits: for a limited time, until the answer or the
 * backend's own failure.
 */
final class BlockingCalls {

  private final EngineClient client;

  BlockingCalls(EngineClient client) {
    this.client = client;
  }

  <T> T ask(String operation, Supplier<CompletionStage<T>> request) {
    return settle(operation, send(request));
  }

  <T> CompletableFuture<T> send(Supplier<CompletionStage<T>> request) {
    client.checkOpen();
    try {
      return request.get().toCompletableFuture();
    } catch (LockException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  <T> T settle(String operation, CompletableFuture<T> answer) {
    if (!Blocking.settles(answer, client.blockingTimeout())) {
      throw new LockUnavailableException(operation + ": there was no answer in time");
    }
    try {
      return Blocking.awaitUninterruptibly(unwrapped(answer));
    } catch (LockException e) {
      if (client.isClosed()) {
        throw new LockClosedException(operation + ": the lock client was closed meanwhile", e);
      }
      throw e;
    }
  }

  /** As the backend failed it, without what composing stages put around that. */
  private static <T> CompletableFuture<T> unwrapped(CompletableFuture<T> answer) {
    return answer.exceptionallyCompose(
        failure -> CompletableFuture.failedFuture(Failures.cause(failure)));
  }
}
