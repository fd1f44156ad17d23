/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A read-write lock as {@code java.util.concurrent} knows it. Each side is bound to the thread and
 * reentrant, as {@link JavaLock} says. As with {@code ReentrantReadWriteLock}, a thread that holds
 * the write lock may take the read lock too, and keeps it when it unlocks the write lock: that
 * downgrades its lease, without letting another writer in between.
 *
 * <p>A thread that holds only the read lock and asks for the write lock, in whichever way, gets a
 * {@link LockUpgradeException}.
 */
public interface JavaReadWriteLock extends ReadWriteLock {

  /**
   * The side that several threads may hold at a time.
   *
   * @return a view that need not be kept
   */
  @Override
  JavaLock readLock();

  /**
   * The side that one thread may hold.
   *
   * @return a view that need not be kept
   */
  @Override
  JavaLock writeLock();
}
