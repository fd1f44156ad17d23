/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;

/** The locks of one scenario. For any number of threads; ends with its {@link Scenarios}. */
public final class ScenarioLocks {

  private final Scenario scenario;
  private final LockClient client;

  ScenarioLocks(Scenario scenario, LockClient client) {
    this.scenario = scenario;
    this.client = client;
  }

  /**
   * A lock with the terms of the scenario.
   *
   * @param name any Unicode text of 1 to 512 bytes of UTF-8; different names are different locks
   * @return a view that need not be kept
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   * @throws io.holdfast.lock.LockClosedException if the scenarios are closed
   */
  public DistributedLock lock(String name) {
    return client.lock(name, scenario.options());
  }

  /**
   * What was decided.
   *
   * @return backend, provider and terms
   */
  public Scenario scenario() {
    return scenario;
  }

  /**
   * The client that all scenarios of the backend share. Whoever closes it closes it for all.
   *
   * @return for what asks for one, with {@link Scenario#options()} beside it
   */
  public LockClient client() {
    return client;
  }
}
