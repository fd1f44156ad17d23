/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.micrometer.ObservedLocks;
import io.holdfast.lock.micrometer.ObservedRun;
import io.holdfast.lock.spring.LockObserver;
import io.micrometer.observation.Observation;
import java.util.Optional;

/** Makes an observation of all work under a lock. */
final class LockObservations implements LockObserver {

  /** Where Micrometer itself has the current one: {@code ObservationThreadLocalAccessor.KEY}. */
  private static final String KEY = "micrometer.observation";

  private final ObservedLocks locks;

  LockObservations(ObservedLocks locks) {
    this.locks = locks;
  }

  @Override
  public Work begin(DistributedLock lock, Optional<Object> parent) {
    return new Observed(
        locks.start(
            lock,
            parent
                .filter(Observation.class::isInstance)
                .map(Observation.class::cast)
                .orElse(null)));
  }

  @Override
  public Object contextKey() {
    return KEY;
  }

  private record Observed(ObservedRun run) implements Work {

    @Override
    public Optional<Object> context() {
      Observation observation = run.observation();
      return observation.isNoop() ? Optional.empty() : Optional.of(observation);
    }

    @Override
    public Runnable open() {
      return run.observation().openScope()::close;
    }

    @Override
    public void granted(Lease lease) {
      run.granted(lease);
    }

    @Override
    public void failed(Throwable thrown) {
      run.failed(thrown);
    }

    @Override
    public void end() {
      run.stop();
    }
  }
}
