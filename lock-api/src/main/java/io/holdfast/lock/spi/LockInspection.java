/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.LockHolder;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * What a backend can say about the locks of its namespace, whoever holds them. The rules are those
 * of {@link LockBackend} for operations that return a {@link CompletionStage}. Tokens here are the
 * backend's own numbers, as in {@link Attempt.Granted}. What the server does not tell is left
 * empty, never guessed.
 */
public interface LockInspection {

  /**
   * Who holds a lock.
   *
   * @param lockName already validated
   * @return empty if it is free; a waiter is no holder, and neither is what is no lock
   */
  CompletionStage<Optional<LockHolder>> holder(String lockName);

  /**
   * The names of all locks that may be held.
   *
   * @return each lock that is held throughout; others may be among them, as they are asked for with
   *     {@link #holder} next
   */
  CompletionStage<Set<String>> names();

  /**
   * Frees a lock if that holder still has it, by its owner id where there is one, by its session
   * otherwise; in one atomic step at the server. Wakes waiters as a release does.
   *
   * @param holder as {@link #holder} has told
   * @return whether it had the lock; fails with a {@link io.holdfast.lock.LockRejectedException} if
   *     that would take other locks away
   */
  CompletionStage<Boolean> evict(LockHolder holder);
}
