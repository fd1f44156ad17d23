/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockException;
import org.jspecify.annotations.Nullable;

/**
 * What the backend has answered last to one {@link Acquisition}, if that was no lease. Listeners
 * are told of each answer, and the local queue learns the capacity from it. On the strand.
 */
final class LastAnswer {

  private final LocalQueue queue;
  private final AcquisitionEvents events;

  private boolean contended;
  private @Nullable LockException failure;

  /** Nothing is answered yet. */
  LastAnswer(LocalQueue queue, AcquisitionEvents events) {
    this.queue = queue;
    this.events = events;
  }

  /** It has to wait. A failure before that does not count any more. */
  void contended(Contender asked) {
    contended = true;
    failure = null;
    queue.capacityIs(asked.share.capacity());
    events.contended(asked.ownerId);
  }

  /** It was refused, got no answer, or got one that is no use any more. */
  void failed(Contender asked, LockException why) {
    contended = false;
    failure = why;
    if (why instanceof LockCapacityException other) {
      queue.capacityIs(other.inUse());
    }
    events.attemptFailed(asked.ownerId, why);
  }

  /** Whether it was that it has to wait. */
  boolean isContended() {
    return contended;
  }

  /** Null if it was that it has to wait, or if there is no answer yet. */
  @Nullable LockException failure() {
    return failure;
  }
}
