/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * An acquisition that nobody waits for on a thread.
 *
 * @param future completes with a {@code Lease}, or an {@code Optional} of one
 */
record AsyncAcquisition(CompletableFuture<?> future) {

  static final SimpleAsyncTaskExecutor THREADS = new SimpleAsyncTaskExecutor("holdfast-locked-");

  static {
    THREADS.setDaemon(true);
  }

  /** Asks now. */
  static AsyncAcquisition lock(
      LockedMethod locked, DistributedLock lock, LockObserver.Work observed) {
    Runnable close = observed.open();
    try {
      return lock(locked, lock);
    } catch (RuntimeException | Error e) {
      observed.failed(e);
      observed.end();
      throw e;
    } finally {
      close.run();
    }
  }

  private static AsyncAcquisition lock(LockedMethod locked, DistributedLock lock) {
    Optional<Duration> wait = locked.maxWait();
    if (locked.skips()) {
      return new AsyncAcquisition(lock.tryAcquireAsync(wait.orElse(Duration.ZERO)));
    }
    return new AsyncAcquisition(wait.map(lock::acquireAsync).orElseGet(lock::acquireAsync));
  }

  /** The result of the future; empty if the lock is busy. */
  static Optional<Lease> lease(@Nullable Object value) {
    return value instanceof Optional<?> maybe
        ? maybe.map(Lease.class::cast)
        : Optional.ofNullable((Lease) value);
  }

  /**
   * Ends the wait, and gives back what was granted and not released yet. Harmless when repeated.
   */
  void giveBack() {
    future.cancel(true);
    future.thenAccept(
        value -> lease(value).filter(Lease::isValid).ifPresent(AsyncAcquisition::close));
  }

  /**
   * Closes a lease on a thread for it: one that has a transaction of its own rolls it back, and
   * that waits. If the JVM has no room for a thread now, this one has to wait.
   */
  static CompletableFuture<Void> close(Lease lease) {
    try {
      return apart(lease::close);
    } catch (RuntimeException | OutOfMemoryError e) {
      lease.close();
      return CompletableFuture.completedFuture(null);
    }
  }

  /**
   * Runs on a thread for it. Not in the common pool, whose threads applications block. Throws if
   * the JVM has no room for a thread now.
   */
  static CompletableFuture<Void> apart(Runnable work) {
    return CompletableFuture.runAsync(work, THREADS);
  }
}
