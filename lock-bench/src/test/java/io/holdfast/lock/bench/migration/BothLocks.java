/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench.migration;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Two locks as one. All processes take the old one first, so none waits in a circle. */
record BothLocks(Lock old, Lock ours) implements Lock {

  @Override
  public void lock() {
    old.lock();
    try {
      ours.lock();
    } catch (RuntimeException e) {
      old.unlock();
      throw e;
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    old.lockInterruptibly();
    try {
      ours.lockInterruptibly();
    } catch (InterruptedException | RuntimeException e) {
      old.unlock();
      throw e;
    }
  }

  @Override
  public boolean tryLock() {
    return old.tryLock() && second(ours::tryLock);
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    long end = System.nanoTime() + unit.toNanos(time);
    return old.tryLock(time, unit)
        && second(() -> ours.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS));
  }

  /** The old lock goes back if the second one is not had. */
  private <E extends Exception> boolean second(Attempt<E> attempt) throws E {
    boolean taken = false;
    try {
      taken = attempt.take();
    } finally {
      if (!taken) {
        old.unlock();
      }
    }
    return taken;
  }

  private interface Attempt<E extends Exception> {
    boolean take() throws E;
  }

  @Override
  public void unlock() {
    try {
      ours.unlock();
    } finally {
      old.unlock();
    }
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("A distributed lock has no conditions");
  }
}
