/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;

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
   * A read-write lock with the terms of the scenario. A scenario with {@code sharing = read-write}
   * has a backend that has them.
   *
   * @param name as for {@link #lock}
   * @return a view that need not be kept
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   * @throws LockConfigurationException if the backend has no read-write locks
   * @throws io.holdfast.lock.LockClosedException if the scenarios are closed
   */
  public DistributedReadWriteLock readWriteLock(String name) {
    return client.readWriteLock(name, scenario.options());
  }

  /**
   * A semaphore with the permits and the terms of the scenario.
   *
   * @param name as for {@link #lock}
   * @return a view that need not be kept
   * @throws IllegalArgumentException if the name is empty, too long or not Unicode
   * @throws LockConfigurationException if {@code permits} is not set for the scenario
   * @throws io.holdfast.lock.LockClosedException if the scenarios are closed
   */
  public DistributedSemaphore semaphore(String name) {
    int permits =
        scenario
            .permits()
            .orElseThrow(
                () ->
                    new LockConfigurationException(
                        "Scenario '%s' was asked for a semaphore, but the number of its permits is not set: set 'scenario.%s.%s', for example to 5"
                            .formatted(scenario.name(), scenario.name(), ScenarioTerms.PERMITS)));
    return client.semaphore(name, permits, scenario.options());
  }

  /**
   * The terms and the backend that were chosen.
   *
   * @return backend, provider and terms
   */
  public Scenario scenario() {
    return scenario;
  }

  /**
   * The client that all scenarios of the backend share; closing it closes it for all.
   *
   * @return for code that needs a client; pass it {@link Scenario#options()} as well
   */
  public LockClient client() {
    return client;
  }
}
