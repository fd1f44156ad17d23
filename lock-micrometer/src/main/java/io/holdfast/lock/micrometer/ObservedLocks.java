/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedLock.LeaseAction;
import io.holdfast.lock.DistributedLock.LeaseFunction;
import io.holdfast.lock.Lease;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs work under a lock as one observation, which a tracer turns into one span: it begins before
 * the lock is asked for, is a child of the caller's, and ends after the release. It has an event
 * {@code granted}, and {@code lost} at the moment of a loss. The body runs in its scope. It needs
 * no meters ({@link HoldfastMeters}), nor do they need it.
 *
 * <p>Low cardinality: {@code client}, {@code family}, {@code mode} ({@code lock}, {@code read},
 * {@code write}, {@code permits}), {@code outcome} ({@code released}, {@code lost}, {@code
 * not_granted}). High cardinality, for spans only: {@code lock.name}, {@code lock.owner}.
 */
public final class ObservedLocks {

  static final String NAME = "holdfast.lock.run";

  private final ObservationRegistry registry;
  private final MeterOptions options;

  /**
   * Observes in a registry.
   *
   * @param registry where the handlers are
   * @param options tags
   */
  public ObservedLocks(ObservationRegistry registry, MeterOptions options) {
    this.registry = Objects.requireNonNull(registry, "registry");
    this.options = Objects.requireNonNull(options, "options");
  }

  /**
   * As {@link DistributedLock#run}, observed.
   *
   * @param <E> what the body throws
   * @param lock the lock
   * @param body what to do while the lock is held
   * @throws E from the body
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public <E extends Exception> void run(DistributedLock lock, LeaseAction<E> body)
      throws E, InterruptedException {
    Objects.requireNonNull(body, "body");
    this.<Lease, E>call(
        lock,
        lease -> {
          body.run(lease);
          return lease;
        });
  }

  /**
   * As {@link DistributedLock#call}, observed.
   *
   * @param <T> what the body returns
   * @param <E> what the body throws
   * @param lock the lock
   * @param body what to do while the lock is held
   * @return what the body returned
   * @throws E from the body
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public <T, E extends Exception> T call(DistributedLock lock, LeaseFunction<T, E> body)
      throws E, InterruptedException {
    Objects.requireNonNull(body, "body");
    ObservedRun span = start(lock, null);
    Observation.Scope scope = span.observation().openScope();
    try {
      return lock.<T, E>call(
          lease -> {
            span.granted(lease);
            lease.onLoss(loss -> span.lost());
            return body.call(lease);
          });
    } catch (Throwable thrown) {
      span.failed(thrown);
      throw thrown;
    } finally {
      scope.close();
      span.stop();
    }
  }

  /**
   * Starts the observation of work that asks for a lock and releases it by itself, as asynchronous
   * code does. It has to be told what happens, and to be stopped.
   *
   * @param lock that will be asked for
   * @param parent what the work is a part of; null for the current observation of the thread
   * @return the observation, which is started
   */
  public ObservedRun start(DistributedLock lock, @Nullable Observation parent) {
    String family = options.family(lock.name());
    Observation observation =
        Observation.createNotStarted(NAME, registry)
            .contextualName("lock " + family)
            .lowCardinalityKeyValue("client", options.clientName())
            .lowCardinalityKeyValue("family", family)
            .lowCardinalityKeyValue(FamilyMeters.MODE, MeterOptions.value(lock.share().mode()))
            .lowCardinalityKeyValue(ObservedRun.OUTCOME, ObservedRun.NOT_GRANTED)
            .highCardinalityKeyValue("lock.name", lock.name());
    if (parent != null) {
      observation.parentObservation(parent);
    }
    return new ObservedRun(observation.start());
  }
}
