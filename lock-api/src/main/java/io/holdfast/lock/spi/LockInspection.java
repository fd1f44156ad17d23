/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockHolder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Answers questions about the locks of a backend's namespace, held by any client. The rules are
 * those of {@link LockBackend} for operations that return a {@link CompletionStage}. Tokens here
 * are the backend's own numbers, as in {@link Attempt.Granted}. Values that the server does not
 * tell are left empty, never guessed.
 */
public interface LockInspection {

  /**
   * Looks up the holder of a lock; of a name that several hold, one of them.
   *
   * @param lockName already validated
   * @return empty if it is free; a waiter is no holder, and neither is what is no lock
   */
  CompletionStage<Optional<LockHolder>> holder(String lockName);

  /**
   * Looks up all holders of a name. Asked instead of {@link #holder} where {@link
   * Capabilities#sharing()} is not {@link Capabilities.Sharing#NONE}.
   *
   * @param lockName already validated
   * @return in the order of their grants; none if it is free
   */
  default CompletionStage<List<LockHolder>> holders(String lockName) {
    return holder(lockName).thenApply(held -> held.map(List::of).orElse(List.of()));
  }

  /**
   * Gives a semaphore that is in use another capacity, in one atomic step. Leases go on; if they
   * hold more than it has now, nothing is granted until they fit. From then on the old capacity is
   * refused as any other ({@link io.holdfast.lock.LockCapacityException}). Wakes waiters, as more
   * may fit. Only asked of a backend with {@link Capabilities.Sharing#PERMITS}.
   *
   * @param lockName already validated
   * @param from the capacity that it has
   * @param to the capacity that it is to have; both are those of semaphores of more than 1 permit
   * @return whether it was in use with the capacity {@code from}
   */
  default CompletionStage<Boolean> changeCapacity(String lockName, int from, int to) {
    throw new UnsupportedOperationException(
        "This backend changes no capacities; see Capabilities.sharing()");
  }

  /**
   * The names of all locks that may be held.
   *
   * @return each lock that is held throughout; others may be among them, as they are asked for with
   *     {@link #holder} next
   */
  CompletionStage<Set<String>> names();

  /**
   * Frees a lock, or what that holder has of a name, if that holder still has it, by its owner id
   * where there is one, by its session otherwise; in one atomic step at the server. Wakes waiters
   * as a release does.
   *
   * @param holder as {@link #holder} has told
   * @return whether it had the lock; fails with a {@link io.holdfast.lock.LockRejectedException} if
   *     that would take other locks away
   */
  CompletionStage<Boolean> evict(LockHolder holder);
}
