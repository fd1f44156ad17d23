/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks of several threads, and the orders in which their steps may come. */
@Param(name = "thread", gen = ThreadIdGen.class)
public class StrandInterleavingsTest {

  private static final int THREADS = 3;

  private final Strand strand = new Strand();

  /** Of each thread, by itself. */
  private final int[] submitted = new int[THREADS + 2];

  /** On the strand, as all that follows. */
  private final int[] ran = new int[THREADS + 2];

  private int inside;
  private int submittedByTasks;
  private int ranOfTasks;
  private String broken = "";

  @Operation
  public void submit(@Param(name = "thread") int thread) {
    int number = ++submitted[thread];
    strand.execute(() -> run(() -> ranInTurn(thread, number)));
  }

  @Operation
  public void submitWhatSubmits(@Param(name = "thread") int thread) {
    int number = ++submitted[thread];
    strand.execute(
        () ->
            run(
                () -> {
                  submittedByTasks++;
                  strand.execute(() -> run(() -> ranOfTasks++));
                  ranInTurn(thread, number);
                }));
  }

  private void run(Runnable task) {
    inside++;
    if (inside != 1) {
      broken = "two tasks at once, or one inside another";
    }
    task.run();
    inside--;
  }

  private void ranInTurn(int thread, int number) {
    if (ran[thread] != number - 1) {
      broken = "task %d of thread %d after task %d".formatted(number, thread, ran[thread]);
    }
    ran[thread] = number;
  }

  @Validate
  public void everyTaskRanOnceInOrder() {
    for (int thread = 0; thread < ran.length; thread++) {
      if (ran[thread] != submitted[thread]) {
        throw new IllegalStateException(
            ran[thread] + " of " + submitted[thread] + " tasks of thread " + thread);
      }
    }
    if (ranOfTasks != submittedByTasks) {
      throw new IllegalStateException(ranOfTasks + " of " + submittedByTasks + " tasks of tasks");
    }
    if (!broken.isEmpty()) {
      throw new IllegalStateException(broken);
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void stepByStep() {
    Interleavings.of(new ModelCheckingOptions(), THREADS, 2).check(getClass());
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void atFullSpeed() {
    Interleavings.of(new StressOptions(), THREADS, 2).check(getClass());
  }
}
