/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockEvent.GaveUp.Reason;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Ends an {@link Acquisition} once: stops its schedule, tells listeners, leaves its place in the
 * queue, and completes the caller's future. On the strand.
 */
final class AcquisitionOutcome {

  private final EngineClient client;
  private final LocalQueue queue;
  private final LockOptions options;
  private final AttemptSchedule schedule;
  private final AcquisitionEvents events;
  private final CompletableFuture<Optional<LeaseLife>> result = new CompletableFuture<>();

  AcquisitionOutcome(
      EngineClient client,
      LocalQueue queue,
      LockOptions options,
      AttemptSchedule schedule,
      AcquisitionEvents events) {
    this.client = client;
    this.queue = queue;
    this.options = options;
    this.schedule = schedule;
    this.events = events;
  }

  CompletableFuture<Optional<LeaseLife>> result() {
    return result;
  }

  /** The client has the lock at the backend, from now on until the tenure ends. */
  Tenure begin(
      Contender asking, long token, RenewalTerms terms, long sentAt, long now, Duration leaseTime) {
    Tenure tenure =
        new Tenure(client, queue, asking, token, terms, options.handOver(), sentAt, now, leaseTime);
    asking.granted(tenure);
    client.renewals.add(tenure);
    queue.granted(tenure);
    return tenure;
  }

  void granted(LeaseLife granted, boolean handedOver) {
    schedule.end();
    events.granted(granted, handedOver, schedule.made());
    result.complete(Optional.of(granted));
    if (client.isClosed()) {
      granted.tenure.lose(LossReason.CLIENT_CLOSED);
    }
  }

  /**
   * No lease. The claim is released at the backend, and the next waiter's turn comes when that has
   * been tried.
   *
   * @param ended what was asked with; null while it was not its turn
   * @param failure null if it is somebody else's lock
   */
  void gaveUp(
      Acquisition acquisition,
      @Nullable Contender ended,
      Reason reason,
      @Nullable LockException failure) {
    schedule.end();
    events.gaveUp(ended == null ? "" : ended.ownerId, reason, schedule.made());
    if (ended == null) {
      queue.leave(acquisition);
    } else {
      client
          .cleanup
          .release(ended.claim, acquisition.keptByServer())
          .whenComplete((answer, failed) -> queue.exit());
    }
    if (failure == null) {
      result.complete(Optional.empty());
    } else {
      result.completeExceptionally(failure);
    }
  }
}
