/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until it is advanced by hand. Due tasks run on the thread that advances
 * it, in the order of their times, so that what depends on it is deterministic.
 */
public final class ManualTime implements TimeSource {

  private record Task(long at, long number, Runnable work) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
  private volatile long now;
  private long numbers;

  /** Begins at zero. */
  public ManualTime() {}

  @Override
  public long nanos() {
    return now;
  }

  @Override
  public Timer schedule(Duration delay, Runnable work) {
    lock.lock();
    try {
      Task task = new Task(after(delay), numbers++, work);
      tasks.add(task);
      return () -> cancel(task);
    } finally {
      lock.unlock();
    }
  }

  /** Saturates instead of overflowing. */
  private long after(Duration delay) {
    if (delay.isNegative()) {
      return now;
    }
    long most = Long.MAX_VALUE - now;
    return delay.compareTo(Duration.ofNanos(most)) < 0 ? now + delay.toNanos() : Long.MAX_VALUE;
  }

  /**
   * Moves the clock, stopping at each task that comes due on the way, and runs it.
   *
   * @param by zero runs what is due now
   */
  public void advance(Duration by) {
    long end = now + by.toNanos();
    while (true) {
      Task due = nextUntil(end);
      if (due == null) {
        now = end;
        return;
      }
      due.work().run();
    }
  }

  /**
   * Moves the clock without running what comes due, as when the process or its host was paused;
   * what was due runs at the next {@link #advance}.
   *
   * @param by the length of the pause
   */
  public void pause(Duration by) {
    lock.lock();
    try {
      now = Math.addExact(now, by.toNanos());
    } finally {
      lock.unlock();
    }
  }

  /** Forgets all tasks. */
  @Override
  public void close() {
    lock.lock();
    try {
      tasks.clear();
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Task nextUntil(long end) {
    lock.lock();
    try {
      Task next = tasks.peek();
      if (next == null || next.at() > end) {
        return null;
      }
      tasks.remove();
      now = Math.max(now, next.at());
      return next;
    } finally {
      lock.unlock();
    }
  }

  private void cancel(Task task) {
    lock.lock();
    try {
      tasks.remove(task);
    } finally {
      lock.unlock();
    }
  }
}
