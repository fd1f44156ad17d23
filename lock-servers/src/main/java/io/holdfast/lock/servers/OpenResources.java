/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.util.ArrayDeque;
import java.util.Deque;

/** The resources that a test has opened, closed in the opposite order. Not thread-safe. */
public class OpenResources implements AutoCloseable {

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** With nothing open. */
  protected OpenResources() {}

  /**
   * Has something closed by {@link #close}.
   *
   * @param resource that was opened after those given before
   * @param <T> its type
   * @return the resource
   */
  public final <T extends AutoCloseable> T closing(T resource) {
    opened.push(resource);
    return resource;
  }

  /**
   * Closes all that is open.
   *
   * @throws IllegalStateException if something cannot be closed; what was opened before it stays
   *     open
   */
  @Override
  public void close() {
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
