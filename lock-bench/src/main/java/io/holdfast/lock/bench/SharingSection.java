/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Entry.Trait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** H and I: read-write locks and semaphores that threads of several processes use. */
final class SharingSection implements Section {

  static final String RATE = ": acquisitions/s";
  static final String COMMANDS = ": server commands per acquisition";
  static final String FAIRNESS = ": slowest to median thread";
  static final String OVERLAPS = ": overlaps";
  static final String READERS = "16 readers of one process";
  static final String READERS_AND_WRITERS = "4 processes x 4 threads, 95 % reads";
  static final String PERMITS = "8 permits, 4 processes x 8 threads";

  /**
   * The threads and what they ask for.
   *
   * @param name of the figures
   * @param use what they want
   * @param processes how many of a contestant's
   * @param threads of each process
   */
  private record Variant(String name, LockUse use, int processes, int threads) {}

  private final String name;
  private final String title;
  private final Trait trait;
  private final List<Variant> variants;

  private SharingSection(String name, String title, Trait trait, List<Variant> variants) {
    this.name = name;
    this.title = title;
    this.trait = trait;
    this.variants = variants;
  }

  static Section readWriteLocks() {
    return new SharingSection(
        "H",
        "Read-write locks: many readers of one lock",
        Trait.SHARES,
        List.of(
            new Variant(READERS, LockUse.READ, 1, 16),
            new Variant(
                READERS_AND_WRITERS, LockUse.READ_AND_WRITE, ContendingProcesses.COUNT, 4)));
  }

  static Section semaphores() {
    return new SharingSection(
        "I",
        "Semaphores: many who want one of a few permits",
        Trait.COUNTS,
        List.of(new Variant(PERMITS, LockUse.PERMIT, ContendingProcesses.COUNT, 8)));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public List<Entry> contestants(String backend) {
    return Contestants.all(backend).stream().filter(entry -> entry.can(trait)).toList();
  }

  @Override
  public Duration estimate(Plan plan, List<Entry> entries) {
    return plan.turns(entries.size()).multipliedBy(variants.size());
  }

  @Override
  public void measure(Plan plan, List<Entry> entries, BenchServers benchServers, Results results)
      throws Exception {
    Path file = Files.createTempFile("holdfast-holders", null);
    List<ContendingProcesses> all = new ArrayList<>();
    try {
      SharedHolders holders = SharedHolders.map(file);
      for (Entry entry : entries) {
        ContendingProcesses processes =
            ContendingProcesses.start(plan, entry, benchServers.address(), file);
        all.add(processes);
        processes.awaitReady();
      }
      for (Variant variant : variants) {
        for (int round = -1; round < plan.rounds(); round++) {
          for (ContendingProcesses processes : plan.order(round, all)) {
            Duration time = round < 0 ? plan.warmUp() : plan.slice();
            turn(benchServers, holders, results, processes, variant, time, round);
          }
        }
      }
    } finally {
      all.forEach(ContendingProcesses::close);
      Files.delete(file);
    }
  }

  private void turn(
      BenchServers benchServers,
      SharedHolders holders,
      Results results,
      ContendingProcesses processes,
      Variant variant,
      Duration time,
      int round) {
    holders.clear();
    double before = benchServers.commands().get();
    long began = System.nanoTime();
    List<Long> counts =
        processes.run(variant.processes(), variant.use(), variant.threads(), time).stream()
            .flatMap(List::stream)
            .toList();
    double seconds = (System.nanoTime() - began) / 1e9;
    double commands = benchServers.commands().get() - before;
    if (round < 0) {
      return;
    }
    Entry entry = processes.entry();
    long sum = counts.stream().mapToLong(Long::longValue).sum();
    results.add(this, entry, variant.name() + RATE, round, sum / seconds);
    results.add(this, entry, variant.name() + COMMANDS, round, commands / sum);
    results.add(this, entry, variant.name() + FAIRNESS, round, HandOverSection.unfairness(counts));
    results.add(this, entry, variant.name() + OVERLAPS, round, (double) holders.overlaps());
  }
}
