/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.StaleTokenException;
import java.io.IOException;

/** Numbers that are read and written under locks. For any number of threads. */
interface Resource extends AutoCloseable {

  /** Its name in the history, for a lock. */
  String name(String lock);

  /** Whether it asks for tokens. */
  boolean isFenced();

  /**
   * Reads, and shows the token: from now on smaller ones are refused.
   *
   * @throws StaleTokenException if a greater one has been there
   * @throws IOException if it cannot be reached in time
   */
  long read(String lock, long token) throws IOException;

  /**
   * Writes.
   *
   * @throws StaleTokenException if a greater token has been there: nothing was written
   * @throws IOException if it cannot be reached in time: written or not
   */
  void write(String lock, long token, long value) throws IOException;

  @Override
  void close();
}
