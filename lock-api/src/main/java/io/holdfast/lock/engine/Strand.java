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
 * none is at it. State that only tasks of one strand touch needs no lock. Tasks are short and never
 * block; a task submitted by a task runs after it, not inside it. One that finds nobody at it is
 * not queued at all.
 *
 * <p>On a busy strand there is always one more task. The thread that submits a task has its own
 * work to do, be it a caller, the timer or a connection's thread; so after some tasks a thread of
 * the strand's own goes on until there is none.
 */
final class Strand implements Executor {

  private static final Logger LOG = LoggerFactory.getLogger(Strand.class);

  private static final int MOST_FOR_OTHERS = 250;

  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();

  @Override
  public void execute(Runnable task) {
    // Not past what is queued. Tasks are counted after they are queued, so one that is not counted
    // yet may have been run on the count of another: none is pending then, and that other waits.
    if (tasks.isEmpty() && pending.compareAndSet(0, 1)) {
      run(task);
      if (pending.decrementAndGet() != 0) {
        drain(MOST_FOR_OTHERS);
      }
    } else {
      tasks.add(task);
      if (pending.getAndIncrement() == 0) {
        drain(MOST_FOR_OTHERS);
      }
    }
  }

  /** There is at least one. */
  private void drain(long maxSteps) {
    long done = 0;
    do {
      if (done++ == maxSteps && goesOnElsewhere()) {
        return;
      }
      run(tasks.poll());
    } while (pending.decrementAndGet() != 0);
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

  private boolean goesOnElsewhere() {
    try {
      Thread thread = new Thread(() -> drain(Long.MAX_VALUE), "holdfast-strand");
      thread.setDaemon(true);
      thread.start();
      return true;
    } catch (OutOfMemoryError e) {
      LOG.warn("No thread can be created for a busy lock; the current thread continues", e);
      return false;
    }
  }
}
