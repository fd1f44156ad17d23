/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** A: what acquire and release cost one thread when nobody else wants the lock. */
final class UncontendedSection implements Section {

  static final String MEDIAN = "median µs";
  static final String P99 = "p99 µs";
  private static final int FIRST_CAPACITY = 1 << 12;
  private static final double NANOS_PER_MICRO = 1_000;

  @Override
  public String name() {
    return "A";
  }

  @Override
  public String title() {
    return "Uncontended: acquire and release, one thread";
  }

  @Override
  public Duration estimate(Plan plan, List<Entry> entries) {
    return plan.turns(entries.size());
  }

  @Override
  public void measure(Plan plan, List<Entry> entries, BenchServers benchServers, Results results)
      throws Exception {
    try (InterleavedRounds turns = new InterleavedRounds(plan, entries, benchServers.address())) {
      turns.take(
          (open, time, round) -> {
            ProcessorTime before = ProcessorTime.now();
            long[] taken = pairs(open, time);
            if (round >= 0) {
              before.note(this, open.entry(), "", round, taken.length, results);
              results.add(this, open.entry(), MEDIAN, round, at(taken, 0.5));
              results.add(this, open.entry(), P99, round, at(taken, 0.99));
            }
          });
    }
  }

  private static long[] pairs(InterleavedRounds.Open open, Duration time) throws Exception {
    String key = "a-" + open.entry().name();
    long[] taken = new long[FIRST_CAPACITY];
    int count = 0;
    long end = System.nanoTime() + time.toNanos();
    long began;
    while ((began = System.nanoTime()) < end) {
      open.contestant().take(key).free();
      if (count == taken.length) {
        taken = Arrays.copyOf(taken, 2 * count);
      }
      taken[count++] = System.nanoTime() - began;
    }
    taken = Arrays.copyOf(taken, count);
    Arrays.sort(taken);
    return taken;
  }

  private static double at(long[] sorted, double share) {
    return sorted[(int) (share * (sorted.length - 1))] / NANOS_PER_MICRO;
  }
}
