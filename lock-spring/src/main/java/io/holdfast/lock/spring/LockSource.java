/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;

/** Where {@link Locked} methods have their locks from. For any number of threads. */
public interface LockSource {

  /**
   * A lock with the terms of a scenario. May connect to its backend.
   *
   * @param scenario its name; empty for the application's usual lock client
   * @param name of the lock
   * @return a view that need not be kept
   * @throws io.holdfast.lock.LockException if it cannot be had
   */
  DistributedLock lock(String scenario, String name);

  /**
   * Checks at start-up that there is such a scenario. Connects to nothing.
   *
   * @param scenario its name; empty for the application's usual lock client
   * @throws io.holdfast.lock.LockConfigurationException if there is none
   */
  default void check(String scenario) {}
}
