/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUpgradeException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.text.VisibleText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** A lock as {@code java.util.concurrent} knows it, over leases. */
final class ThreadLock implements JavaLock {

  private final EngineLock lock;
  private final ThreadLocks locks;
  private final Share share;

  ThreadLock(EngineLock lock, ThreadLocks locks) {
    this.lock = lock;
    this.locks = locks;
    this.share = lock.share();
  }

  @Override
  public String name() {
    return lock.name();
  }

  @Override
  public void lock() {
    if (!reentered()) {
      entered(lock.uninterruptibly(Wait.UNLIMITED));
    }
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    heedInterrupt();
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
    heedInterrupt();
    if (reentered()) {
      return true;
    }
    Duration limit = Duration.ofNanos(Math.max(0, unit.toNanos(time)));
    return lock.blocking(Wait.atMost(limit)).map(this::begin).isPresent();
  }

  @Override
  public void unlock() {
    ThreadLocks.@Nullable Hold hold = mine(share);
    if (hold == null) {
      throw new IllegalMonitorStateException(
          "Lock '%s' is not held by thread %s through this view"
              .formatted(
                  VisibleText.of(lock.name()), VisibleText.of(Thread.currentThread().getName())));
    }
    boolean lost;
    if (--hold.count > 0) {
      lost = hold.lost || !hold.lease.isValid();
    } else {
      locks.end(lock.key(), share);
      lost = !ends(hold) || hold.lost;
    }
    if (lost) {
      throw lost();
    }
  }

  /** Gives back what the thread does not hold on the other side; false if it was lost. */
  private boolean ends(ThreadLocks.Hold ended) {
    ThreadLocks.@Nullable Hold reads = share.equals(Share.WRITE) ? mine(Share.READ) : null;
    ThreadLocks.@Nullable Hold writes = share.equals(Share.READ) ? mine(Share.WRITE) : null;
    if (writes != null) {
      return writes.lease.isValid();
    }
    if (reads == null) {
      return ended.lease.release() != ReleaseOutcome.ALREADY_LOST;
    }
    try {
      reads.lease = ended.lease.downgrade();
      return true;
    } catch (LockLostException e) {
      reads.lost = true;
      return false;
    }
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("A distributed lock has no conditions");
  }

  @Override
  public Optional<Lease> lease() {
    return Optional.ofNullable(mine(share)).map(hold -> hold.lease);
  }

  @Override
  public int holdCount() {
    ThreadLocks.@Nullable Hold hold = mine(share);
    return hold == null ? 0 : hold.count;
  }

  @Override
  public boolean isHeldByCurrentThread() {
    return mine(share) != null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ThreadLock view
        && locks == view.locks
        && share.equals(view.share)
        && lock.key().equals(view.lock.key());
  }

  @Override
  public int hashCode() {
    return Objects.hash(System.identityHashCode(locks), share, lock.key());
  }

  @Override
  public String toString() {
    return "JavaLock['%s', %s]"
        .formatted(VisibleText.of(lock.name()), locks.state(lock.key(), share));
  }

  private static void heedInterrupt() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private boolean reentered() {
    ThreadLocks.@Nullable Hold hold = mine(share);
    if (hold == null) {
      return readsAsWriter();
    }
    if (!hold.lease.isValid()) {
      throw lost();
    }
    hold.count++;
    return true;
  }

  /** A writer reads under its own lease; a reader does not become a writer. */
  private boolean readsAsWriter() {
    if (share.equals(Share.WRITE) && mine(Share.READ) != null) {
      throw new LockUpgradeException(
          ("Thread %s reads under lock '%s' and asks to write: unlock the read lock first, or lock"
                  + " the write lock before it")
              .formatted(Thread.currentThread().getName(), lock.name()));
    }
    ThreadLocks.@Nullable Hold writes = share.equals(Share.READ) ? mine(Share.WRITE) : null;
    if (writes == null) {
      return false;
    }
    if (!writes.lease.isValid()) {
      throw lost();
    }
    begin(writes.lease);
    return true;
  }

  private ThreadLocks.@Nullable Hold mine(Share side) {
    return locks.mine(lock.key(), side);
  }

  private void entered(Optional<Lease> lease) {
    begin(
        lease.orElseThrow(
            () ->
                new LockTimeoutException(
                    "Lock '%s' was not granted in any of the attempts allowed; lock() needs options "
                            .formatted(lock.name())
                        + "without a limit of attempts")));
  }

  private Lease begin(Lease lease) {
    locks.begin(lock.key(), share, lease);
    return lease;
  }

  private LockLostException lost() {
    return new LockLostException(
        "Lock '%s' was lost while this thread held it; stop the work that it protects"
            .formatted(lock.name()));
  }
}
