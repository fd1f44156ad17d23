/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.Lease;
import io.holdfast.lock.ReleaseOutcome;
import org.springframework.core.Ordered;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.publisher.Mono;

/** Ties leases to the reactive transaction of a subscriber. Needs {@code spring-tx}. */
final class ReactiveTransactions {

  private ReactiveTransactions() {}

  /**
   * If a transaction is under way, it commits only if the lease is valid then, and releases it when
   * it has ended.
   *
   * @param tied called when that is so. Not before: a cancellation that comes in between gives the
   *     lease back by itself, and the transaction does so once more
   * @param released called when it has released the lease
   */
  static Mono<Lease> tie(Lease lease, Runnable tied, Runnable released) {
    return TransactionSynchronizationManager.forCurrentTransaction()
        .doOnNext(
            manager -> {
              if (manager.isActualTransactionActive() && manager.isSynchronizationActive()) {
                manager.registerSynchronization(new Tie(lease, released));
                tied.run();
              }
            })
        .onErrorComplete(NoTransactionException.class)
        .thenReturn(lease);
  }

  /** The last to be asked before the commit, and the last to be told of it. */
  private record Tie(Lease lease, Runnable whenReleased)
      implements TransactionSynchronization, Ordered {

    @Override
    public int getOrder() {
      return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public Mono<Void> beforeCommit(boolean readOnly) {
      return Mono.fromRunnable(lease::ensureValid);
    }

    /** Where the lease has a transaction of its own, that ends as the other one did. */
    @Override
    public Mono<Void> afterCompletion(int status) {
      Mono<ReleaseOutcome> released = Mono.fromFuture(lease::releaseAsync);
      return (status == STATUS_COMMITTED ? released.then() : ReactiveLocking.undo(lease))
          .doOnTerminate(whenReleased)
          .doOnCancel(whenReleased);
    }
  }
}
