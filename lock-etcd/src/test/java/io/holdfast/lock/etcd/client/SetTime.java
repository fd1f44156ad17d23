/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Stands still, and remembers what was put off and for how long. */
public final class SetTime implements TimeSource {

  final List<Duration> delays = new ArrayList<>();
  private final List<Runnable> tasks = new ArrayList<>();
  public long now;

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    delays.add(delay);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  /** Those that were not cancelled. */
  void runTasks() {
    List<Runnable> due = List.copyOf(tasks);
    tasks.clear();
    due.forEach(Runnable::run);
  }

  @Override
  public void close() {}
}
