/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.micrometer;

import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockListener;
import io.holdfast.lock.Share;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The meters of one client. Counters follow events; gauges are read from the status of the client
 * when somebody looks, so that an event that was dropped shifts no gauge.
 */
final class LockMeters implements LockListener, AutoCloseable {

  static final String OUTAGE = "holdfast.outage";

  private static final Logger LOG = LoggerFactory.getLogger(LockMeters.class);

  private final LockClient client;
  private final MeterRegistry registry;
  private final MeterOptions options;
  private final Tag clientTag;
  private final FunctionTimer outage;
  private final Map<String, FamilyMeters> families = new ConcurrentHashMap<>();

  /** Held while meters are registered or removed: an event may still be taken at the end. */
  private final ReentrantLock registration = new ReentrantLock();

  private boolean closed;

  LockMeters(LockClient client, MeterRegistry registry, MeterOptions options) {
    this.client = client;
    this.registry = registry;
    this.options = options;
    this.clientTag = Tag.of("client", options.clientName());
    if (registry.find(OUTAGE).tags(Tags.of(clientTag)).functionTimer() != null) {
      throw new IllegalArgumentException(
          "The registry has meters of a lock client '%s' already; give each client a name of its own"
              .formatted(options.clientName()));
    }
    this.outage =
        FunctionTimer.builder(
                OUTAGE,
                this,
                meters -> meters.client.status().outages(),
                meters -> meters.client.status().outageTime().toNanos(),
                TimeUnit.NANOSECONDS)
            .description("Times without an answer of the lock server, first to last such request")
            .tags(Tags.of(clientTag))
            .register(registry);
    if (options.families().equals(MeterOptions.defaults().families())) {
      metersOf(MeterOptions.ALL).of(Share.Mode.LOCK);
    }
  }

  @Override
  public void on(LockEvent event) {
    String family = options.family(event.lockName());
    FamilyMeters known = families.get(family);
    if (known != null && known.has(event.share().mode())) {
      known.count(event);
      return;
    }
    registration.lock();
    try {
      if (!closed) {
        metersOf(family).count(event);
      }
    } finally {
      registration.unlock();
    }
  }

  /** Registers them when a family is first heard of; its counters then begin at zero. */
  private FamilyMeters metersOf(String wanted) {
    FamilyMeters known = families.get(wanted);
    if (known != null) {
      return known;
    }
    String family = wanted;
    if (families.size() >= MeterOptions.MOST_FAMILIES && !wanted.equals(MeterOptions.OTHER)) {
      family = MeterOptions.OTHER;
      if (!families.containsKey(family)) {
        LOG.warn(
            "There are more than {} families of locks; from now on new ones are counted as '{}'."
                + " The function that maps names of locks to families has too many results",
            MeterOptions.MOST_FAMILIES,
            family);
      }
    }
    return families.computeIfAbsent(
        family,
        name -> new FamilyMeters(registry, Tags.of(clientTag, Tag.of("family", name)), name, this));
  }

  /** The locks of a family that this client holds or waits for now. */
  Stream<LockStatus> locks(String family) {
    return client.status().locks().stream()
        .filter(lock -> familyNow(lock.lockName()).equals(family));
  }

  private String familyNow(String lockName) {
    String family = options.family(lockName);
    return families.containsKey(family) ? family : MeterOptions.OTHER;
  }

  @Override
  public void close() {
    registration.lock();
    try {
      closed = true;
      registry.remove(outage);
      families.values().forEach(FamilyMeters::remove);
    } finally {
      registration.unlock();
    }
  }
}
