/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.row;

import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.spi.support.TimeLimit;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The threads that wait for the server in place of claims: for each connection of the pool one that
 * takes them and one that gives them back, so that neither waits for the other.
 */
final class RowThreads {

  /** A step of a claim, which waits for the server. */
  interface Step<T> {
    T take() throws SQLException;
  }

  private final Duration timeout;
  private final TimeLimit limit;
  private final ThreadPoolExecutor attempts;
  private final ThreadPoolExecutor endings;
  private final ExecutorService looks;

  /**
   * Starts none yet.
   *
   * @param size how many connections the pool has
   * @param timeout for a step
   */
  RowThreads(int size, Duration timeout) {
    this.timeout = timeout;
    this.limit = new TimeLimit(timeout);
    this.attempts = threads("attempt", size);
    // After the end it is refused at once, so that its release does not wait for it.
    attempts.setRejectedExecutionHandler((task, threads) -> task.run());
    this.endings = threads("release", size);
    // An attempt may get a connection of a slow pool after the end: what gives it back runs.
    endings.setRejectedExecutionHandler(
        (task, threads) -> daemons("release").newThread(task).start());
    // As many as there are holders: each may wait for what its holder does.
    this.looks = Executors.newCachedThreadPool(daemons("look"));
  }

  private static ThreadPoolExecutor threads(String name, int size) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            size, size, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons(name));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static ThreadFactory daemons(String name) {
    return task -> {
      Thread thread = new Thread(task, "holdfast-postgres-" + name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /** Has each look at its connection. */
  void lookAt(Collection<RowClaim> holding) {
    if (!looks.isShutdown()) {
      holding.forEach(claim -> looks.execute(claim::look));
    }
  }

  /** Takes a step that needs a connection of the pool. */
  <T> CompletableFuture<T> attempt(Step<T> step, Supplier<String> operation) {
    return inTime(CompletableFuture.completedFuture(null), step, attempts, operation);
  }

  /**
   * Takes a step that gives one back; no attempt is before it in a queue.
   *
   * @param after which it is taken, and until which it needs no thread: so nobody who gives one
   *     back waits for others who wait for one
   */
  <T> CompletableFuture<T> ending(
      CompletableFuture<?> after, Step<T> step, Supplier<String> operation) {
    return inTime(after, step, endings, operation);
  }

  private <T> CompletableFuture<T> inTime(
      CompletableFuture<?> after,
      Step<T> step,
      ThreadPoolExecutor threads,
      Supplier<String> operation) {
    CompletableFuture<T> taken = new CompletableFuture<>();
    after
        .thenRunAsync(
            () -> {
              try {
                taken.complete(step.take());
              } catch (SQLException | RuntimeException e) {
                taken.completeExceptionally(e);
              }
            },
            threads)
        .whenComplete(
            (done, refused) -> {
              if (refused != null) {
                taken.completeExceptionally(refused);
              }
            });
    return limit.on(taken, failure -> PgFailures.typed(operation.get(), failure));
  }

  /**
   * Ends, when all connections were given back. Answers whether the thread was interrupted
   * meanwhile, or before.
   */
  boolean close() {
    // Those that have not begun: a release may wait for one to be over.
    attempts.shutdownNow().forEach(Runnable::run);
    looks.shutdownNow();
    endings.shutdown();
    return awaitEndings();
  }

  /**
   * Waits for no longer than a command may take, also if interrupted: what holders wrote could be
   * lost. Answers whether the thread was interrupted.
   */
  private boolean awaitEndings() {
    long deadline = System.nanoTime() + timeout.toNanos();
    boolean interrupted = Thread.interrupted();
    while (true) {
      try {
        endings.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        return interrupted;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
  }
}
