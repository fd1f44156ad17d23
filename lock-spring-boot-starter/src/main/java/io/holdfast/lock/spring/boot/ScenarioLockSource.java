/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring.boot;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.config.Scenarios;
import io.holdfast.lock.spring.LockSource;
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
