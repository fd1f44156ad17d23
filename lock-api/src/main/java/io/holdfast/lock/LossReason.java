/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

/** The reason why a lease ended that was not released. */
public enum LossReason {
  /**
   * Its time was up: a lease of fixed time, or one whose holder or host stood still for too long.
   */
  EXPIRED,
  /** Its renewals were not answered until its validity ended. */
  UNREACHABLE,
  /**
   * The backend says that the lock is not ours: deleted or overwritten there, or given to another.
   */
  REVOKED,
  /** The session that kept it alive at the backend has ended. */
  SESSION_ENDED,
  /**
   * Its client was closed by somebody else while it was held; the lock is free, or is once its
   * {@link HoldTimes} allow it.
   */
  CLIENT_CLOSED,
  /** It was held for as long as its options allow at most ({@link HoldTimes#maximum()}). */
  MAX_HOLD_REACHED
}
