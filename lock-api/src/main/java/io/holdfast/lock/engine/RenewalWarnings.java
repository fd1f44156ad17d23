/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Those who want to be told that little validity of a lease is left while its renewals fail. Each
 * is told once for an episode, which ends with a renewal that succeeds. Touched on the strand only.
 */
final class RenewalWarnings {

  /** One of them. */
  static final class Warning {

    private final long leftNanos;
    private final Executor executor;
    private final Consumer<? super LockEvent.RenewalFailed> callback;
    private boolean told;

    Warning(Duration left, Executor executor, Consumer<? super LockEvent.RenewalFailed> callback) {
      if (left.isNegative() || left.isZero()) {
        throw new IllegalArgumentException("left must be positive, but is " + TimeText.of(left));
      }
      this.leftNanos = Validity.nanos(left);
      this.executor = executor;
      this.callback = Objects.requireNonNull(callback, "callback");
    }

    /** Listeners hear of it in order with everything else, and on their own executor. */
    static Warning ofListeners(Duration left, Events events) {
      return new Warning(
          left,
          Runnable::run,
          told -> {
            events.publish(
                new LockEvent.EarlyWarning(
                    told.lockName(), told.ownerId(), told.share(), told.cause(), told.remaining()));
            JfrLeaseEvents.warned(told);
          });
    }
  }

  private final LeaseLife lease;
  private final EngineClient client;
  private final List<Warning> warnings = new ArrayList<>(1);
  private @Nullable LockException failure;
  private TimeSource.@Nullable Timer next;

  RenewalWarnings(LeaseLife lease) {
    this.lease = lease;
    this.client = lease.tenure.client;
  }

  void add(Warning warning, @Nullable LockException failureSoFar) {
    warnings.add(warning);
    failing(failureSoFar);
  }

  /** Why renewals fail; nothing if the last one succeeded. */
  void failing(@Nullable LockException why) {
    failure = why;
    if (why == null) {
      warnings.forEach(warning -> warning.told = false);
    }
    look();
  }

  private void look() {
    cancel();
    LockException why = failure;
    Duration remaining = lease.remaining();
    if (why == null || remaining.isZero()) {
      return;
    }
    long pause = Long.MAX_VALUE;
    for (Warning warning : warnings) {
      long early = remaining.toNanos() - warning.leftNanos;
      if (!warning.told && early <= 0) {
        warning.told = true;
        tell(warning, why, remaining);
      } else if (!warning.told) {
        pause = Math.min(pause, early);
      }
    }
    if (pause < Long.MAX_VALUE) {
      next = client.time.schedule(Duration.ofNanos(pause), () -> lease.tenure.onStrand(this::look));
    }
  }

  private void tell(Warning warning, LockException why, Duration remaining) {
    LockEvent.RenewalFailed told =
        new LockEvent.RenewalFailed(
            lease.tenure.lockName, lease.tenure.ownerId, lease.share, why, remaining);
    warning.executor.execute(() -> warning.callback.accept(told));
  }

  private void cancel() {
    if (next != null) {
      next.cancel();
      next = null;
    }
  }
}
