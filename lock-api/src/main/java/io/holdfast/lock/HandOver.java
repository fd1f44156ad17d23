/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.time.Duration;

/**
 * Limits how often and for how long a client may pass a lock on among its own waiters before it
 * gives it back to the backend, so that others get their turn. Within these bounds a lock passes
 * from thread to thread in microseconds, without the server. Each lease has its own, greater
 * fencing token; validity, renewal and loss are those of what the client holds at the backend, and
 * all these leases have its owner id. The lock is passed on only while more than half of the time
 * that the backend has granted is left, not to a waiter that asks on other terms, and not after a
 * lease of fixed time or one that was extended.
 *
 * <p>If the lock was taken away at the backend meanwhile, the lease to which it was passed on is
 * lost by the next renewal, as the one before would have been; its token is smaller than that of
 * the lease that the backend has granted since.
 *
 * @param maxLeases leases one after another, the first included: 1 to 1,024; with 1, nothing is
 *     passed on
 * @param maxTime after this time from the first grant nothing is passed on any more; not negative
 */
public record HandOver(int maxLeases, Duration maxTime) {

  private static final int MOST = 1024;
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final HandOver DEFAULT = new HandOver(MOST, Duration.ofMillis(50));
  private static final HandOver NONE = new HandOver(1, Duration.ZERO);

  /** Checks both. */
  public HandOver {
    if (maxLeases < 1 || maxLeases > MOST) {
      throw new IllegalArgumentException(
          "maxLeases must be between 1 and " + MOST + ", but is " + maxLeases);
    }
    Arguments.between("maxTime", maxTime, Duration.ZERO, LONGEST);
  }

  /**
   * At most 1,024 leases within 50 ms.
   *
   * @return the default
   */
  public static HandOver defaults() {
    return DEFAULT;
  }

  /**
   * Each lease is asked for at the backend.
   *
   * @return no passing on
   */
  public static HandOver none() {
    return NONE;
  }
}
