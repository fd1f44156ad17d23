/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.Share;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The meters of one family of locks. Those of a mode are registered when it is first heard of, as
 * most families have one.
 */
final class FamilyMeters {

  static final String MODE = "mode";

  private final MeterRegistry registry;
  private final Tags tags;
  private final String family;
  private final LockMeters all;
  private final Gauge waiters;
  private final Map<Share.Mode, ModeMeters> modes = new ConcurrentHashMap<>();

  FamilyMeters(MeterRegistry registry, Tags tags, String family, LockMeters all) {
    this.registry = registry;
    this.tags = tags;
    this.family = family;
    this.all = all;
    this.waiters =
        Gauge.builder("holdfast.lock.waiters", this, FamilyMeters::waiters)
            .description("Acquisitions that wait for a lock now")
            .baseUnit("waiters")
            .tags(tags)
            .register(registry);
  }

  boolean has(Share.Mode mode) {
    return modes.containsKey(mode);
  }

  /** Registers the meters of a mode, if they are not yet there. */
  ModeMeters of(Share.Mode mode) {
    return modes.computeIfAbsent(
        mode,
        added ->
            new ModeMeters(registry, tags.and(MODE, MeterOptions.value(added)), () -> held(added)));
  }

  /** Takes one event of a lock of this family. */
  void count(LockEvent event) {
    of(event.share().mode()).count(event);
  }

  void remove() {
    registry.remove(waiters);
    modes.values().forEach(ModeMeters::remove);
  }

  private Stream<LockStatus> held(Share.Mode mode) {
    return all.locks(family).filter(lock -> lock.mode().filter(mode::equals).isPresent());
  }

  private double waiters() {
    return all.locks(family).mapToInt(LockStatus::waiters).sum();
  }
}
