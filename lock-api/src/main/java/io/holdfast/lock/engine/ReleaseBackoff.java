/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Capabilities;
import java.time.Duration;

/**
 * Decides for how long the next waiter of a client that has had the lock lets other clients go
 * first: they learn of the release by a message, and would come too late each time. Where the
 * server keeps a queue, nobody has to be let.
 *
 * <p>It is a small part of the time for which the lock was held, so that it costs little where
 * nobody else wants the lock; and nothing where that would be shorter than others need.
 */
final class ReleaseBackoff {

  private static final int PART = 8;
  private static final long LEAST_NANOS = 200_000;
  private static final long MOST_NANOS = Duration.ofMillis(2).toNanos();

  private final boolean due;

  ReleaseBackoff(Capabilities.Ordering ordering) {
    this.due = ordering == Capabilities.Ordering.UNORDERED;
  }

  /** In nanoseconds, after a tenure that was as long. */
  long after(long heldNanos) {
    long pause = Math.min(heldNanos / PART, MOST_NANOS);
    return due && pause >= LEAST_NANOS ? pause : 0;
  }
}
