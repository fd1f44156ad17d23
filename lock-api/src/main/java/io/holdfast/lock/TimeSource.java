/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.time.Duration;

/**
 * The engine's only clock and only timer. The system's is used unless another one is given: the
 * in-memory backend has one that tests drive by hand.
 */
public interface TimeSource {

  /**
   * The host's clock, with a daemon thread for the timer. On Linux it counts the time during which
   * the host was suspended.
   *
   * @return a new source, to be closed by the caller
   */
  static TimeSource host() {
    return new HostTime();
  }

  /**
   * Monotonic time in nanoseconds with an arbitrary origin, to be compared by subtraction only.
   * Steps of the wall clock do not change it. It goes on while the host is suspended, where the
   * platform can tell.
   *
   * @return now
   */
  long nanos();

  /**
   * Runs a task once, on a thread of this source, no earlier than after the delay. Tasks are short
   * and do not block.
   *
   * @param delay from now; zero or less means as soon as possible
   * @param task what to run; it throws nothing
   * @return a handle to cancel it; that does not wait for a task that runs already
   */
  Timer schedule(Duration delay, Runnable task);

  /** Ends the threads of this source. Tasks that have not run by then never run. */
  void close();

  /** A scheduled task. */
  @FunctionalInterface
  interface Timer {

    /** Cancels the task, if it has not begun. Idempotent. */
    void cancel();
  }
}
