/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions. */
final class Await {

  private static final long LOOK_EVERY_NANOS = 2_000_000;

  private Await() {}

  /** How long it took. */
  static Duration until(String what, Duration patience, BooleanSupplier condition) {
    long began = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - began > patience.toNanos()) {
        throw new AssertionError("Not within " + patience + ": " + what);
      }
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** Lets time pass while a condition must hold. */
  static void holds(String what, Duration during, BooleanSupplier condition) {
    long began = System.nanoTime();
    while (System.nanoTime() - began < during.toNanos()) {
      if (!condition.getAsBoolean()) {
        throw new AssertionError("Did not hold: " + what);
      }
      LockSupport.parkNanos(LOOK_EVERY_NANOS);
    }
  }
}
