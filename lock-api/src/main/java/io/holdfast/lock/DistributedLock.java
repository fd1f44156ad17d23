/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A lock by name (or several, {@link LockClient#allOf}), a side of a {@link
 * DistributedReadWriteLock}, or permits of a {@link DistributedSemaphore}: a cheap, immutable view
 * that need not be kept. Not reentrant: a thread that holds a lease and asks for another one waits
 * for itself (see {@link Reentry}); {@link #asJavaLock()} is reentrant.
 *
 * <p>The waiters of one client are served in the order of their arrival. While one waits, transient
 * failures of the backend are retried. A wait that ends without a lease leaves nothing behind at
 * the backend.
 *
 * <p>A limit is kept, however slow the server is, as in {@code java.util.concurrent}. If the lock
 * is not granted by then, the answer is empty, {@code false}, or {@link LockTimeoutException},
 * whether another owner has the lock or the server has not answered yet. {@link
 * LockUnavailableException} is thrown at the limit only if the last attempt had failed by then: the
 * server could not be reached, or did not answer within its command time-out. A limit of zero is
 * one attempt, whose answer is awaited.
 */
public interface DistributedLock {

  /**
   * The lock's name; of several locks, their names in one text.
   *
   * @return the name
   */
  String name();

  /**
   * The share that acquisitions through this view ask for: a lock, a side of a read-write lock, or
   * permits.
   *
   * @return the share
   */
  Share share();

  /**
   * The terms of acquisitions through this view.
   *
   * @return the options
   */
  LockOptions options();

  /**
   * The same lock on other terms.
   *
   * @param options for acquisitions through the new view
   * @return another view
   */
  DistributedLock with(LockOptions options);

  /**
   * Asks once, without waiting for another owner.
   *
   * @return a lease, or empty if somebody else holds the lock
   * @throws InterruptedException if interrupted while the backend was asked
   * @throws LockException if the backend fails or the client is closed
   */
  Optional<Lease> tryAcquire() throws InterruptedException;

  /**
   * Waits for the lock for a limited time.
   *
   * @param maxWait zero means one attempt; more than 292 years counts as 292 years
   * @return a lease, or empty if somebody else held the lock all that time
   * @throws IllegalArgumentException if the limit is negative
   * @throws InterruptedException if interrupted while waiting
   * @throws LockException if the backend fails or the client is closed
   */
  Optional<Lease> tryAcquire(Duration maxWait) throws InterruptedException;

  /**
   * Waits for the lock without limit of time.
   *
   * @return a lease
   * @throws InterruptedException if interrupted while waiting
   * @throws LockTimeoutException if the options limit the attempts, and they are used up
   * @throws LockException if the backend refuses or the client is closed
   */
  Lease acquire() throws InterruptedException;

  /**
   * Waits for the lock for a limited time.
   *
   * @param maxWait zero means one attempt
   * @return a lease
   * @throws LockTimeoutException if somebody else held the lock all that time
   * @throws IllegalArgumentException if the limit is negative
   * @throws InterruptedException if interrupted while waiting
   * @throws LockException if the backend fails or the client is closed
   */
  Lease acquire(Duration maxWait) throws InterruptedException;

  /**
   * As {@link #tryAcquire()}, without blocking. Completing or cancelling the future from outside
   * ends the acquisition, and gives back what it may have taken.
   *
   * @return completes on the client's callback executor
   */
  CompletableFuture<Optional<Lease>> tryAcquireAsync();

  /**
   * As {@link #tryAcquire(Duration)}, without blocking, on the terms of {@link #tryAcquireAsync()}.
   *
   * @param maxWait zero means one attempt
   * @return completes on the client's callback executor
   */
  CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration maxWait);

  /**
   * As {@link #acquire()}, without blocking, on the terms of {@link #tryAcquireAsync()}.
   *
   * @return completes on the client's callback executor
   */
  CompletableFuture<Lease> acquireAsync();

  /**
   * As {@link #acquire(Duration)}, without blocking, on the terms of {@link #tryAcquireAsync()}.
   *
   * @param maxWait zero means one attempt
   * @return completes on the client's callback executor
   */
  CompletableFuture<Lease> acquireAsync(Duration maxWait);

  /**
   * Acquires, runs the body, releases.
   *
   * <p>Inside a transaction of the caller, the lock is released before that commits, and the next
   * holder reads what was there before: begin and commit the transaction inside the body.
   *
   * @param body what to do while holding; it gets the lease
   * @param <E> what the body throws
   * @throws E from the body; a loss during it is added as suppressed
   * @throws LockLostException if the body ended normally, but the lock was lost meanwhile
   * @throws InterruptedException if interrupted while waiting for the lock
   */
  <E extends Exception> void run(LeaseAction<E> body) throws E, InterruptedException;

  /**
   * Acquires, calls the body, releases. For transactions, see {@link #run}.
   *
   * @param body what to do while holding; it gets the lease
   * @param <T> what the body returns
   * @param <E> what the body throws
   * @return what the body returned
   * @throws E from the body; a loss during it is added as suppressed
   * @throws LockLostException if the body ended normally, but the lock was lost meanwhile
   * @throws InterruptedException if interrupted while waiting for the lock
   */
  <T, E extends Exception> T call(LeaseFunction<T, E> body) throws E, InterruptedException;

  /**
   * This lock as {@code java.util.concurrent} knows it: bound to the thread, reentrant (all views
   * of one name in one client share the count), interruptible, without conditions.
   *
   * @return a view that need not be kept
   */
  JavaLock asJavaLock();

  /**
   * Work to do while holding a lock.
   *
   * @param <E> what it throws
   */
  @FunctionalInterface
  interface LeaseAction<E extends Exception> {

    /**
     * Does the work.
     *
     * @param lease what is held
     * @throws E if it fails
     */
    void run(Lease lease) throws E;
  }

  /**
   * Work with a result to do while holding a lock.
   *
   * @param <T> the result
   * @param <E> what it throws
   */
  @FunctionalInterface
  interface LeaseFunction<T, E extends Exception> {

    /**
     * Does the work.
     *
     * @param lease what is held
     * @return the result
     * @throws E if it fails
     */
    T call(Lease lease) throws E;
  }
}
