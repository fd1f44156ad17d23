/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.config.Scenario;
import io.holdfast.lock.micrometer.HoldfastMeters;
import io.holdfast.lock.micrometer.MeterOptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Binds each lock client to each registry of meters, whichever of them comes first: registries are
 * complete when the application is, and a scenario may connect long after that.
 */
final class ClientMeters implements MeterBinder, ClientObserver {

  private final MeterOptions options;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, LockClient> clients = new LinkedHashMap<>();
  private final List<MeterRegistry> registries = new ArrayList<>();

  /** The name in the options is not used: each client is called as its backend. */
  ClientMeters(MeterOptions options) {
    this.options = options;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    lock.lock();
    try {
      registries.add(registry);
      clients.forEach((name, client) -> bind(name, client, registry));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void opened(Scenario scenario, LockClient client) {
    lock.lock();
    try {
      String name = name(scenario);
      clients.put(name, client);
      registries.forEach(registry -> bind(name, client, registry));
    } finally {
      lock.unlock();
    }
  }

  /** One address can be the backend of two providers. */
  private String name(Scenario scenario) {
    return clients.containsKey(scenario.backend())
        ? scenario.backend() + "-" + scenario.provider()
        : scenario.backend();
  }

  private void bind(String name, LockClient client, MeterRegistry registry) {
    HoldfastMeters.bind(client, registry, options.withClientName(name));
  }
}
