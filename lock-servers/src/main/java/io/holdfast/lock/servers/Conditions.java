/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Watches a condition, by asking again and again in the calling thread. */
public final class Conditions {

  /** Short, so that a condition that ends for a moment only does not go unnoticed. */
  private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

  private Conditions() {}

  /**
   * Returns when something is so.
   *
   * @param what is waited for, for the message
   * @param patience how long to wait
   * @param condition is asked every few milliseconds, and less often the longer it takes
   * @throws AssertionError if it was not so in that time
   */
  public static void until(String what, Duration patience, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long waited = System.nanoTime() - begin;
      if (waited > patience.toNanos()) {
        throw new AssertionError("Not within " + patience + ": " + what);
      }
      LockSupport.parkNanos(Math.max(PAUSE_NANOS, Math.min(waited / 20, LONGEST_PAUSE_NANOS)));
    }
  }

  /**
   * Returns when something has been so for a while without a break: what comes late may still
   * change it for a moment.
   *
   * @param what is waited for, for the message
   * @param patience how long to wait for the while to begin
   * @param length how long it is
   * @param condition is asked every few milliseconds
   * @throws AssertionError if there was no such while
   */
  public static void settles(
      String what, Duration patience, Duration length, BooleanSupplier condition) {
    until(what + ", for " + length, patience, () -> isSoFor(length, condition));
  }

  private static boolean isSoFor(Duration length, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (condition.getAsBoolean()) {
      if (System.nanoTime() - begin >= length.toNanos()) {
        return true;
      }
      LockSupport.parkNanos(WATCH_NANOS);
    }
    return false;
  }

  /**
   * Watches that something stays as it is, and returns at the end of that time.
   *
   * @param what stays, for the message
   * @param length how long to watch
   * @param condition is asked every few milliseconds
   * @throws AssertionError if it was not so any more
   */
  public static void stays(String what, Duration length, BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < length.toNanos()) {
      if (!condition.getAsBoolean()) {
        throw new AssertionError("Not any more: " + what);
      }
      LockSupport.parkNanos(WATCH_NANOS);
    }
  }
}
