/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.LossReason;

/**
 * Signals of a backend to the engine about one claim, unasked. The methods may be called from any
 * thread, never block, and never call back into the backend on the same stack while it holds a
 * lock.
 */
public interface ClaimSignals {

  /**
   * It may be worth while to attempt again now. A hint: it may be lost, doubled or spurious. The
   * engine polls all the same.
   */
  void wake();

  /**
   * The lock was released, and another waiter was told to ask for it. A claim that pauses leaves
   * that one a moment, instead of asking when its pause is over. If this claim had the lock, the
   * client's next one does: for that it is told before its release completes. A hint like {@link
   * #wake}: attempts decide which client gets the lock.
   */
  default void othersFirst() {
    // The next attempt comes when the pause is over.
  }

  /**
   * The lease that this claim held, or its place in the queue, is gone. Final for a lease; a waiter
   * attempts anew. Harmless for a claim that was released.
   *
   * @param reason why
   */
  void lost(LossReason reason);
}
