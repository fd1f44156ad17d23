/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One question to all nodes: whether the lock is a claim's there. Answers what a quorum says. */
final class QuorumRequest {

  private final NodeGroup group;
  private final String operation;
  private final Tally tally;
  private final ReentrantLock lock = new ReentrantLock();
  private final CompletableFuture<Boolean> decided = new CompletableFuture<>();

  /**
   * A question that is not sent yet.
   *
   * @param operation the beginning of the message if no quorum answers
   */
  QuorumRequest(NodeGroup group, String operation) {
    this.group = group;
    this.operation = operation;
    this.tally = new Tally(group.size());
  }

  /** The answer of a quorum; fails if none answers. */
  CompletableFuture<Boolean> decided() {
    return decided;
  }

  /**
   * Asks all nodes at once.
   *
   * @param ask asks one of them
   * @param failed told of each that has not answered
   * @return {@link #decided()}
   */
  CompletableFuture<Boolean> send(IntFunction<CompletableFuture<Boolean>> ask, IntConsumer failed) {
    for (int i = 0; i < group.size(); i++) {
      int node = i;
      ask.apply(node)
          .whenComplete(
              (ours, failure) -> {
                answered(ours, failure);
                if (failure != null) {
                  failed.accept(node);
                }
              });
    }
    return decided;
  }

  private void answered(@Nullable Boolean ours, @Nullable Throwable failure) {
    Tally.Outcome outcome;
    lock.lock();
    try {
      outcome =
          ours != null ? tally.answered(ours) : tally.failed(NodeGroup.typed(operation, failure));
    } finally {
      lock.unlock();
    }
    if (outcome == Tally.Outcome.UNKNOWN) {
      decided.completeExceptionally(group.noQuorum(operation, tally.failures()));
    } else if (outcome != Tally.Outcome.OPEN) {
      decided.complete(outcome == Tally.Outcome.OURS);
    }
  }
}
