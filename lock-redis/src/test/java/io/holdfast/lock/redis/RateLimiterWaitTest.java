/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.limit.RateAnswer;
import io.holdfast.lock.limit.RateAnswer.Granted;
import io.holdfast.lock.limit.RateAnswer.Refused;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.limit.RateLimiters;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how long to wait: as it is told, and as the limiter does it itself. */
class RateLimiterWaitTest {

  private static final Duration WINDOW = Duration.ofMillis(400);
  private static final Duration LONG = Duration.ofHours(1);

  /** By how much two clocks of one host may run apart in a window. */
  private static final long DRIFT_NANOS = 1_000_000;

  private final RedisHarness scene = new RedisHarness();

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void waitingAsLongAsToldSufficesAndWaitingLessDoesNot() {
    RateLimiter limiter = scene.limiter(4, Duration.ofSeconds(2));
    int refusals = 0;
    for (int round = 0; round < 2; round++) {
      String key = "round " + round;
      for (int permits : new int[] {1, 2, 1}) {
        limiter.tryAcquire(key, permits);
        pause(Duration.ofMillis(100));
      }
      for (int permits : new int[] {1, 2, 4}) {
        refusals += judge(limiter, key, permits);
      }
    }
    assertTrue(refusals > 100, "refused only " + refusals);
  }

  /**
   * Asks again and again. Each refusal says between which two moments of this process the permits
   * become free: the wait told after it was sent, and after its answer came.
   */
  private static int judge(RateLimiter limiter, String key, int permits) {
    long earliest = Long.MIN_VALUE;
    long latest = Long.MAX_VALUE - DRIFT_NANOS;
    List<Long> refusalsSent = new ArrayList<>();
    while (true) {
      long sent = System.nanoTime();
      RateAnswer answer = limiter.tryAcquire(key, permits);
      long answered = System.nanoTime();
      if (answer instanceof Refused refused) {
        long told = refused.retryAfter().toNanos();
        assertTrue(told > 0);
        earliest = Math.max(earliest, sent + told);
        latest = Math.min(latest, answered + told);
        refusalsSent.add(sent);
      } else {
        assertInstanceOf(Granted.class, answer);
        assertTrue(answered + DRIFT_NANOS >= earliest, "granted before it was told");
        break;
      }
    }
    assertTrue(earliest <= latest + DRIFT_NANOS, "one moment was told each time");
    for (long sent : refusalsSent) {
      assertTrue(sent <= latest + DRIFT_NANOS, "refused after it was told");
    }
    return refusalsSent.size();
  }

  @Test
  void waitsUntilPermitsAreFree() throws InterruptedException {
    RateLimiter limiter = scene.limiter(2, WINDOW);
    long begin = System.nanoTime();
    limiter.tryAcquire("a", 2);
    RateAnswer answer = limiter.tryAcquire("a", 1, Duration.ofSeconds(20));
    assertEquals(new Granted(1), answer);
    assertTrue(System.nanoTime() - begin > WINDOW.dividedBy(2).toNanos());
    long calls = calls();
    assertTrue(calls < 10, "asked " + calls + " times");
  }

  @Test
  void manyWhoWaitAllGetTheirs() {
    RateLimiter limiter = scene.limiter(5, Duration.ofMillis(100));
    List<CompletableFuture<RateAnswer>> waiting = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      waiting.add(limiter.tryAcquireAsync("a", 1, Duration.ofSeconds(60)));
    }
    waiting.forEach(one -> assertInstanceOf(Granted.class, one.join()));
  }

  @Test
  void refusesAtOnceWhatCannotBeInTime() throws InterruptedException {
    RateLimiter limiter = scene.limiter(1, LONG);
    limiter.tryAcquire("a");
    long begin = System.nanoTime();
    assertInstanceOf(Refused.class, limiter.tryAcquire("a", 1, Duration.ofMinutes(20)));
    assertTrue(System.nanoTime() - begin < Duration.ofMinutes(1).toNanos());
  }

  @Test
  void anInterruptACancellationAndACloseEndTheWait() throws Exception {
    RateLimiter limiter = scene.limiter(1, LONG);
    limiter.tryAcquire("a");
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> limiter.tryAcquire("a", 1, Duration.ofHours(2)));
    CompletableFuture<RateAnswer> cancelled = limiter.tryAcquireAsync("a", 1, Duration.ofHours(2));
    assertTrue(cancelled.cancel(true));
    CompletableFuture<RateAnswer> waiting = limiter.tryAcquireAsync("a", 1, Duration.ofHours(2));
    limiter.close();
    ExecutionException told =
        assertThrows(ExecutionException.class, () -> RedisHarness.get(waiting));
    assertInstanceOf(LockClosedException.class, told.getCause());
    assertThrows(LockClosedException.class, () -> limiter.tryAcquire("a"));
    assertThrows(LockClosedException.class, () -> limiter.tryAcquireAsync("a", 1));
    limiter.close();
  }

  @Test
  void anInterruptedWaiterTakesNothingLater() {
    RateLimiter limiter = scene.limiter(1, WINDOW);
    limiter.tryAcquire("a");
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> limiter.tryAcquire("a", 1, LONG));
    // On the same connection, so that the one before it is answered as well.
    limiter.tryAcquire("b");
    long calls = calls();
    Conditions.stays("nobody asks again", WINDOW.multipliedBy(3), () -> calls() == calls);
    assertEquals(new Granted(0), limiter.tryAcquire("a"));
  }

  @Test
  void anInterruptDoesNotEndAShortCallAndStaysSet() {
    RateLimiter limiter = scene.limiter(1, LONG);
    Thread.currentThread().interrupt();
    assertEquals(new Granted(0), limiter.tryAcquire("a"));
    assertTrue(Thread.interrupted());
  }

  /** The close would end it on this executor. */
  @Test
  void answeredRequestsAreForgotten() throws InterruptedException {
    BlockingQueue<Runnable> callbacks = new LinkedBlockingQueue<>();
    String uri = "redis://" + scene.server.host() + ":" + scene.server.port();
    RateLimiter limiter =
        scene.closing(
            RateLimiters.open(
                new RedisLockProvider(),
                new Settings("redis", Map.of("uri", uri, "command-timeout", "5s")),
                new RateLimit(1, LONG, RateLimit.Unanswered.REFUSE),
                ClientOptions.defaults().withCallbackExecutor(callbacks::add)));
    CompletableFuture<RateAnswer> answer = limiter.tryAcquireAsync("a", 1);
    callbacks.take().run();
    assertEquals(new Granted(0), answer.join());
    limiter.close();
    assertTrue(callbacks.isEmpty());
  }

  @Test
  void answersAreCompletedWhereTheUserMayBlock() {
    RateLimiter limiter = scene.limiter(1, LONG);
    Thread ran = limiter.tryAcquireAsync("a", 1).thenApply(answer -> Thread.currentThread()).join();
    assertTrue(
        ran.getName().equals("holdfast-callback") || ran.equals(Thread.currentThread()),
        ran.getName());
    assertThrows(
        CompletionException.class,
        () ->
            limiter
                .tryAcquireAsync("a", 1)
                .thenApply(
                    answer -> {
                      throw new IllegalStateException("the user's");
                    })
                .join());
    assertFalse(limiter.tryAcquire("a").allowed());
  }

  private long calls() {
    return scene.info("commandstats", "cmdstat_evalsha:calls=");
  }

  private static void pause(Duration length) {
    Conditions.stays("pausing", length, () -> true);
  }
}
