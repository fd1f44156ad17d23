/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import java.util.concurrent.CompletableFuture;

/**
 * One request, on its way through a {@link ConnectionWorker}.
 *
 * @param <Q> what is asked
 * @param <A> what is answered
 */
public final class PendingRequest<Q, A> {

  private final Q request;
  private final CompletableFuture<A> answer = new CompletableFuture<>();

  PendingRequest(Q request) {
    this.request = request;
  }

  public Q request() {
    return request;
  }

  public CompletableFuture<A> answer() {
    return answer;
  }

  public void answer(A value) {
    answer.complete(value);
  }

  public void fail(Throwable failure) {
    answer.completeExceptionally(failure);
  }
}
