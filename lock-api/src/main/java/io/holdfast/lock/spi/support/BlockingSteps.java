/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/**
 * The thread of a backend whose driver blocks, such as JDBC: it takes the steps of all claims one
 * after another, in the order in which they were asked for. So a release comes after the attempt
 * that it undoes, and what only steps touch (the connection, what a claim has sent) needs no lock.
 *
 * <p>Each step is answered within the limit, in whatever state the driver is. One whose turn has
 * not come by then is never taken. One that is under way is told to be given up (see the
 * constructor), and what comes of it is nobody's answer any more: what it has sent may still be
 * carried out by the server, and the next release has to undo it.
 *
 * <p>For any number of threads.
 */
public final class BlockingSteps implements AutoCloseable {

  /**
   * A step to run on the thread.
   *
   * @param <T> what comes of it
   */
  @FunctionalInterface
  public interface Step<T> {

    /**
     * Does it, and may block for as long as the driver does.
     *
     * @return the answer
     * @throws Exception which becomes a {@link LockException}, if it is none
     */
    T take() throws Exception;
  }

  private final String name;
  private final ExecutorService thread;
  private final Duration timeout;
  private final TimeLimit limit;
  private final BiFunction<String, Throwable, LockException> toLockException;
  private final Runnable giveUp;

  /**
   * Starts no thread before the first step.
   *
   * @param name of the thread
   * @param limit how long an answer is waited for, from when the step is asked for: the backend's
   *     {@link LockBackend#operationTimeout}
   * @param toLockException what the caller is told of a failure that is no {@link LockException};
   *     it is given what was being done, for the message
   * @param giveUp run on a thread of its own when a step under way has taken longer than the limit;
   *     has to make the driver's call end, by closing the connection for example. Where the driver
   *     has a time-out of its own that does it, there is nothing to do here
   */
  public BlockingSteps(
      String name,
      Duration limit,
      BiFunction<String, Throwable, LockException> toLockException,
      Runnable giveUp) {
    this.name = name;
    this.thread = Executors.newSingleThreadExecutor(task -> daemon(name, task));
    this.timeout = limit;
    this.limit = new TimeLimit(limit);
    this.toLockException = toLockException;
    this.giveUp = giveUp;
  }

  /**
   * Asks for a step to be taken.
   *
   * @param doing begins the message if it fails, such as {@code Acquiring lock 'orders'}
   * @param step what is done
   * @return the answer; fails with a {@link LockException}, which is a {@link
   *     LockUnavailableException} if there is no answer in time or after {@link #close}
   * @param <T> what is answered
   */
  public <T> CompletableFuture<T> ask(String doing, Step<T> step) {
    CompletableFuture<T> taken = new CompletableFuture<>();
    CompletableFuture<T> answer = limit.on(taken, failure -> failure(doing, failure));
    try {
      thread.execute(() -> take(step, taken, answer));
    } catch (RejectedExecutionException e) {
      taken.completeExceptionally(
          new LockUnavailableException(doing + " failed: the lock client is closed"));
    }
    return answer;
  }

  private <T> void take(Step<T> step, CompletableFuture<T> taken, CompletableFuture<T> answer) {
    if (answer.isDone()) {
      return;
    }
    answer.whenComplete(
        (value, failure) -> {
          if (!taken.isDone()) {
            daemon(name + "-give-up", giveUp).start();
          }
        });
    try {
      taken.complete(step.take());
    } catch (Exception | Error e) {
      taken.completeExceptionally(e);
    }
  }

  private LockException failure(String doing, Throwable failure) {
    if (failure instanceof LockException known) {
      return known;
    }
    return failure instanceof TimeoutException
        ? new LockUnavailableException(
            doing + " failed: no answer within " + TimeText.of(timeout), failure)
        : toLockException.apply(doing, failure);
  }

  private static Thread daemon(String name, Runnable task) {
    Thread made = new Thread(task, name);
    made.setDaemon(true);
    return made;
  }

  /**
   * Takes no more steps. Those that were asked for are taken, or have been given up, when this
   * returns; after the limit it returns in any case. An interrupt of the caller stays set, and does
   * not shorten the wait.
   */
  @Override
  public void close() {
    thread.shutdown();
    boolean interrupted = false;
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      try {
        if (!thread.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          thread.shutdownNow();
        }
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
