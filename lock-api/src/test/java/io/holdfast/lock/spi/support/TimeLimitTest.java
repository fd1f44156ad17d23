/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class TimeLimitTest {

  private static final Duration SHORT = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static LockException typed(Throwable cause) {
    return new LockUnavailableException("asking", cause);
  }

  private static Throwable failureOf(CompletableFuture<?> answer) {
    CompletionException failure =
        assertThrows(
            CompletionException.class, () -> answer.orTimeout(30, TimeUnit.SECONDS).join());
    return Objects.requireNonNull(
        assertInstanceOf(LockUnavailableException.class, failure.getCause()).getCause());
  }

  @Test
  void anAnswerInTimeIsTheAnswer() {
    TimeLimit limit = new TimeLimit(Duration.ofMinutes(1));
    CompletableFuture<String> request = new CompletableFuture<>();
    CompletableFuture<String> answer = limit.on(request, TimeLimitTest::typed);
    assertFalse(answer.isDone());
    request.complete("yes");
    assertEquals("yes", answer.join());
    assertEquals(
        "at once",
        limit.on(CompletableFuture.completedFuture("at once"), TimeLimitTest::typed).join());
  }

  @Test
  void aFailureIsTyped() {
    TimeLimit limit = new TimeLimit(Duration.ofMinutes(1));
    CompletableFuture<String> request = new CompletableFuture<>();
    CompletableFuture<String> answer = limit.on(request, TimeLimitTest::typed);
    request.completeExceptionally(new IOException("cut"));
    assertEquals("cut", failureOf(answer).getMessage());
  }

  @Test
  void aFailureThatCannotBeTypedFailsAllTheSame() {
    TimeLimit limit = new TimeLimit(SHORT);
    Function<Throwable, LockException> untypable =
        failure -> {
          throw new IllegalStateException("no words for it");
        };
    CompletableFuture<String> silent = limit.on(new CompletableFuture<>(), untypable);
    CompletableFuture<String> failed =
        limit.on(CompletableFuture.failedFuture(new IOException("cut")), untypable);
    CompletableFuture<String> behind = limit.on(new CompletableFuture<>(), TimeLimitTest::typed);
    assertTrue(failed.isCompletedExceptionally());
    assertInstanceOf(TimeoutException.class, failureOf(behind));
    assertTrue(silent.isCompletedExceptionally());
  }

  @Test
  void anUnansweredRequestFailsWhenTheTimeIsOverAndNotBefore() {
    TimeLimit limit = new TimeLimit(SHORT);
    CompletableFuture<String> request = new CompletableFuture<>();
    long began = System.nanoTime();
    CompletableFuture<String> answer = limit.on(request, TimeLimitTest::typed);
    assertInstanceOf(TimeoutException.class, failureOf(answer));
    assertTrue(System.nanoTime() - began >= SHORT.toNanos());
    assertFalse(request.isDone(), "the request itself is not touched");
    request.complete("late");
    assertTrue(answer.isCompletedExceptionally());
  }

  /** As for the first look, on a machine that has no room for a thread then. */
  @Test
  void aLookThatCouldNotBePlannedIsPlannedWithTheNextRequest() {
    Queue<Runnable> looks = new ArrayDeque<>();
    AtomicBoolean hasRoom = new AtomicBoolean();
    TimeLimit limit =
        new TimeLimit(
            Duration.ZERO,
            look -> {
              if (!hasRoom.get()) {
                throw new OutOfMemoryError("no thread, as a test says");
              }
              looks.add(look);
            });
    assertThrows(
        OutOfMemoryError.class, () -> limit.on(new CompletableFuture<>(), TimeLimitTest::typed));
    hasRoom.set(true);
    CompletableFuture<String> answer = limit.on(new CompletableFuture<>(), TimeLimitTest::typed);
    looks.remove().run();
    assertInstanceOf(TimeoutException.class, failureOf(answer));
  }

  /** Or a client would keep the answers to all requests that it has ever made. */
  @Test
  void anAnsweredRequestIsForgotten() {
    TimeLimit limit = new TimeLimit(Duration.ofSeconds(1));
    WeakReference<Object> value = new WeakReference<>(answered(limit));
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (value.get() != null) {
        assertTrue(System.nanoTime() - end < 0, "the answer is still there");
        System.gc();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    } finally {
      Reference.reachabilityFence(limit);
    }
  }

  private static Object answered(TimeLimit limit) {
    CompletableFuture<Object> request = new CompletableFuture<>();
    CompletableFuture<Object> answer = limit.on(request, TimeLimitTest::typed);
    request.complete(new Object());
    return answer.join();
  }

  @Test
  void eachOfManyHasItsOwnTime() {
    TimeLimit limit = new TimeLimit(SHORT);
    List<CompletableFuture<String>> silent = new ArrayList<>();
    long end = System.nanoTime() + PATIENCE.toNanos();
    int answered = 0;
    while (answered == 0 || !silent.get(0).isDone()) {
      assertTrue(System.nanoTime() - end < 0, "looks go on while others come");
      silent.add(limit.on(new CompletableFuture<>(), TimeLimitTest::typed));
      CompletableFuture<String> request = new CompletableFuture<>();
      CompletableFuture<String> answer = limit.on(request, TimeLimitTest::typed);
      request.complete("yes");
      assertEquals("yes", answer.join());
      answered++;
      // Others come often, but not so many that the machine is busy with them.
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    silent.forEach(answer -> assertInstanceOf(TimeoutException.class, failureOf(answer)));
  }
}
