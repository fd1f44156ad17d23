/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.servers.ChildJvm;
import java.time.Duration;
import java.util.List;

/** E: how long a new process takes to its first lock. */
final class StartSection implements Section {

  static final String OPEN = "open to first grant, ms";
  static final String PROCESS = "start of the JVM to first grant, ms";
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration ABOUT = Duration.ofSeconds(3);
  private static final double NANOS_PER_MILLI = 1e6;

  @Override
  public String name() {
    return "E";
  }

  @Override
  public String title() {
    return "Start-up: a new JVM to its first lock";
  }

  @Override
  public Duration estimate(Plan plan, List<Entry> entries) {
    return ABOUT.multipliedBy(plan.rounds()).multipliedBy(entries.size());
  }

  @Override
  public void measure(Plan plan, List<Entry> entries, BenchServers benchServers, Results results) {
    // The first finds the server cold, and makes tables.
    for (int round = -1; round < plan.rounds(); round++) {
      for (Entry entry : plan.order(round, entries)) {
        long began = System.nanoTime();
        try (ChildJvm child =
            ChildJvm.start(
                plan.jvm(),
                StarterProcess.class,
                entry.backend(),
                entry.name(),
                benchServers.address().toString())) {
          String line = child.awaitLine(said -> said.startsWith("granted "), PATIENCE);
          long took = System.nanoTime() - began;
          // A lock that nobody gives back would be in the way of the next round.
          child.awaitExit(PATIENCE);
          if (round >= 0) {
            double opened = Double.parseDouble(line.substring("granted ".length()));
            results.add(this, entry, OPEN, round, opened / NANOS_PER_MILLI);
            results.add(this, entry, PROCESS, round, took / NANOS_PER_MILLI);
          }
        }
      }
    }
  }
}
