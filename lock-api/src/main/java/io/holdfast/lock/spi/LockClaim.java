/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One contender for one lock, from its first attempt to its release. It may keep a place in a queue
 * at the server between attempts. The engine never has two attempts of one claim in flight, and may
 * call {@link #release()} at any moment, also during an attempt and from another thread.
 */
public interface LockClaim {

  /**
   * Asks once for the lock. Asked again by a claim that holds already (its first answer was lost,
   * say), it grants again, with the same token or a greater one.
   *
   * @return granted or contended
   */
  CompletionStage<Attempt> attempt();

  /**
   * Ends this claim: frees the lock if this claim owns it, leaves the queue if it waits, and undoes
   * an attempt whose outcome is unknown. When the stage has completed normally, nothing of this
   * claim is at the server, and nothing of it that was sent earlier can arrive there later, except
   * for what a server removes by itself when it ends a session that is over already. When the stage
   * has failed, the engine calls again. Atomic, and never touches what another owner holds. After
   * the first call no attempt follows.
   *
   * @return what was found
   */
  CompletionStage<ReleaseAnswer> release();

  /**
   * As {@link #release()}, and undoes what was done under the lock in a transaction that belongs to
   * it: the lease was lost, or its holder did not come to a good end. Where a lock stands for
   * itself there is nothing to undo.
   *
   * @return what was found
   */
  default CompletionStage<ReleaseAnswer> discard() {
    return release();
  }

  /**
   * Something of the backend that belongs to this claim while it holds the lock, for the holder.
   * Asked from any thread.
   *
   * @param type what is wanted
   * @param <T> what is wanted
   * @return empty if there is no such thing
   */
  default <T> Optional<T> unwrap(Class<T> type) {
    return Optional.empty();
  }
}
