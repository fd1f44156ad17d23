/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

/** The result of {@link Fixture#revoke}. */
public enum Revocation {
  /** No administrator can take a lock of this backend away, or may do so here. */
  NOT_POSSIBLE,
  /** There was no such lock at the server: a backend that says that it is held has lost it. */
  NOTHING_THERE,
  /** The lock was there, and is not any more. */
  DONE;

  /**
   * For fixtures that can.
   *
   * @param found whether the lock was there
   * @return done, or that nothing was there
   */
  public static Revocation of(boolean found) {
    return found ? DONE : NOTHING_THERE;
  }
}
