/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import java.util.Optional;

/** Stands in where the application has no observer. */
enum NoObserver implements LockObserver, LockObserver.Work {
  INSTANCE;

  @Override
  public Work begin(DistributedLock lock, Optional<Object> parent) {
    return this;
  }

  @Override
  public Object contextKey() {
    return this;
  }

  @Override
  public Optional<Object> context() {
    return Optional.empty();
  }

  @Override
  public Runnable open() {
    return () -> {};
  }

  @Override
  public void granted(Lease lease) {}

  @Override
  public void failed(Throwable thrown) {}

  @Override
  public void end() {}
}
