/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases claims until the backend has said that nothing of them is left. The first try decides
 * what callers are told; further ones follow in the background, with backoff: until the TTL would
 * have freed the lock twice over, or, where a session keeps the lock and no TTL frees it, for as
 * long as it takes.
 */
final class Cleanup {

  private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final TimeSource time;
  private final Duration operationTimeout;
  private final Capabilities.Lifetime lifetime;
  private volatile boolean ended;

  Cleanup(TimeSource time, Duration operationTimeout, Capabilities.Lifetime lifetime) {
    this.time = time;
    this.lifetime = lifetime;
    this.operationTimeout = operationTimeout;
  }

  /**
   * Releases a claim.
   *
   * @return the outcome of the first try
   */
  CompletableFuture<ReleaseAnswer> release(LockClaim claim, Duration ttl) {
    return end(claim::release, ttl);
  }

  /**
   * Releases a claim and undoes what was done under it.
   *
   * @return the outcome of the first try
   */
  CompletableFuture<ReleaseAnswer> discard(LockClaim claim, Duration ttl) {
    return end(claim::discard, ttl);
  }

  private CompletableFuture<ReleaseAnswer> end(
      Supplier<CompletionStage<ReleaseAnswer>> ending, Duration ttl) {
    CompletableFuture<ReleaseAnswer> first = ask(ending);
    if (!first.isDone() || first.isCompletedExceptionally()) {
      long enough =
          Validity.nanos(ttl.compareTo(operationTimeout) > 0 ? ttl : operationTimeout) * 2;
      long giveUpAt = time.nanos() + enough;
      first.whenComplete((answer, failure) -> retryIf(failure, ending, giveUpAt, FIRST_PAUSE));
    }
    return first;
  }

  /** No further tries: the backend is about to be closed. */
  void end() {
    ended = true;
  }

  private void retryIf(
      Throwable failure,
      Supplier<CompletionStage<ReleaseAnswer>> ending,
      long giveUpAt,
      Duration pause) {
    if (failure == null || ended) {
      return;
    }
    if (lifetime == Capabilities.Lifetime.TTL && time.nanos() - giveUpAt > 0) {
      LOG.warn("The backend could not be reached to clean up; its time-outs will", failure);
      return;
    }
    Duration doubled = pause.multipliedBy(2);
    Duration next = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    time.schedule(
        pause,
        () -> {
          if (!ended) {
            ask(ending).whenComplete((answer, again) -> retryIf(again, ending, giveUpAt, next));
          }
        });
  }

  /** A backend that throws instead of failing its stage is treated alike. */
  private static CompletableFuture<ReleaseAnswer> ask(
      Supplier<CompletionStage<ReleaseAnswer>> ending) {
    try {
      CompletionStage<ReleaseAnswer> stage = ending.get();
      return stage.toCompletableFuture();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
