/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.lock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs asynchronous steps one after another: each begins when the one before has completed. */
final class SerialExecutor {

  private final AtomicReference<CompletableFuture<?>> last =
      new AtomicReference<>(CompletableFuture.completedFuture(null));

  <T> CompletableFuture<T> next(Supplier<CompletableFuture<T>> step) {
    CompletableFuture<T> result = new CompletableFuture<>();
    last.getAndSet(result).whenComplete((before, ignored) -> run(step, result));
    return result;
  }

  private static <T> void run(Supplier<CompletableFuture<T>> step, CompletableFuture<T> result) {
    CompletableFuture<T> running;
    try {
      running = step.get();
    } catch (RuntimeException e) {
      running = CompletableFuture.failedFuture(e);
    }
    running.whenComplete((value, failure) -> complete(result, value, failure));
  }

  private static <T> void complete(
      CompletableFuture<T> result, T value, @Nullable Throwable failure) {
    if (failure == null) {
      result.complete(value);
    } else {
      result.completeExceptionally(failure);
    }
  }
}
