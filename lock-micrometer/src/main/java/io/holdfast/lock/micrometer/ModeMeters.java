/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The meters of one family of locks in one mode. All are registered at once, with every value of
 * their other tags: a counter that appears with its first count has no increase that an alert could
 * see.
 */
final class ModeMeters {

  private static final String OUTCOME = "outcome";

  private final MeterRegistry registry;
  private final Tags tags;
  private final Supplier<Stream<LockStatus>> locks;
  private final List<Meter> registered = new ArrayList<>();

  private final Timer waitedForGrant;
  private final Map<LockEvent.GaveUp.Reason, Timer> waitedInVain =
      new EnumMap<>(LockEvent.GaveUp.Reason.class);
  private final Timer heldAndReleased;
  private final Timer heldAndUnknown;
  private final Timer heldAndLost;
  private final Map<LossReason, Counter> losses = new EnumMap<>(LossReason.class);
  private final Counter granted;
  private final Counter contended;
  private final Counter failed;
  private final Counter handOvers;
  private final Counter renewed;
  private final Counter renewalsFailed;
  private final Counter warned;
  private final Counter endedEarlier;

  ModeMeters(MeterRegistry registry, Tags tags, Supplier<Stream<LockStatus>> locks) {
    this.registry = registry;
    this.tags = tags;
    this.locks = locks;
    this.waitedForGrant = wait("granted");
    for (LockEvent.GaveUp.Reason reason : LockEvent.GaveUp.Reason.values()) {
      waitedInVain.put(reason, wait(MeterOptions.value(reason)));
    }
    this.heldAndReleased = hold("released");
    this.heldAndUnknown = hold("unknown");
    this.heldAndLost = hold("lost");
    for (LossReason reason : LossReason.values()) {
      losses.put(
          reason,
          counter(
              "holdfast.lock.losses",
              "losses",
              "Leases that ended without a release",
              Tags.of("reason", MeterOptions.value(reason))));
    }
    this.granted = attempts("granted");
    this.contended = attempts("contended");
    this.failed = attempts("failed");
    this.handOvers =
        counter(
            "holdfast.lock.handovers",
            "handovers",
            "Grants that were passed on within the client, without the server",
            Tags.empty());
    this.renewed = renewals("extended");
    this.renewalsFailed = renewals("failed");
    this.warned =
        counter(
            "holdfast.lock.early.warnings",
            "warnings",
            "Leases with little validity left whose renewals failed",
            Tags.empty());
    this.endedEarlier =
        counter(
            "holdfast.lock.earlier.ends",
            "ends",
            "Earlier ends that holders of leases of fixed time have set",
            Tags.empty());
    gauges();
  }

  /** Takes one event of a lock of this family and mode. */
  void count(LockEvent event) {
    if (event instanceof LockEvent.Granted grant) {
      waitedForGrant.record(grant.waited());
      (grant.handedOver() ? handOvers : granted).increment();
    } else if (event instanceof LockEvent.Contended) {
      contended.increment();
    } else if (event instanceof LockEvent.AttemptFailed) {
      failed.increment();
    } else if (event instanceof LockEvent.GaveUp end) {
      of(waitedInVain, end.reason()).record(end.waited());
    } else if (event instanceof LockEvent.Renewed) {
      renewed.increment();
    } else if (event instanceof LockEvent.RenewalFailed) {
      renewalsFailed.increment();
    } else if (event instanceof LockEvent.EarlyWarning) {
      warned.increment();
    } else if (event instanceof LockEvent.EndsEarlier) {
      endedEarlier.increment();
    } else if (event instanceof LockEvent.Lost loss) {
      heldAndLost.record(loss.held());
      of(losses, loss.reason()).increment();
    } else if (event instanceof LockEvent.Released release) {
      (release.outcome() == ReleaseOutcome.UNKNOWN ? heldAndUnknown : heldAndReleased)
          .record(release.held());
    }
  }

  void remove() {
    registered.forEach(registry::remove);
  }

  private Timer wait(String outcome) {
    return timer(
        "holdfast.lock.wait", "From asking for a lock to its grant, or to the end", outcome);
  }

  private Timer hold(String outcome) {
    return timer("holdfast.lock.hold", "From the grant of a lease to its end", outcome);
  }

  private Timer timer(String name, String description, String outcome) {
    return keep(
        Timer.builder(name)
            .description(description)
            .tags(tags.and(OUTCOME, outcome))
            .register(registry));
  }

  private Counter attempts(String outcome) {
    return counter(
        "holdfast.lock.attempts",
        "attempts",
        "Answers of the server to requests for a lock",
        Tags.of(OUTCOME, outcome));
  }

  private Counter renewals(String outcome) {
    return counter(
        "holdfast.lock.renewals",
        "renewals",
        "Renewals of leases: extended, or not answered",
        Tags.of(OUTCOME, outcome));
  }

  private Counter counter(String name, String unit, String description, Tags more) {
    return keep(
        Counter.builder(name)
            .baseUnit(unit)
            .description(description)
            .tags(tags.and(more))
            .register(registry));
  }

  private void gauges() {
    keep(
        Gauge.builder("holdfast.lock.held", this, ModeMeters::held)
            .description("Leases that are held and valid now")
            .baseUnit("leases")
            .tags(tags)
            .register(registry));
    keep(
        TimeGauge.builder(
                "holdfast.lock.validity.min", this, TimeUnit.NANOSECONDS, ModeMeters::least)
            .description(
                "The shortest validity left of the leases that are held; NaN if there is none")
            .tags(tags)
            .register(registry));
  }

  private <M extends Meter> M keep(M meter) {
    registered.add(meter);
    return meter;
  }

  private double held() {
    return locks.get().mapToInt(LockStatus::leases).sum();
  }

  /** In nanoseconds. */
  private double least() {
    return locks
        .get()
        .flatMap(lock -> lock.validity().stream())
        .mapToLong(Duration::toNanos)
        .min()
        .stream()
        .mapToDouble(nanos -> nanos)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static <K, V> V of(Map<K, V> meters, K key) {
    return Objects.requireNonNull(meters.get(key));
  }
}
