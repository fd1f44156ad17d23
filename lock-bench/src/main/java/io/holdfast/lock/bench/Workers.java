/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that do the same at once. */
final class Workers {

  /**
   * The task of one worker.
   *
   * @param <T> its answer
   */
  @FunctionalInterface
  interface Task<T> {

    /**
     * Does it.
     *
     * @param thread its number, from 0
     * @param end when to stop, as {@link System#nanoTime()} has it
     */
    T run(int thread, long end) throws Exception;
  }

  /**
   * The results of all workers.
   *
   * @param answers of all
   * @param seconds from the first's start to the last's end
   */
  record Done<T>(List<T> answers, double seconds) {}

  /** Makes an executor with a thread for each task. */
  @FunctionalInterface
  interface Kind {
    ExecutorService open();
  }

  private Workers() {}

  static Kind platform() {
    return Executors::newCachedThreadPool;
  }

  /** Virtual ones, from JDK 21 on. */
  static Optional<Kind> virtual() {
    try {
      var maker = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
      return Optional.of(
          () -> {
            try {
              return (ExecutorService) maker.invoke(null);
            } catch (ReflectiveOperationException e) {
              throw new IllegalStateException(e);
            }
          });
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }

  /** Runs a task on so many threads at once; the time begins when all are there. */
  static <T> Done<T> run(Kind kind, int count, Duration time, Task<T> task) throws Exception {
    ExecutorService executor = kind.open();
    try {
      CountDownLatch there = new CountDownLatch(count);
      CompletableFuture<Long> end = new CompletableFuture<>();
      List<Future<T>> started = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int thread = i;
        started.add(
            executor.submit(
                () -> {
                  there.countDown();
                  return task.run(thread, end.get());
                }));
      }
      there.await();
      long began = System.nanoTime();
      end.complete(began + time.toNanos());
      List<T> answers = new ArrayList<>();
      for (Future<T> future : started) {
        answers.add(future.get());
      }
      return new Done<>(answers, (System.nanoTime() - began) / 1e9);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      executor.shutdownNow();
    }
  }
}
