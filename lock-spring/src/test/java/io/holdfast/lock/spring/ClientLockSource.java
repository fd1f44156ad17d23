/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.LockClient;
import java.util.OptionalInt;

/** Everything from one client, for which each scenario is the same. */
record ClientLockSource(LockClient client) implements LockSource {

  @Override
  public DistributedLock lock(String scenario, String name) {
    return client.lock(name);
  }

  @Override
  public DistributedReadWriteLock readWriteLock(String scenario, String name) {
    return client.readWriteLock(name);
  }

  @Override
  public DistributedSemaphore semaphore(String scenario, String name, OptionalInt permits) {
    return permits.isPresent()
        ? client.semaphore(name, permits.getAsInt())
        : client.semaphore(name);
  }
}
