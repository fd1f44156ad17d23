/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one after another, in the order of their submission, on whichever thread submits while
 * none is at it. What is only touched by tasks of one strand needs no lock. Tasks are short and
 * never block; a task submitted by a task runs after it, not inside it. One that finds nobody at it
 * is not queued at all.
 */
final class Strand implements Executor {

  private static final Logger LOG = LoggerFactory.getLogger(Strand.class);

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();

  @Override
  public void execute(Runnable task) {
    @Nullable Runnable next = task;
    if (!pending.compareAndSet(0, 1)) {
      tasks.add(task);
      if (pending.getAndIncrement() != 0) {
        return;
      }
      next = tasks.poll();
    }
    run(next);
    while (pending.decrementAndGet() != 0) {
      run(tasks.poll());
    }
  }

  private static void run(@Nullable Runnable task) {
    try {
      if (task != null) {
        task.run();
      }
    } catch (RuntimeException | Error e) {
      LOG.error("A step of the lock engine failed; please report this", e);
    }
  }
}
