/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Entry.Trait;
import io.holdfast.lock.bench.Results.Spread;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** C: how a lock goes from hand to hand, within a process and between four. */
final class HandOverSection implements Section {

  static final String ONE_PROCESS = "16 threads";
  static final String SIXTEEN = "4 processes x 4 threads";
  static final String MANY = "4 processes x 50 threads";
  static final String RATE = ": hand-overs/s";
  static final String GAP = ": release to grant, median µs";
  static final String COMMANDS = ": server commands per hand-over";
  static final String CROSSING = ": server commands per hand-over between processes";
  static final String FAIRNESS = ": slowest to median waiter";
  static final String FAIRNESS_OF_PROCESSES = ": slowest to median process";
  static final String OVERLAPS = ": overlaps";
  private static final int THREADS = 16;
  private static final List<Variant> VARIANTS =
      List.of(new Variant(SIXTEEN, 4), new Variant(MANY, 50));
  private static final double NANOS_PER_MICRO = 1_000;

  @Override
  public String name() {
    return "C";
  }

  @Override
  public String title() {
    return "Hand-over: many waiters for one lock";
  }

  @Override
  public List<Entry> contestants(String backend) {
    return Contestants.of(backend).stream().filter(entry -> entry.can(Trait.WAITS)).toList();
  }

  @Override
  public Duration estimate(Plan plan, List<Entry> entries) {
    return plan.turns(entries.size()).multipliedBy(1 + VARIANTS.size());
  }

  /**
   * How many want the lock.
   *
   * @param name of the figures
   * @param threads of each process
   */
  private record Variant(String name, int threads) {}

  /** Has threads of one or more processes want the lock; how often each got it, by process. */
  @FunctionalInterface
  private interface Crowds {
    List<List<Long>> run(Duration time) throws Exception;
  }

  @Override
  public void measure(Plan plan, List<Entry> entries, BenchServers benchServers, Results results)
      throws Exception {
    Path file = Files.createTempFile("holdfast-baton", null);
    try {
      SharedHandOver handOver = SharedHandOver.map(file);
      LockUse.Step step = LockUse.EXCLUSIVE.on(file, 1);
      try (InterleavedRounds turns = new InterleavedRounds(plan, entries, benchServers.address())) {
        turns.take(
            (open, time, round) ->
                turn(
                    benchServers,
                    handOver,
                    results,
                    open.entry(),
                    ONE_PROCESS,
                    time,
                    round,
                    length ->
                        List.of(ContendingThreads.run(open.contestant(), step, THREADS, length))));
      }
      betweenProcesses(plan, entries, benchServers, file, handOver, results);
    } finally {
      Files.delete(file);
    }
  }

  private void betweenProcesses(
      Plan plan,
      List<Entry> entries,
      BenchServers benchServers,
      Path file,
      SharedHandOver handOver,
      Results results)
      throws Exception {
    List<ContendingProcesses> all = new ArrayList<>();
    try {
      for (Entry entry : entries) {
        ContendingProcesses processes =
            ContendingProcesses.start(plan, entry, benchServers.address(), file);
        all.add(processes);
        processes.awaitReady();
      }
      for (Variant variant : VARIANTS) {
        for (int round = -1; round < plan.rounds(); round++) {
          for (ContendingProcesses processes : plan.order(round, all)) {
            turn(
                benchServers,
                handOver,
                results,
                processes.entry(),
                variant.name(),
                round < 0 ? plan.warmUp() : plan.slice(),
                round,
                time ->
                    processes.run(
                        ContendingProcesses.COUNT, LockUse.EXCLUSIVE, variant.threads(), time));
          }
        }
      }
    } finally {
      all.forEach(ContendingProcesses::close);
    }
  }

  private void turn(
      BenchServers benchServers,
      SharedHandOver handOver,
      Results results,
      Entry entry,
      String figure,
      Duration time,
      int round,
      Crowds crowds)
      throws Exception {
    handOver.clear();
    double before = benchServers.commands().get();
    long began = System.nanoTime();
    List<List<Long>> counts = crowds.run(time);
    double seconds = (System.nanoTime() - began) / 1e9;
    double commands = benchServers.commands().get() - before;
    if (round < 0) {
      return;
    }
    results.add(this, entry, figure + RATE, round, handOver.grants() / seconds);
    results.add(this, entry, figure + GAP, round, handOver.medianGapNanos() / NANOS_PER_MICRO);
    results.add(this, entry, figure + COMMANDS, round, commands / handOver.grants());
    results.add(
        this,
        entry,
        figure + FAIRNESS,
        round,
        unfairness(counts.stream().flatMap(List::stream).toList()));
    if (counts.size() > 1) {
      results.add(this, entry, figure + CROSSING, round, commands / handOver.crossings());
      results.add(
          this,
          entry,
          figure + FAIRNESS_OF_PROCESSES,
          round,
          unfairness(
              counts.stream().map(of -> of.stream().mapToLong(Long::longValue).sum()).toList()));
    }
    results.add(this, entry, figure + OVERLAPS, round, (double) handOver.overlaps());
  }

  /** How much longer the slowest waits for a grant than the one in the middle. */
  static double unfairness(List<Long> counts) {
    Spread spread = Spread.of(counts.stream().mapToDouble(Long::doubleValue).toArray());
    return spread.median() / spread.least();
  }
}
