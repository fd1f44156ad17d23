/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.util.Arrays;

/** Measures how long one thread took for each acquire and release. */
final class TimedPairs {

  private static final int FIRST_CAPACITY = 1 << 12;
  private static final double NANOS_PER_MICRO = 1_000;

  /** Takes a lock, which is given back at once. */
  @FunctionalInterface
  interface Take {
    Contestant.Held take() throws Exception;
  }

  private final long[] sorted;

  private TimedPairs(long[] sorted) {
    this.sorted = sorted;
  }

  /** Takes and gives back again and again, for so long, and once at least. */
  static TimedPairs of(Take take, Duration time) throws Exception {
    long[] taken = new long[FIRST_CAPACITY];
    int count = 0;
    long end = System.nanoTime() + time.toNanos();
    long began = System.nanoTime();
    do {
      take.take().free();
      if (count == taken.length) {
        taken = Arrays.copyOf(taken, 2 * count);
      }
      taken[count++] = System.nanoTime() - began;
      began = System.nanoTime();
    } while (began < end);
    taken = Arrays.copyOf(taken, count);
    Arrays.sort(taken);
    return new TimedPairs(taken);
  }

  int count() {
    return sorted.length;
  }

  /** The time that this share of them, from 0 to 1, did not exceed. */
  double micros(double share) {
    return sorted[(int) (share * (sorted.length - 1))] / NANOS_PER_MICRO;
  }
}
