/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** G: what ten locks that are held together cost one thread, compared with one lock. */
final class MultiLockSection implements Section {

  static final String ONE = "one name: median µs";
  static final String TEN = "ten names: median µs";

  /** In each round, so that both have the same noise. */
  static final String RATIO = "ten names, × one name";

  private static final int NAMES = 10;

  @Override
  public String name() {
    return "G";
  }

  @Override
  public String title() {
    return "Several locks at once: acquire and release of ten names, one thread";
  }

  @Override
  public List<Entry> contestants(String backend) {
    return Contestants.of(backend).stream()
        .filter(entry -> entry.can(Entry.Trait.TAKES_SEVERAL))
        .toList();
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
            List<String> keys =
                IntStream.range(0, NAMES).mapToObj(i -> "g-" + open.entry().name() + i).toList();
            Duration half = time.dividedBy(2);
            double one = TimedPairs.of(() -> open.contestant().take(keys.get(0)), half).micros(0.5);
            double ten = TimedPairs.of(() -> open.contestant().takeAll(keys), half).micros(0.5);
            if (round >= 0) {
              results.add(this, open.entry(), ONE, round, one);
              results.add(this, open.entry(), TEN, round, ten);
              results.add(this, open.entry(), RATIO, round, ten / one);
            }
          });
    }
  }
}
