/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Results.Line;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** J: what many processes and many leases cost the servers, and the processes. */
final class ScaleSection implements Section {

  static final String NAME = "J";
  static final String CONNECTIONS = "server connections";
  static final String COMMANDS = "server commands/s";
  static final String MEMORY = "server memory, bytes";
  static final String WATCHES = "watches and subscriptions";
  static final String HEAP = "client heap, bytes";
  static final String HAND_OVER = "server commands for each hand-over";

  /** Servers, the JVM, its clients, and all that is not a window. */
  private static final Duration AROUND = Duration.ofSeconds(25);

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return "Scale: what many processes and leases cost";
  }

  @Override
  public boolean hasOwnPage() {
    return true;
  }

  @Override
  public List<Entry> contestants(String backend) {
    return Contestants.of(backend).stream()
        .filter(entry -> entry.kind() == Entry.Kind.OURS)
        .toList();
  }

  @Override
  public Duration estimate(Plan plan, List<Entry> entries) {
    Duration window = plan.scale().window();
    return window
        .plus(window.dividedBy(2))
        .multipliedBy(1 + plan.scale().leases().size())
        .plus(AROUND)
        .multipliedBy(entries.size());
  }

  /** All numbers of processes at once, each with servers of its own instead of those given. */
  @Override
  public void measure(Plan plan, List<Entry> entries, BenchServers benchServers, Results results)
      throws Exception {
    Lock turn = new ReentrantLock();
    for (Entry entry : entries) {
      List<List<Line>> found =
          Workers.<List<Line>>run(
                  Workers.platform(),
                  plan.scale().processes().size(),
                  Duration.ZERO,
                  (round, end) -> ScaleRun.measure(plan, entry, round, turn))
              .answers();
      found.forEach(lines -> lines.forEach(results::add));
    }
  }
}
