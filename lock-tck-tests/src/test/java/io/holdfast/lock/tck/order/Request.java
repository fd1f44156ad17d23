/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.order;

import io.holdfast.lock.LockException;
import io.holdfast.lock.tck.order.ScriptedServer.Kind;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One that was sent to a {@link ScriptedServer}, and has no answer yet. */
final class Request<T> {

  final Kind kind;
  private final Supplier<T> work;
  private final Consumer<T> told;
  final CompletableFuture<T> answer = new CompletableFuture<>();
  private Optional<T> found = Optional.empty();

  Request(Kind kind, Supplier<T> work, Consumer<T> told) {
    this.kind = kind;
    this.work = work;
    this.told = told;
  }

  boolean hasArrived() {
    return found.isPresent();
  }

  void arrive() {
    found = Optional.of(work.get());
  }

  void answer() {
    T known = found.orElseThrow();
    told.accept(known);
    answer.complete(known);
  }

  void fail(LockException failure) {
    answer.completeExceptionally(failure);
  }
}
