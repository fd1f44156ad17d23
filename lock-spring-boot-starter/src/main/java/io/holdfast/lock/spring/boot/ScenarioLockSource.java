/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.config.ScenarioLocks;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.spring.LockSource;
import java.util.OptionalInt;
import org.springframework.beans.factory.ObjectProvider;

/** The locks of the application's scenarios, or of its client. */
final class ScenarioLockSource implements LockSource {

  private final ObjectProvider<LockClient> client;
  private final ObjectProvider<Scenarios> scenarios;

  ScenarioLockSource(ObjectProvider<LockClient> client, ObjectProvider<Scenarios> scenarios) {
    this.client = client;
    this.scenarios = scenarios;
  }

  @Override
  public DistributedLock lock(String scenario, String name) {
    return scenario.isEmpty()
        ? client.getObject().lock(name)
        : scenarios.getObject().forScenario(scenario).lock(name);
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String scenario, String name) {
    return scenario.isEmpty()
        ? client.getObject().readWriteLock(name)
        : scenarios.getObject().forScenario(scenario).readWriteLock(name);
  }

  @Override
  public DistributedSemaphore semaphore(String scenario, String name, OptionalInt permits) {
    if (scenario.isEmpty()) {
      LockClient usual = client.getObject();
      return permits.isPresent()
          ? usual.semaphore(name, permits.getAsInt())
          : usual.semaphore(name);
    }
    ScenarioLocks locks = scenarios.getObject().forScenario(scenario);
    return permits.isPresent()
        ? locks.client().semaphore(name, permits.getAsInt(), locks.scenario().options())
        : locks.semaphore(name);
  }

  /** Connects, so that what cannot work is known at the start. */
  @Override
  public void check(String scenario) {
    if (scenario.isEmpty()) {
      client.getObject();
    } else {
      scenarios.getObject().forScenario(scenario);
    }
  }
}
