/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.LockConfigurationException;
import java.util.OptionalInt;

/** Gives {@link Locked} methods their locks. For any number of threads. */
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
   * A read-write lock with the terms of a scenario. May connect to its backend.
   *
   * @param scenario its name; empty for the application's usual lock client
   * @param name of the lock
   * @return a view that need not be kept
   * @throws LockConfigurationException if the backend has no read-write locks, or if this source
   *     does not implement this method
   * @throws io.holdfast.lock.LockException if it cannot be had
   */
  default DistributedReadWriteLock readWriteLock(String scenario, String name) {
    throw notImplemented("readWriteLock");
  }

  /**
   * A semaphore with the terms of a scenario. May connect to its backend.
   *
   * @param scenario its name; empty for the application's usual lock client
   * @param name of the semaphore
   * @param permits how many there are; if empty, as many as are configured for the scenario
   * @return a view that need not be kept
   * @throws LockConfigurationException if the backend has no semaphores, if no permits are given
   *     and none configured, or if this source does not implement this method
   * @throws io.holdfast.lock.LockException if it cannot be had
   */
  default DistributedSemaphore semaphore(String scenario, String name, OptionalInt permits) {
    throw notImplemented("semaphore");
  }

  private LockConfigurationException notImplemented(String method) {
    return new LockConfigurationException(
        "%s has locks only; implement LockSource.%s".formatted(getClass().getName(), method));
  }

  /**
   * Checks at start-up that there is such a scenario. Connects to nothing.
   *
   * @param scenario its name; empty for the application's usual lock client
   * @throws io.holdfast.lock.LockConfigurationException if there is none
   */
  default void check(String scenario) {}
}
