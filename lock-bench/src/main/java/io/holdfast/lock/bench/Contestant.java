/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

/** One way of locking, open and measured. For any number of threads. */
interface Contestant extends AutoCloseable {

  /**
   * Takes a lock; waits for it, if the {@link Entry} says so.
   *
   * @param key the lock's name
   * @return what gives it back, to be called by the same thread
   */
  Held take(String key) throws Exception;

  @Override
  void close();

  /** A lock that is held. */
  @FunctionalInterface
  interface Held {
    void free() throws Exception;
  }
}
