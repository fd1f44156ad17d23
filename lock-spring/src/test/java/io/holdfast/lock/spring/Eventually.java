/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread does. */
final class Eventually {

  /** Far longer than anything here takes: a busy machine can take seconds from any thread. */
  static final Duration SOON = Duration.ofSeconds(20);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private Eventually() {}

  /** A condition that may need to wait. */
  interface Condition {
    boolean holds() throws InterruptedException;
  }

  static void await(Condition condition) {
    long end = System.nanoTime() + SOON.toNanos();
    try {
      while (!condition.holds()) {
        assertTrue(System.nanoTime() - end < 0, "waited for too long");
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
