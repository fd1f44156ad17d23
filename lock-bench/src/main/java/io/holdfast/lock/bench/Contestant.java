/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.util.List;

/** One way of locking, open and measured. For any number of threads. */
interface Contestant extends AutoCloseable {

  /**
   * Takes a lock; waits for it, if the {@link Entry} says so.
   *
   * @param key the lock's name
   * @return what gives it back, to be called by the same thread
   */
  Held take(String key) throws Exception;

  /**
   * Takes several locks that are held together.
   *
   * @param keys their names
   * @return what gives all of them back, to be called by the same thread
   */
  default Held takeAll(List<String> keys) throws Exception {
    throw new UnsupportedOperationException("Has no locks that are held together");
  }

  /**
   * Takes the read side of a read-write lock.
   *
   * @param key the lock's name
   * @return what gives it back, to be called by the same thread
   */
  default Held takeRead(String key) throws Exception {
    throw new UnsupportedOperationException("Has no read-write locks");
  }

  /**
   * Takes the write side of a read-write lock.
   *
   * @param key the lock's name
   * @return what gives it back, to be called by the same thread
   */
  default Held takeWrite(String key) throws Exception {
    throw new UnsupportedOperationException("Has no read-write locks");
  }

  /**
   * Takes one permit of a semaphore.
   *
   * @param key the semaphore's name
   * @param permits how many it has
   * @return what gives it back, to be called by the same thread
   */
  default Held takePermit(String key, int permits) throws Exception {
    throw new UnsupportedOperationException("Has no semaphores");
  }

  @Override
  void close();

  /** A lock that is held. */
  @FunctionalInterface
  interface Held {
    void free() throws Exception;
  }
}
