/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Notices when this machine stands still: a thread that wants to run every few milliseconds, and
 * writes down when it could not. Rules about time presume that it can.
 */
final class Stalls implements AutoCloseable {

  private static final long EVERY_NANOS = Duration.ofMillis(10).toNanos();
  private static final long LONG_NANOS = Duration.ofMillis(200).toNanos();

  private record Stall(long endedAt, long nanos) {}

  private final ConcurrentLinkedQueue<Stall> seen = new ConcurrentLinkedQueue<>();
  private final Thread watcher = new Thread(this::watch, "tck-stalls");

  Stalls() {
    watcher.setDaemon(true);
    watcher.start();
  }

  /** The longest one that ended since then; zero if there was none worth a word. */
  Duration longestSince(long nanos) {
    return Duration.ofNanos(
        seen.stream()
            .filter(stall -> stall.endedAt() - nanos > 0)
            .mapToLong(Stall::nanos)
            .max()
            .orElse(0));
  }

  private void watch() {
    long before = System.nanoTime();
    while (!Thread.interrupted()) {
      LockSupport.parkNanos(EVERY_NANOS);
      long now = System.nanoTime();
      if (now - before - EVERY_NANOS > LONG_NANOS) {
        seen.add(new Stall(now, now - before));
      }
      before = now;
    }
  }

  @Override
  public void close() {
    watcher.interrupt();
  }
}
