/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

/**
 * A read-write lock by name: any number of readers, or one writer. Each side has every form of a
 * {@link DistributedLock}.
 *
 * <p>A waiting writer is served even if readers keep coming, because later readers wait behind it:
 * in the order of the server's queue, or within a bound that the backend states. The readers of one
 * client share what it holds at the server: within the bounds of {@link HandOver}, further readers
 * need no request.
 *
 * <p>A writer becomes a reader with {@link Lease#downgrade()}. A reader cannot become a writer: two
 * that tried would wait for each other. A thread that acquired a read lease which is still held and
 * asks for the write side in a blocking form gets a {@link LockUpgradeException} at once. The
 * asynchronous forms do not know the thread, and wait until the readers have released.
 *
 * <p>While the name is in use as something else (a lock, a semaphore), acquisitions are refused
 * with a {@link LockCapacityException}.
 */
public interface DistributedReadWriteLock {

  /**
   * The lock's name.
   *
   * @return the name
   */
  String name();

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
  DistributedReadWriteLock with(LockOptions options);

  /**
   * The side that several may hold at a time.
   *
   * @return a view that need not be kept
   */
  DistributedLock readLock();

  /**
   * The side that one owner may hold, while nobody else reads or writes.
   *
   * @return a view that need not be kept
   */
  DistributedLock writeLock();

  /**
   * This lock as {@code java.util.concurrent} knows it: bound to the thread and reentrant.
   *
   * @return a view that need not be kept
   */
  JavaReadWriteLock asJavaReadWriteLock();
}
