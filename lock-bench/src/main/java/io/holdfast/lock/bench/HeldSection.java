/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Entry.Trait;
import io.holdfast.lock.servers.ChildJvm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** D: what it costs to hold many locks and to keep them alive. Each in a JVM of its own. */
final class HeldSection implements Section {

  static final String COMMANDS = " held: server commands/s";
  static final String CPU = " held: client CPU, % of a processor";
  static final String THREADS = " held: threads";
  static final String CONNECTIONS = " held: connections";
  static final String HEAP = " held: bytes of heap for each";
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final long LEASES_TAKEN_IN_A_SECOND = 1_000;

  @Override
  public String name() {
    return "D";
  }

  @Override
  public String title() {
    return "Held: what leases cost while they are kept alive";
  }

  @Override
  public List<Entry> contestants(String backend) {
    return Contestants.of(backend).stream().filter(entry -> entry.can(Trait.HOLDS_MANY)).toList();
  }

  @Override
  public Duration estimate(Plan plan, List<Entry> entries) {
    long leases = plan.leases().stream().mapToLong(Integer::longValue).sum();
    return plan.held()
        .multipliedBy(plan.leases().size())
        .plusSeconds(leases / LEASES_TAKEN_IN_A_SECOND)
        .multipliedBy(entries.size());
  }

  @Override
  public void measure(Plan plan, List<Entry> entries, BenchServers benchServers, Results results)
      throws Exception {
    for (int run = 0; run < plan.leases().size(); run++) {
      int leases = plan.leases().get(run);
      for (Entry entry : plan.order(run, entries)) {
        try (ChildJvm child =
            ChildJvm.start(
                plan.jvm(),
                HolderProcess.class,
                entry.backend(),
                entry.name(),
                benchServers.address().toString(),
                Integer.toString(leases))) {
          hold(plan, entry, leases, benchServers, child, results);
        }
      }
    }
  }

  private void hold(
      Plan plan,
      Entry entry,
      int leases,
      BenchServers benchServers,
      ChildJvm child,
      Results results)
      throws Exception {
    String[] held = answer(child, "held ");
    double before = benchServers.commands().get();
    long began = System.nanoTime();
    TimeUnit.NANOSECONDS.sleep(plan.held().toNanos());
    double commands = benchServers.commands().get() - before;
    double seconds = (System.nanoTime() - began) / 1e9;
    child.send("cost");
    String[] cost = answer(child, "cost ");
    double cpuNanos = Double.parseDouble(cost[0]) - Double.parseDouble(held[1]);
    results.add(this, entry, leases + COMMANDS, 0, commands / seconds);
    results.add(this, entry, leases + CPU, 0, cpuNanos / 1e7 / seconds);
    results.add(this, entry, leases + THREADS, 0, Double.parseDouble(cost[1]));
    results.add(this, entry, leases + CONNECTIONS, 0, Double.parseDouble(cost[2]));
    results.add(this, entry, leases + HEAP, 0, Double.parseDouble(held[0]));
  }

  private static String[] answer(ChildJvm child, String beginning) {
    return child
        .awaitLine(line -> line.startsWith(beginning), PATIENCE)
        .substring(beginning.length())
        .split(" ", -1);
  }
}
