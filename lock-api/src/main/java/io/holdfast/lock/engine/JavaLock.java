/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/** A lock as {@code java.util.concurrent} knows it, over leases. */
final class JavaLock implements Lock {

  private final EngineLock lock;
  private final JavaLocks locks;

  JavaLock(EngineLock lock, JavaLocks locks) {
    this.lock = lock;
    this.locks = locks;
  }

  @Override
  public void lock() {
    if (!reentered()) {
      entered(lock.uninterruptibly(Wait.UNLIMITED));
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    if (!reentered()) {
      entered(lock.blocking(Wait.UNLIMITED));
    }
  }

  @Override
  public boolean tryLock() {
    return reentered() || lock.uninterruptibly(Wait.NONE).map(this::begin).isPresent();
  }

  @Override
  public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    if (reentered()) {
      return true;
    }
    Duration limit = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
    return lock.blocking(Wait.atMost(limit)).map(this::begin).isPresent();
  }

  @Override
  public void unlock() {
    JavaLocks.Hold hold = locks.mine(lock.name());
    if (hold == null) {
      throw new IllegalMonitorStateException(
          "Lock '%s' is not held by thread %s through this view"
              .formatted(lock.name(), Thread.currentThread().getName()));
    }
    if (--hold.count > 0) {
      return;
    }
    locks.end(lock.name());
    if (hold.lease.release() == ReleaseOutcome.ALREADY_LOST) {
      throw lost();
    }
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("A distributed lock has no conditions");
  }

  private boolean reentered() {
    JavaLocks.@Nullable Hold hold = locks.mine(lock.name());
    if (hold == null) {
      return false;
    }
    if (!hold.lease.isValid()) {
      throw lost();
    }
    hold.count++;
    return true;
  }

  private void entered(Optional<Lease> lease) {
    begin(
        lease.orElseThrow(
            () ->
                new LockTimeoutException(
                    "Lock '%s' was not free in any of the attempts allowed; lock() needs options "
                            .formatted(lock.name())
                        + "without a limit of attempts")));
  }

  private Lease begin(Lease lease) {
    locks.begin(lock.name(), lease);
    return lease;
  }

  private LockLostException lost() {
    return new LockLostException(
        "Lock '%s' was lost while this thread held it; what it protected must stop"
            .formatted(lock.name()));
  }
}
