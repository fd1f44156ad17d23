/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockLostException;
import io.micrometer.observation.Observation;
import io.micrometer.observation.Observation.Event;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One observation of {@link ObservedLocks}, from its start to its end, for code that asks for a
 * lock and releases it by itself. For any thread, one after another.
 */
public final class ObservedRun {

  static final String OUTCOME = "outcome";
  static final String NOT_GRANTED = "not_granted";

  private static final String LOST_OUTCOME = "lost";
  private static final Event GRANTED = Event.of("granted", "lock granted");
  private static final Event LOST = Event.of(LOST_OUTCOME, "lock lost");

  private final Observation observation;

  /** A loss is told on another thread, and must not follow the end. */
  private final ReentrantLock mutex = new ReentrantLock();

  private @Nullable Lease lease;
  private boolean lost;
  private boolean stopped;

  ObservedRun(Observation started) {
    this.observation = started;
  }

  /**
   * The observation, to open its scope, or to make it the parent of others.
   *
   * @return it is started
   */
  public Observation observation() {
    return observation;
  }

  /**
   * The lock was granted. A loss is told at the end: to wait for it would keep a lease that nobody
   * refers to any more.
   *
   * @param granted the lease
   */
  public void granted(Lease granted) {
    if (observation.isNoop()) {
      return;
    }
    mutex.lock();
    try {
      if (!stopped) {
        lease = granted;
        observation.lowCardinalityKeyValue(OUTCOME, "released");
        observation.highCardinalityKeyValue("lock.owner", granted.ownerId());
        observation.event(GRANTED);
      }
    } finally {
      mutex.unlock();
    }
  }

  /** The lease was lost, which is told now and not at the end. */
  void lost() {
    mutex.lock();
    try {
      if (!stopped && !lost) {
        lost = true;
        observation.lowCardinalityKeyValue(OUTCOME, LOST_OUTCOME);
        observation.event(LOST);
      }
    } finally {
      mutex.unlock();
    }
  }

  /**
   * The lock could not be had, or the work has failed. Ignored after the end.
   *
   * @param thrown what the observation has as its error
   */
  public void failed(Throwable thrown) {
    mutex.lock();
    try {
      if (!stopped) {
        observation.error(thrown);
        if (thrown instanceof LockLostException) {
          observation.lowCardinalityKeyValue(OUTCOME, LOST_OUTCOME);
        }
      }
    } finally {
      mutex.unlock();
    }
  }

  /** The lock was released, or was not granted. Harmless when repeated. */
  public void stop() {
    Lease granted = lease;
    if (granted != null && granted.loss().getNow(null) != null) {
      lost();
    }
    mutex.lock();
    try {
      if (!stopped) {
        stopped = true;
        observation.stop();
      }
    } finally {
      mutex.unlock();
    }
  }
}
