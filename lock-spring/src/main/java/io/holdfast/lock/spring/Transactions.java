/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.Lease;
import java.util.function.Consumer;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Ties leases to the transaction of a thread. Needs {@code spring-tx}. */
final class Transactions {

  private Transactions() {}

  static boolean isRunning() {
    return TransactionSynchronizationManager.isActualTransactionActive()
        && TransactionSynchronizationManager.isSynchronizationActive();
  }

  /**
   * Lets the transaction of this thread commit only if the lease is valid then.
   *
   * @param whenEnded told whether it was committed
   */
  static void tie(Lease lease, Consumer<Boolean> whenEnded) {
    TransactionSynchronizationManager.registerSynchronization(new Tie(lease, whenEnded));
  }

  /** The last to be asked before the commit, and the last to be told of it. */
  private record Tie(Lease lease, Consumer<Boolean> whenEnded)
      implements TransactionSynchronization, Ordered {

    @Override
    public int getOrder() {
      return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
      lease.ensureValid();
    }

    @Override
    public void afterCompletion(int status) {
      whenEnded.accept(status == STATUS_COMMITTED);
    }
  }
}
