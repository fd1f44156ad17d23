/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** F: what the engine adds to a backend, in time and in memory. */
final class EngineSection implements Section {

  static final String TIME = "ns";
  static final String MEMORY = "bytes allocated";

  /** Of acquire and release, without what the backend takes. */
  static final String OWN = "engine alone: ";

  private static final String ENGINE = "engineAndBackend";
  private static final String BACKEND = "backendAlone";

  /** As JMH's profiler of the collector calls it. */
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  @Override
  public String name() {
    return "F";
  }

  @Override
  public String title() {
    return "The engine alone: acquire and release in memory";
  }

  @Override
  public List<Entry> contestants(String backend) {
    return backend.equals(BenchServers.MEMORY) ? List.of(Contestants.memory()) : List.of();
  }

  @Override
  public Duration estimate(Plan plan, List<Entry> entries) {
    return plan.warmUp().plus(plan.slice()).multipliedBy(2L * plan.rounds() * entries.size());
  }

  /** A fork of JMH is a round. */
  @Override
  public void measure(Plan plan, List<Entry> entries, BenchServers benchServers, Results results)
      throws Exception {
    for (int round = 0; round < plan.rounds() && !entries.isEmpty(); round++) {
      RunResult engine = run(plan, ENGINE);
      RunResult alone = run(plan, BACKEND);
      note(results, round, TIME, time(engine), time(alone));
      note(results, round, MEMORY, bytes(engine), bytes(alone));
    }
  }

  private void note(Results results, int round, String unit, double both, double backend) {
    Entry entry = Contestants.memory();
    results.add(this, entry, "engine and backend: " + unit, round, both);
    results.add(this, entry, "backend alone: " + unit, round, backend);
    results.add(this, entry, OWN + unit, round, both - backend);
  }

  private static RunResult run(Plan plan, String benchmark) throws Exception {
    return new Runner(
            new OptionsBuilder()
                .include(EngineBenchmark.class.getName() + "." + benchmark)
                .forks(1)
                .warmupIterations(1)
                .warmupTime(TimeValue.milliseconds(plan.warmUp().toMillis()))
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(plan.slice().toMillis()))
                .addProfiler("gc")
                .verbosity(VerboseMode.SILENT)
                .jvmArgs(plan.jvm().toArray(String[]::new))
                .shouldFailOnError(true)
                .build())
        .runSingle();
  }

  private static double time(RunResult result) {
    return result.getPrimaryResult().getScore();
  }

  private static double bytes(RunResult result) {
    return Objects.requireNonNull(result.getSecondaryResults().get(ALLOCATED)).getScore();
  }
}
