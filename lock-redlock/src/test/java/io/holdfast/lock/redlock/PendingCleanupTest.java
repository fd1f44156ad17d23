/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests how often a node is asked again that has not undone what it was asked to undo. */
class PendingCleanupTest {

  private static final Duration TTL = Duration.ofSeconds(10);

  private final Clock time = new Clock();
  private final PendingCleanup cleanup = new PendingCleanup(time);
  private int asked;

  private CompletableFuture<Boolean> fail(LockException why) {
    asked++;
    return CompletableFuture.failedFuture(why);
  }

  /** It may be loading its data, or without memory, for a moment only. */
  @Test
  void aNodeThatRefusesIsAskedAgainUntilTheTtlHasPassed() {
    cleanup.clean(() -> fail(new LockRejectedException("refused, on purpose")), TTL);
    time.passUntil(TTL);
    assertTrue(asked > 5, asked + " times");
    time.passUntil(TTL.multipliedBy(2));
    int before = asked;
    time.passUntil(TTL.multipliedBy(5));
    assertEquals(before, asked);
  }

  @Test
  void aNodeThatCannotBeReachedIsAskedAgainForAsLongAsItTakes() {
    cleanup.clean(() -> fail(new LockUnavailableException("away, on purpose")), TTL);
    time.passUntil(TTL.multipliedBy(5));
    assertTrue(asked > 45, asked + " times");
  }

  @Test
  void aNodeThatHasAnsweredIsNotAskedAgain() {
    cleanup.clean(
        () -> {
          asked++;
          return CompletableFuture.completedFuture(false);
        },
        TTL);
    time.passUntil(TTL);
    assertEquals(1, asked);
  }

  @Test
  void afterTheCloseNobodyIsAsked() {
    cleanup.clean(() -> fail(new LockUnavailableException("away, on purpose")), TTL);
    cleanup.close(Duration.ofMinutes(1));
    time.passUntil(TTL);
    assertEquals(0, asked);
  }

  /** So that nothing is written once a client is closed. */
  @Test
  void theCloseWaitsForWhatIsUnderWay() throws Exception {
    CompletableFuture<Boolean> underWay = new CompletableFuture<>();
    cleanup.track(underWay);
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(
            () -> cleanup.close(Duration.ofMinutes(1)), task -> new Thread(task).start());
    Conditions.stays("it is waited for", Duration.ofMillis(200), () -> !closed.isDone());
    underWay.complete(true);
    closed.get(30, TimeUnit.SECONDS);
  }

  @Test
  void theCloseWaitsForAnUndoThatIsUnderWay() throws Exception {
    CompletableFuture<Boolean> undo = new CompletableFuture<>();
    cleanup.clean(() -> undo, TTL);
    time.passUntil(TTL);
    CompletableFuture<Void> closed =
        CompletableFuture.runAsync(
            () -> cleanup.close(Duration.ofMinutes(1)), task -> new Thread(task).start());
    Conditions.stays("it is waited for", Duration.ofMillis(200), () -> !closed.isDone());
    undo.complete(true);
    closed.get(30, TimeUnit.SECONDS);
  }

  /** Goes on by itself from one task to the next, of which there is one at a time. */
  private static final class Clock implements TimeSource {

    private record Task(long at, Runnable work) {}

    private final Queue<Task> tasks = new ArrayDeque<>();
    private long now;

    void passUntil(Duration end) {
      while (!tasks.isEmpty() && tasks.element().at() <= end.toNanos()) {
        Task next = tasks.remove();
        now = next.at();
        next.work().run();
      }
    }

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public Timer schedule(Duration delay, Runnable work) {
      tasks.add(new Task(now + delay.toNanos(), work));
      return () -> {};
    }

    @Override
    public void close() {}
  }
}
