/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.servers.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A contestant's processes, whose threads want the same.
 *
 * @param entry the contestant
 * @param children run
 */
record ContendingProcesses(Entry entry, List<ChildJvm> children) implements AutoCloseable {

  static final int COUNT = 4;

  /** Starts them; they are not ready at once. */
  static ContendingProcesses start(Plan plan, Entry entry, Address address, Path file) {
    ContendingProcesses started = new ContendingProcesses(entry, new ArrayList<>());
    for (int i = 1; i <= COUNT; i++) {
      started.children.add(ContendingThreads.start(plan.jvm(), entry, address, file, i));
    }
    return started;
  }

  void awaitReady() {
    children.forEach(ContendingThreads::awaitReady);
  }

  /** Has so many of them want it; how often each thread got it, by process. */
  List<List<Long>> run(int processes, LockUse use, int threads, Duration time) {
    List<ChildJvm> those = children.subList(0, processes);
    those.forEach(child -> ContendingThreads.send(child, use, threads, time));
    return those.stream().map(ContendingThreads::awaitCounts).toList();
  }

  @Override
  public void close() {
    children.forEach(ChildJvm::close);
  }
}
