/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import java.util.EnumSet;
import java.util.Set;

/** The state of a {@link LockWorker}. */
public enum WorkerState {
  /** Not started, or stopped: no lease, no work, no thread. */
  IDLE,
  /** Waits for the lock. */
  ACQUIRING,
  /** Holds the lock, and the work goes on. */
  WORKING,
  /** The work goes on under a lease that is valid, but whose last renewal got no answer. */
  RENEWING,
  /** The lock is lost, or will be soon: the work is being stopped. */
  PAUSING,
  /** No lease and no work; a pause before the lock is asked for again. */
  WAITING,
  /** The worker was stopped, or the work failed: the work is being stopped under a valid lease. */
  CLEANING_UP,
  /** The work has stopped, and the lock is being given back. */
  RELEASING;

  /**
   * The states that may follow.
   *
   * @return a new set
   */
  public Set<WorkerState> next() {
    return switch (this) {
      case IDLE -> EnumSet.of(ACQUIRING);
      case ACQUIRING -> EnumSet.of(WORKING, WAITING, IDLE);
      case WORKING -> EnumSet.of(RENEWING, PAUSING, CLEANING_UP);
      case RENEWING -> EnumSet.of(WORKING, PAUSING, CLEANING_UP);
      case PAUSING, CLEANING_UP -> EnumSet.of(RELEASING);
      case RELEASING -> EnumSet.of(WAITING, IDLE);
      case WAITING -> EnumSet.of(ACQUIRING, IDLE);
    };
  }
}
