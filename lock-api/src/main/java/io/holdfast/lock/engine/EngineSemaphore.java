/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Share;

/** Permits of one name; the view asks for one. */
record EngineSemaphore(EngineLock permit) implements DistributedSemaphore {

  @Override
  public String name() {
    return permit.name();
  }

  @Override
  public int capacity() {
    return permit.share().capacity();
  }

  @Override
  public LockOptions options() {
    return permit.options();
  }

  @Override
  public DistributedSemaphore with(LockOptions options) {
    return new EngineSemaphore(permit.with(options));
  }

  @Override
  public DistributedLock permits(int count) {
    return permit.asking(Share.of(count, capacity()));
  }
}
