/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs asynchronous steps one after another: each begins when the one before has completed, however
 * it did. For any number of threads.
 */
public final class SerialExecutor {

  private final AtomicReference<CompletableFuture<@Nullable Void>> last =
      new AtomicReference<>(CompletableFuture.completedFuture(null));

  /** With no step under way. */
  public SerialExecutor() {}

  /**
   * Takes a step when all before it have completed.
   *
   * @param step begins on this thread, or on the one that completes the step before; what it throws
   *     is its failure
   * @param <T> of its result
   * @return its result; when it completes, the next step has begun, or would begin at once
   */
  public <T> CompletableFuture<T> next(Supplier<CompletableFuture<T>> step) {
    CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();
    // The turn ends before the result is there, so that who has the result can begin the next step
    // at once, and not only if this thread is quick.
    return last.getAndSet(turn)
        .thenCompose(done -> step.get())
        .whenComplete((value, failure) -> turn.complete(null));
  }

  /**
   * Whether all steps have completed.
   *
   * @return false while one is under way
   */
  public boolean isIdle() {
    return Objects.requireNonNull(last.get()).isDone();
  }
}
