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

  /** Of one name and of ten names, in microseconds. */
  private record Medians(double one, double ten) {}

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
            Medians found = measure(open, time.dividedBy(2), round % 2 == 0);
            if (round >= 0) {
              results.add(this, open.entry(), ONE, round, found.one);
              results.add(this, open.entry(), TEN, round, found.ten);
              results.add(this, open.entry(), RATIO, round, found.ten / found.one);
            }
          });
    }
  }

  /**
   * The second one finds the machine in another state than the first, so they take turns in that.
   */
  private static Medians measure(InterleavedRounds.Open open, Duration time, boolean oneFirst)
      throws Exception {
    List<String> keys =
        IntStream.range(0, NAMES).mapToObj(i -> "g-" + open.entry().name() + i).toList();
    TimedPairs.Take one = () -> open.contestant().take(keys.get(0));
    TimedPairs.Take ten = () -> open.contestant().takeAll(keys);
    if (oneFirst) {
      double first = median(one, time);
      return new Medians(first, median(ten, time));
    }
    double first = median(ten, time);
    return new Medians(median(one, time), first);
  }

  private static double median(TimedPairs.Take take, Duration time) throws Exception {
    return TimedPairs.of(take, time).micros(0.5);
  }
}
