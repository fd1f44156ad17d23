/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The states that an observer was told of. */
final class RecordedStates {

  private final BlockingQueue<WorkerState> states = new LinkedBlockingQueue<>();

  void add(WorkerState entered) {
    states.add(entered);
  }

  /** Takes out all up to the state that is wanted. */
  void await(WorkerState wanted) throws InterruptedException {
    WorkerState seen;
    do {
      seen = states.poll(Patience.SECONDS, TimeUnit.SECONDS);
      assertTrue(seen != null, "never " + wanted);
    } while (seen != wanted);
  }

  /** Those that were not taken out. */
  List<WorkerState> left() {
    return List.copyOf(states);
  }
}
