/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.limit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.limit.LimiterBackend;
import io.holdfast.lock.limit.RateAnswer;
import io.holdfast.lock.limit.RateAnswer.Granted;
import io.holdfast.lock.limit.RateAnswer.Refused;
import io.holdfast.lock.limit.RateAnswer.Undecided;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimit.Unanswered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * When a limiter asks its server again, and what becomes of the answers; with a clock of its own.
 */
class EngineLimiterTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final RateLimit LIMIT = new RateLimit(5, SECOND, Unanswered.REFUSE);

  private final Clock clock = new Clock();
  private final Server server = new Server();
  private final EngineLimiter limiter = limiter(LIMIT);

  private EngineLimiter limiter(RateLimit limit) {
    return new EngineLimiter(
        server,
        limit,
        ClientOptions.defaults().withTime(clock).withCallbackExecutor(Runnable::run));
  }

  private CompletableFuture<RateAnswer> ask(Duration maxWait) {
    return limiter.tryAcquireAsync("a", 2, maxWait);
  }

  private static Refused refused(Duration retryAfter) {
    return new Refused(retryAfter);
  }

  /** All that happens is on the thread of the test, so an answer is there or does not come. */
  private static RateAnswer told(CompletableFuture<RateAnswer> answer) {
    assertTrue(answer.isDone());
    return answer.join();
  }

  @Test
  void aRefusedCallThatWaitsAsksAgainWhenItWasToldTo() {
    CompletableFuture<RateAnswer> answer = ask(SECOND.multipliedBy(3));
    server.answers(refused(SECOND));
    clock.pass(SECOND.minusNanos(1));
    assertEquals(List.of("a 2"), server.asked);
    clock.pass(Duration.ofNanos(1));
    assertEquals(List.of("a 2", "a 2"), server.asked);
    assertFalse(answer.isDone());
    server.answers(new Granted(3));
    assertEquals(new Granted(3), told(answer));
  }

  @Test
  void itWaitsForAsLongAsItMayAndNotLonger() {
    CompletableFuture<RateAnswer> justInTime = ask(SECOND);
    server.answers(refused(SECOND));
    assertFalse(justInTime.isDone());
    CompletableFuture<RateAnswer> late = ask(SECOND);
    server.answers(refused(SECOND.plusNanos(1)));
    assertEquals(refused(SECOND.plusNanos(1)), told(late));
  }

  /** Not the whole wait again after each refusal. */
  @Test
  void allPausesOfACallAreWithinItsWait() {
    CompletableFuture<RateAnswer> answer = ask(SECOND.multipliedBy(3));
    server.answers(refused(SECOND.multipliedBy(2)));
    clock.pass(SECOND.multipliedBy(2));
    server.answers(refused(SECOND.multipliedBy(2)));
    assertEquals(refused(SECOND.multipliedBy(2)), told(answer));
  }

  @Test
  void aCallThatDoesNotWaitIsToldOfTheRefusal() {
    CompletableFuture<RateAnswer> answer = limiter.tryAcquireAsync("a", 1);
    server.answers(refused(SECOND));
    assertEquals(refused(SECOND), told(answer));
    clock.pass(SECOND);
    assertEquals(List.of("a 1"), server.asked);
  }

  @Test
  void aWaitWithoutEndDoesNotOverflow() {
    CompletableFuture<RateAnswer> answer = ask(Duration.ofSeconds(Long.MAX_VALUE));
    server.answers(refused(SECOND));
    clock.pass(SECOND);
    server.answers(new Granted(0));
    assertEquals(new Granted(0), told(answer));
  }

  @Test
  void aCancelledCallAsksNoMore() {
    CompletableFuture<RateAnswer> answer = ask(SECOND.multipliedBy(3));
    server.answers(refused(SECOND));
    assertEquals(1, clock.pending());
    answer.cancel(false);
    assertEquals(0, clock.pending());
    clock.pass(SECOND);
    assertEquals(List.of("a 2"), server.asked);
  }

  @Test
  void withoutAnAnswerTheLimitSaysWhetherItIsAllowed() {
    for (Unanswered unanswered : Unanswered.values()) {
      CompletableFuture<RateAnswer> answer =
          limiter(new RateLimit(5, SECOND, unanswered)).tryAcquireAsync("a", 1, SECOND);
      LockUnavailableException away = new LockUnavailableException("away");
      server.fails(new CompletionException(away));
      Undecided undecided = assertInstanceOf(Undecided.class, told(answer));
      assertEquals(unanswered == Unanswered.ALLOW, undecided.allowed());
      assertSame(away, undecided.cause());
    }
  }

  /** It would be hidden behind an answer of every request, until the limit is missed. */
  @Test
  void anErrorThatIsNoOutageReachesTheCaller() {
    CompletableFuture<RateAnswer> answer = ask(SECOND);
    IllegalStateException bug = new IllegalStateException("on purpose");
    server.fails(new CompletionException(bug));
    assertSame(bug, assertThrows(CompletionException.class, () -> told(answer)).getCause());
  }

  @Test
  void closingEndsCallsThatAskAndCallsThatWait() {
    CompletableFuture<RateAnswer> waiting = ask(SECOND.multipliedBy(3));
    server.answers(refused(SECOND));
    CompletableFuture<RateAnswer> asking = ask(SECOND);
    limiter.close();
    for (CompletableFuture<RateAnswer> each : List.of(waiting, asking)) {
      assertInstanceOf(
          LockClosedException.class,
          assertThrows(CompletionException.class, () -> told(each)).getCause());
    }
    clock.pass(SECOND);
    assertEquals(2, server.asked.size());
    assertThrows(LockClosedException.class, () -> ask(SECOND));
    limiter.close();
    assertEquals(1, server.closed);
  }

  /** Or what an application does next would hold up the thread that brings the answers. */
  @Test
  void futuresAreCompletedByTheCallbackExecutor() {
    List<Runnable> callbacks = new ArrayList<>();
    EngineLimiter own =
        new EngineLimiter(
            server,
            LIMIT,
            ClientOptions.defaults().withTime(clock).withCallbackExecutor(callbacks::add));
    CompletableFuture<RateAnswer> once = own.tryAcquireAsync("a", 1);
    server.answers(new Granted(4));
    CompletableFuture<RateAnswer> waiting = own.tryAcquireAsync("a", 1, SECOND);
    server.answers(new Granted(3));
    assertFalse(once.isDone() || waiting.isDone());
    callbacks.forEach(Runnable::run);
    assertEquals(new Granted(4), told(once));
    assertEquals(new Granted(3), told(waiting));
  }

  /** Remembers what it is asked; the last request is answered when a test says so. */
  private static final class Server implements LimiterBackend {

    private final List<String> asked = new ArrayList<>();
    private CompletableFuture<RateAnswer> last = new CompletableFuture<>();
    private int closed;

    @Override
    public CompletionStage<RateAnswer> decide(RateLimit limit, String key, int permits) {
      asked.add(key + " " + permits);
      last = new CompletableFuture<>();
      return last;
    }

    void answers(RateAnswer answer) {
      assertTrue(last.complete(answer));
    }

    void fails(Throwable failure) {
      assertTrue(last.completeExceptionally(failure));
    }

    @Override
    public void close() {
      closed++;
    }
  }

  /** Begins near the end of the numbers, which a nanosecond clock may. */
  private static final class Clock implements TimeSource {

    private record Task(long at, Runnable work) {}

    private final List<Task> tasks = new ArrayList<>();
    private long now = Long.MAX_VALUE - 5;

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public Timer schedule(Duration delay, Runnable work) {
      Task task = new Task(now + delay.toNanos(), work);
      tasks.add(task);
      return () -> tasks.remove(task);
    }

    void pass(Duration time) {
      now += time.toNanos();
      List<Task> due = tasks.stream().filter(task -> now - task.at >= 0).toList();
      tasks.removeAll(due);
      due.forEach(task -> task.work.run());
    }

    int pending() {
      return tasks.size();
    }

    @Override
    public void close() {
      throw new AssertionError("it is the application's");
    }
  }
}
