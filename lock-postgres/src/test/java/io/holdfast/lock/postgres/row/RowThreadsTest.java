/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests which steps of claims wait for others, without a server. */
class RowThreadsTest {

  private static final int SIZE = 2;

  private final RowThreads threads = new RowThreads(SIZE, Duration.ofSeconds(30));
  private final CountDownLatch begun = new CountDownLatch(SIZE);
  private final CountDownLatch goOn = new CountDownLatch(1);

  @AfterEach
  void end() {
    goOn.countDown();
    threads.close();
  }

  private static <T> T get(CompletableFuture<T> step) throws Exception {
    return step.get(30, TimeUnit.SECONDS);
  }

  private <T> CompletableFuture<T> attempt(RowThreads.Step<T> step) {
    return threads.attempt(step, () -> "Acquiring");
  }

  private <T> CompletableFuture<T> ending(CompletableFuture<?> after, RowThreads.Step<T> step) {
    return threads.ending(after, step, () -> "Releasing");
  }

  /** Each has a connection of the pool, and waits. */
  private void attemptsForAllConnections() throws InterruptedException {
    for (int i = 0; i < SIZE; i++) {
      attempt(
          () -> {
            begun.countDown();
            await(goOn);
            return "over";
          });
    }
    assertTrue(begun.await(30, TimeUnit.SECONDS), "an attempt waits for another");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      // The backend is closed.
      Thread.currentThread().interrupt();
    }
  }

  /** Some of them may have to wait until it gives its connection back. */
  @Test
  void anEndingWaitsForNoAttemptOfOthers() throws Exception {
    attemptsForAllConnections();
    CompletableFuture<String> next = attempt(() -> "next");
    CompletableFuture<?> done = CompletableFuture.completedFuture(null);
    assertEquals("ended", get(ending(done, () -> "ended")));
    assertFalse(next.isDone(), "there is a connection for it");
    goOn.countDown();
    assertEquals("next", get(next));
  }

  @Test
  void anEndingWaitsForTheAttemptsOfItsClaim() throws Exception {
    CompletableFuture<Void> attempts = new CompletableFuture<>();
    CompletableFuture<Boolean> ended = ending(attempts, attempts::isDone);
    assertEquals("another's", get(ending(CompletableFuture.completedFuture(1), () -> "another's")));
    assertFalse(ended.isDone());
    attempts.complete(null);
    assertTrue(get(ended));
  }

  /** It is refused by its step, and what it has got from a slow pool goes back. */
  @Test
  void stepsThatComeAfterTheEndAreTakenAllTheSame() throws Exception {
    threads.close();
    assertSame(Thread.currentThread(), get(attempt(Thread::currentThread)));
    Thread other = get(ending(CompletableFuture.completedFuture(null), Thread::currentThread));
    assertTrue(other.isDaemon());
  }
}
