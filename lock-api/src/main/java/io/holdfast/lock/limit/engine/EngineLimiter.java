/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.limit.engine;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.engine.Blocking;
import io.holdfast.lock.engine.BorrowedTime;
import io.holdfast.lock.engine.Callbacks;
import io.holdfast.lock.engine.Validity;
import io.holdfast.lock.engine.Wait;
import io.holdfast.lock.limit.LimiterBackend;
import io.holdfast.lock.limit.LimiterProvider;
import io.holdfast.lock.limit.RateAnswer;
import io.holdfast.lock.limit.RateLimit;
import io.holdfast.lock.limit.RateLimiter;
import io.holdfast.lock.spi.ClientLibrary;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.spi.support.Failures;
import io.holdfast.lock.spi.support.LockNames;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does on any backend what all limiters have in common: checks, waits, and a policy for a missing
 * answer.
 */
public final class EngineLimiter implements RateLimiter {

  private static final Logger LOG = LoggerFactory.getLogger(EngineLimiter.class);
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private final LimiterBackend backend;
  private final RateLimit limit;
  private final TimeSource time;
  private final Callbacks callbacks;
  private final Set<Question> blockingCalls = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final AtomicLong toldAt;
  private final LongAdder unanswered = new LongAdder();

  /**
   * Puts a limiter on a backend.
   *
   * @param backend open; closed with the limiter
   * @param limit the terms
   * @param options of which the callback executor and the clock count
   */
  public EngineLimiter(LimiterBackend backend, RateLimit limit, ClientOptions options) {
    this.backend = Objects.requireNonNull(backend, "backend");
    this.limit = Objects.requireNonNull(limit, "limit");
    this.time = BorrowedTime.of(options);
    this.callbacks = new Callbacks(options.callbackExecutor(), time);
    this.toldAt = new AtomicLong(time.nanos() - QUIET_NANOS);
  }

  /**
   * Opens a limiter of a provider: connects, and checks what can be checked.
   *
   * @param provider whose libraries are checked first
   * @param settings its settings
   * @param limit the terms
   * @param options of which the callback executor and the clock count
   * @return an open limiter
   * @throws LockConfigurationException if the provider has no limiters, or a setting is wrong
   */
  public static RateLimiter open(
      LockProvider provider, Settings settings, RateLimit limit, ClientOptions options) {
    if (!(provider instanceof LimiterProvider limiters)) {
      throw new LockConfigurationException(
          "Provider '%s' has no rate limiter; 'redis' has one".formatted(provider.name()));
    }
    return new EngineLimiter(
        ClientLibrary.opening(provider, () -> limiters.openLimiter(settings)), limit, options);
  }

  @Override
  public RateLimit limit() {
    return limit;
  }

  @Override
  public RateAnswer tryAcquire(String key) {
    return tryAcquire(key, 1);
  }

  @Override
  public RateAnswer tryAcquire(String key, int permits) {
    return Blocking.awaitUninterruptibly(begin(key, permits, Duration.ZERO, Runnable::run));
  }

  @Override
  public RateAnswer tryAcquire(String key, int permits, Duration maxWait)
      throws InterruptedException {
    CompletableFuture<RateAnswer> answer = begin(key, permits, maxWait, Runnable::run);
    try {
      return Blocking.await(answer);
    } catch (InterruptedException e) {
      answer.cancel(false);
      throw e;
    }
  }

  @Override
  public CompletableFuture<RateAnswer> tryAcquireAsync(String key, int permits) {
    return begin(key, permits, Duration.ZERO, callbacks);
  }

  @Override
  public CompletableFuture<RateAnswer> tryAcquireAsync(String key, int permits, Duration maxWait) {
    return begin(key, permits, maxWait, callbacks);
  }

  /**
   * Asks once or more often.
   *
   * @param finisher completes the answer; only for a thread that waits may it be any
   */
  private CompletableFuture<RateAnswer> begin(
      String key, int permits, Duration maxWait, Executor finisher) {
    check(key, permits);
    long wait = Wait.atMost(maxWait).limit().map(Validity::nanos).orElse(0L);
    Question question = new Question(key, permits, time.nanos() + wait, finisher);
    blockingCalls.add(question);
    question.answer.whenComplete((any, failure) -> blockingCalls.remove(question));
    if (closed.get()) {
      question.answer.completeExceptionally(closedAlready(key));
    }
    question.ask();
    return question.answer;
  }

  /** Asked once, or again and again until the end of its wait. */
  private final class Question {

    final CompletableFuture<RateAnswer> answer = new CompletableFuture<>();
    private final String key;
    private final int permits;
    private final long end;
    private final Executor finisher;

    Question(String key, int permits, long end, Executor finisher) {
      this.key = key;
      this.permits = permits;
      this.end = end;
      this.finisher = finisher;
    }

    void ask() {
      if (!answer.isDone()) {
        decide(key, permits).whenComplete(this::hear);
      }
    }

    private void finish(@Nullable RateAnswer said, @Nullable Throwable failure) {
      if (failure == null) {
        answer.complete(said);
      } else {
        answer.completeExceptionally(failure);
      }
    }

    private void hear(@Nullable RateAnswer said, @Nullable Throwable failure) {
      if (said instanceof RateAnswer.Refused refused
          && refused.retryAfter().toNanos() <= end - time.nanos()) {
        TimeSource.Timer again = time.schedule(refused.retryAfter(), this::ask);
        answer.whenComplete((any, ended) -> again.cancel());
      } else {
        finisher.execute(() -> finish(said, failure));
      }
    }
  }

  private CompletableFuture<RateAnswer> decide(String key, int permits) {
    return backend
        .decide(limit, key, permits)
        .toCompletableFuture()
        .exceptionally(
            failure -> {
              Throwable cause = Failures.cause(failure);
              if (cause instanceof LockException known) {
                return undecided(known);
              }
              throw new CompletionException(cause);
            });
  }

  private RateAnswer undecided(LockException failure) {
    boolean allowed = limit.unanswered() == RateLimit.Unanswered.ALLOW;
    unanswered.increment();
    long now = time.nanos();
    long told = toldAt.get();
    if (now - told >= QUIET_NANOS && toldAt.compareAndSet(told, now)) {
      LOG.warn(
          "A rate limiter {} what no server has counted ({} requests since the last such message;"
              + " {}): {}",
          allowed ? "allowed" : "refused",
          unanswered.sumThenReset(),
          limit,
          failure.toString());
    }
    return new RateAnswer.Undecided(allowed, failure);
  }

  private void check(String key, int permits) {
    LockNames.check("key", key);
    if (permits < 1 || permits > limit.permits()) {
      throw new IllegalArgumentException(
          "permits must be from 1 to %d, which is the limit, but is %d"
              .formatted(limit.permits(), permits));
    }
    if (closed.get()) {
      throw closedAlready(key);
    }
  }

  private static LockClosedException closedAlready(String key) {
    return new LockClosedException(
        "A permit for '" + key + "' was asked for, but the limiter is closed; open another");
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    LockClosedException end = new LockClosedException("The limiter was closed while it was asked");
    blockingCalls.forEach(
        question -> callbacks.execute(() -> question.answer.completeExceptionally(end)));
    try {
      backend.close();
    } finally {
      time.close();
      callbacks.close();
    }
  }
}
