/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.util.List;

/** A: what acquire and release cost one thread when nobody else wants the lock. */
final class UncontendedSection implements Section {

  static final String MEDIAN = "median µs";
  static final String P99 = "p99 µs";

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
            String key = "a-" + open.entry().name();
            TimedPairs taken = TimedPairs.of(() -> open.contestant().take(key), time);
            if (round >= 0) {
              before.note(this, open.entry(), "", round, taken.count(), results);
              results.add(this, open.entry(), MEDIAN, round, taken.micros(0.5));
              results.add(this, open.entry(), P99, round, taken.micros(0.99));
            }
          });
    }
  }
}
