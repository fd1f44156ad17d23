/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import io.holdfast.lock.LockException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Limits how long a client waits for the answer to a request, the same for all of them. One look,
 * now and then, ends what has taken too long: a timer for each request wakes its thread for each
 * request ({@link CompletableFuture#orTimeout}), which costs more than many a request does.
 *
 * <p>For any number of threads. A request is given up no earlier than after the limit, and not much
 * later than a thirtieth of it after that.
 */
public final class TimeLimit {

  private static final int LOOKS = 32;

  /** Answered requests are remembered until the next look. */
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Pending<T>(
      CompletableFuture<T> answer,
      long endsAt,
      Function<Throwable, LockException> toLockException) {

    boolean hasEnded(long now) {
      if (!answer.isDone() && now - endsAt >= 0) {
        fail(new TimeoutException());
      }
      return answer.isDone();
    }

    void fail(Throwable failure) {
      try {
        answer.completeExceptionally(toLockException.apply(failure));
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    }
  }

  private final long nanos;
  private final Executor afterAWhile;
  private final Queue<Pending<?>> pending = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean willLook = new AtomicBoolean();

  /**
   * With nothing under way yet.
   *
   * @param limit how long an answer is waited for
   */
  public TimeLimit(Duration limit) {
    this(
        limit,
        CompletableFuture.delayedExecutor(
            Math.min(Math.max(1, limit.toNanos() / LOOKS), LONGEST_NANOS),
            TimeUnit.NANOSECONDS,
            Runnable::run));
  }

  TimeLimit(Duration limit, Executor afterAWhile) {
    this.nanos = limit.toNanos();
    this.afterAWhile = afterAWhile;
  }

  /**
   * Waits for an answer for so long, and no longer.
   *
   * @param request what is under way; it is left as it is
   * @param toLockException what the caller is told of a failure, {@link TimeoutException} among
   *     them
   * @return the answer, or its failure, or that it took too long
   * @param <T> what is answered
   */
  public <T> CompletableFuture<T> on(
      CompletableFuture<T> request, Function<Throwable, LockException> toLockException) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Pending<T> asked = new Pending<>(answer, System.nanoTime() + nanos, toLockException);
    request.whenComplete(
        (value, failure) -> {
          if (failure == null) {
            answer.complete(value);
          } else {
            asked.fail(failure);
          }
        });
    if (!answer.isDone()) {
      pending.add(asked);
      lookLater();
    }
    return answer;
  }

  private void lookLater() {
    if (willLook.compareAndSet(false, true)) {
      try {
        afterAWhile.execute(this::look);
      } catch (RuntimeException | Error e) {
        // The first look needs a thread, and there may be no room for one. The next request tries.
        willLook.set(false);
        throw e;
      }
    }
  }

  private void look() {
    willLook.set(false);
    long now = System.nanoTime();
    pending.removeIf(each -> each.hasEnded(now));
    if (!pending.isEmpty()) {
      lookLater();
    }
  }
}
