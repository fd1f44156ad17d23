/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Entry.Trait;
import io.holdfast.lock.bench.Results.Line;
import io.holdfast.lock.servers.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/**
 * Measures one number of processes, with servers of its own: what others have left behind there
 * would count as theirs. Several may run at once, because they count and do not time.
 */
final class ScaleRun {

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Plan plan;
  private final Entry entry;
  private final int round;
  private final int processes;
  private final Lock turn;
  private final ChildJvm child;
  private final ServerCost cost;
  private final List<Line> lines = new ArrayList<>();

  private ScaleRun(
      Plan plan, Entry entry, int round, Lock turn, ChildJvm child, BenchServers benchServers) {
    this.plan = plan;
    this.entry = entry;
    this.round = round;
    this.processes = plan.scale().processes().get(round);
    this.turn = turn;
    this.child = child;
    this.cost = new ServerCost(benchServers);
  }

  /**
   * Measures.
   *
   * @param round which number of processes
   * @param turn held while processes contend, so that only those of one run do
   * @return what was found
   */
  static List<Line> measure(Plan plan, Entry entry, int round, Lock turn) throws Exception {
    try (BenchServers benchServers = BenchServers.open(entry.backend());
        ChildJvm child =
            ChildJvm.start(
                plan.jvm(),
                ScaleProcess.class,
                entry.backend(),
                entry.name(),
                benchServers.address().toString(),
                plan.scale().processes().get(round).toString())) {
      ScaleRun run = new ScaleRun(plan, entry, round, turn, child, benchServers);
      run.measure();
      return run.lines;
    }
  }

  private void measure() throws Exception {
    double heap = answer("empty ");
    double before = cost.commands();
    double asking = cost.commands() - before;
    note(0, 0, heap);
    child.send("open");
    hold(0, answer("opened "), asking);
    if (entry.can(Trait.HOLDS_MANY)) {
      for (int leases : plan.scale().leases()) {
        child.send("take " + leases);
        hold(leases, answer("held "), asking);
      }
      child.send("free");
      answer("freed ");
    }
    turn.lock();
    try {
      contend();
    } finally {
      turn.unlock();
    }
  }

  /** The window begins half its length after the last grant: it has one renewal of each lease. */
  private void hold(int leases, double heap, double asking) throws Exception {
    Duration window = plan.scale().window();
    sleep(window.dividedBy(2));
    double before = cost.commands();
    long began = System.nanoTime();
    sleep(window);
    double commands = cost.commands() - before - asking;
    double seconds = (System.nanoTime() - began) / 1e9;
    add(
        ScaleFigures.state(processes, leases, ScaleSection.COMMANDS),
        Math.max(0, commands) / seconds);
    note(processes, leases, heap);
  }

  private void note(int count, int leases, double heap) throws IOException {
    add(ScaleFigures.state(count, leases, ScaleSection.CONNECTIONS), cost.connections());
    add(ScaleFigures.state(count, leases, ScaleSection.WATCHES), cost.watches());
    add(ScaleFigures.state(count, leases, ScaleSection.MEMORY), cost.memory());
    add(ScaleFigures.state(count, leases, ScaleSection.HEAP), heap);
  }

  private void contend() throws Exception {
    Duration time = plan.slice();
    double before = cost.commands();
    child.send("contend " + time.toMillis());
    sleep(time.dividedBy(2));
    double watches = cost.watches();
    double connections = cost.connections();
    double handOvers = answer("handed ");
    double commands = cost.commands() - before;
    add(ScaleFigures.waiting(processes, ScaleSection.HAND_OVER), commands / handOvers);
    add(ScaleFigures.waiting(processes, ScaleSection.WATCHES), watches);
    add(ScaleFigures.waiting(processes, ScaleSection.CONNECTIONS), connections);
  }

  private void add(String figure, double value) {
    if (!Double.isNaN(value)) {
      lines.add(
          new Line(
              ScaleSection.NAME,
              entry.backend(),
              entry.kind(),
              entry.name(),
              figure,
              round,
              value));
    }
  }

  private double answer(String beginning) {
    String line = child.awaitLine(said -> said.startsWith(beginning), PATIENCE);
    return Double.parseDouble(line.substring(beginning.length()));
  }

  private static void sleep(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }
}
