/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import java.time.Duration;
import java.util.Optional;

/** The answer of one node to one claim. */
sealed interface Vote {

  /**
   * The node holds the lock for the claim.
   *
   * @param number drawn for it there; the node has stored it
   */
  record Yes(long number) implements Vote {}

  /**
   * The node holds the lock for another.
   *
   * @param owner whose
   * @param askAgainIn what is left of its TTL; empty if it has none
   */
  record No(String owner, Optional<Duration> askAgainIn) implements Vote {}

  /**
   * The node does not count: it did not answer, could not, or has been started too recently.
   *
   * @param why for the message that there is no quorum
   */
  record None(LockException why) implements Vote {}
}
