/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * F: what the engine adds to a backend, in time and in memory; and what its events for the JDK's
 * flight recorder add, compared with a JVM that has none.
 */
final class EngineSection implements Section {

  static final String TIME = "ns";
  static final String MEMORY = "bytes allocated";

  /** Of acquire and release, without what the backend takes. */
  static final String OWN = "engine alone: ";

  /** Ends the name of a ratio to the figure of a JVM without the module. */
  static final String TO_NO_JFR = ", × without jdk.jfr";

  private static final String ENGINE_AND_BACKEND = "engineAndBackend";

  /** As JMH's profiler of the collector calls it. */
  private static final String ALLOCATED = "gc.alloc.rate.norm";

  /** The part that runs in a JVM of its own. */
  private enum Fork {
    BACKEND("backend alone", "backendAlone", JfrState.IDLE),
    ENGINE("engine and backend", ENGINE_AND_BACKEND, JfrState.IDLE),
    RECORDED("engine and backend, JFR recording", ENGINE_AND_BACKEND, JfrState.RECORDING),
    WITHOUT_JFR("engine and backend, without jdk.jfr", ENGINE_AND_BACKEND, JfrState.ABSENT);

    private final String figure;
    private final String benchmark;
    private final JfrState jfr;

    Fork(String figure, String benchmark, JfrState jfr) {
      this.figure = figure;
      this.benchmark = benchmark;
      this.jfr = jfr;
    }
  }

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
    return plan.warmUp()
        .plus(plan.slice())
        .multipliedBy((long) Fork.values().length * plan.rounds() * entries.size());
  }

  /** Each fork of JMH has one turn in a round, and is as often first as last. */
  @Override
  public void measure(Plan plan, List<Entry> entries, BenchServers benchServers, Results results)
      throws Exception {
    for (int round = 0; round < plan.rounds() && !entries.isEmpty(); round++) {
      Map<Fork, RunResult> found = new EnumMap<>(Fork.class);
      List<Fork> order = new ArrayList<>(List.of(Fork.values()));
      Collections.rotate(order, round);
      for (Fork fork : order) {
        found.put(fork, run(plan, fork));
      }
      note(results, round, TIME, fork -> time(Objects.requireNonNull(found.get(fork))));
      note(results, round, MEMORY, fork -> bytes(Objects.requireNonNull(found.get(fork))));
    }
  }

  private void note(Results results, int round, String unit, ToDoubleFunction<Fork> value) {
    Entry entry = Contestants.memory();
    for (Fork fork : Fork.values()) {
      results.add(this, entry, fork.figure + ": " + unit, round, value.applyAsDouble(fork));
    }
    double engine = value.applyAsDouble(Fork.ENGINE);
    results.add(this, entry, OWN + unit, round, engine - value.applyAsDouble(Fork.BACKEND));
    double without = value.applyAsDouble(Fork.WITHOUT_JFR);
    for (Fork fork : List.of(Fork.ENGINE, Fork.RECORDED)) {
      String figure = fork.figure + ": " + unit + TO_NO_JFR;
      results.add(this, entry, figure, round, value.applyAsDouble(fork) / without);
    }
  }

  private static RunResult run(Plan plan, Fork fork) throws Exception {
    return new Runner(
            new OptionsBuilder()
                .include(EngineBenchmark.class.getName() + "." + fork.benchmark)
                .forks(1)
                .warmupIterations(1)
                .warmupTime(TimeValue.milliseconds(plan.warmUp().toMillis()))
                .measurementIterations(1)
                .measurementTime(TimeValue.milliseconds(plan.slice().toMillis()))
                .addProfiler("gc")
                .verbosity(VerboseMode.SILENT)
                .jvmArgs(
                    Stream.concat(plan.jvm().stream(), fork.jfr.jvmOptions().stream())
                        .toArray(String[]::new))
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
