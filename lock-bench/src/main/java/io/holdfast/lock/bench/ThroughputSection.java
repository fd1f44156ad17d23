/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.util.List;

/** B: how many locks are acquired and released by many threads, each with its own. */
final class ThroughputSection implements Section {

  static final String PLATFORM = "64 threads: ";
  static final String VIRTUAL = "1000 virtual threads: ";
  static final String RATE = "pairs/s";
  private static final int THREADS = 64;
  private static final int VIRTUAL_THREADS = 1_000;

  @Override
  public String name() {
    return "B";
  }

  @Override
  public String title() {
    return "Throughput: acquire and release, each thread its own lock";
  }

  @Override
  public Duration estimate(Plan plan, List<Entry> entries) {
    return plan.turns(entries.size()).multipliedBy(virtual() ? 2 : 1);
  }

  @Override
  public void measure(Plan plan, List<Entry> entries, BenchServers benchServers, Results results)
      throws Exception {
    try (InterleavedRounds turns = new InterleavedRounds(plan, entries, benchServers.address())) {
      turns.take(
          (open, time, round) ->
              turn(open, time, round, Workers.platform(), THREADS, PLATFORM, results));
    }
    if (virtual()) {
      try (InterleavedRounds turns = new InterleavedRounds(plan, entries, benchServers.address())) {
        Workers.Kind kind = Workers.virtual().orElseThrow();
        turns.take(
            (open, time, round) ->
                turn(open, time, round, kind, VIRTUAL_THREADS, VIRTUAL, results));
      }
    }
  }

  private static boolean virtual() {
    return Workers.virtual().isPresent();
  }

  private void turn(
      InterleavedRounds.Open open,
      Duration time,
      int round,
      Workers.Kind kind,
      int threads,
      String contention,
      Results results)
      throws Exception {
    ProcessorTime before = ProcessorTime.now();
    Workers.Done<Long> done =
        Workers.run(kind, threads, time, (thread, end) -> pairs(open, thread, end));
    long pairs = done.answers().stream().mapToLong(Long::longValue).sum();
    if (round >= 0) {
      before.note(this, open.entry(), contention, round, pairs, results);
      results.add(this, open.entry(), contention + RATE, round, pairs / done.seconds());
    }
  }

  private static long pairs(InterleavedRounds.Open open, int thread, long end) throws Exception {
    String key = "b-" + thread;
    long count = 0;
    while (System.nanoTime() < end) {
      open.contestant().take(key).free();
      count++;
    }
    return count;
  }
}
