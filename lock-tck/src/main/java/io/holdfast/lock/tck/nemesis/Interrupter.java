/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Interrupts threads some time later, unless they have disarmed it before. */
final class Interrupter implements AutoCloseable {

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "nemesis-interrupter");
            thread.setDaemon(true);
            return thread;
          });

  private enum State {
    ARMED,
    STRIKING,
    OVER
  }

  /** An interrupt to come. */
  static final class Armed {

    private final Thread thread = Thread.currentThread();
    private final AtomicReference<State> state = new AtomicReference<>(State.ARMED);

    private Armed() {}

    private void scheduled() {
      if (state.compareAndSet(State.ARMED, State.STRIKING)) {
        thread.interrupt();
        state.set(State.OVER);
      }
    }

    /** From now on the calling thread is not interrupted by this, and has not been. */
    void disarm() {
      if (!state.compareAndSet(State.ARMED, State.OVER)) {
        while (state.get() != State.OVER) {
          Thread.onSpinWait();
        }
      }
      Thread.interrupted();
    }
  }

  /** Interrupts the calling thread later. */
  Armed arm(Duration after) {
    Armed armed = new Armed();
    timer.schedule(armed::scheduled, after.toNanos(), TimeUnit.NANOSECONDS);
    return armed;
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
