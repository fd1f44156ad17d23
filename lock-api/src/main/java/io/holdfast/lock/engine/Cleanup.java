/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.support.DoublingPause;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases claims until the backend has said that nothing of them is left. The first try decides
 * what callers are told; further ones follow in the background, with backoff, for as long as it
 * takes: a server that hangs finds old requests when it goes on, however long after, and what they
 * take has to be given back then. Only where the backend refuses to release and a TTL frees the
 * lock, it ends when the TTL would have done so twice over. Cleanup of a lock that is renewed
 * meanwhile has no such end.
 */
final class Cleanup {

  private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  private static final long NEVER = Long.MAX_VALUE / 4;

  /**
   * The consequence of a refusal by the backend.
   *
   * @param longAt when it has refused for long
   * @param expires whether a TTL does then what was asked for
   */
  private record Refusal(long longAt, boolean expires) {}

  private final TimeSource time;
  private final Duration operationTimeout;
  private final Capabilities.Lifetime lifetime;
  private final AtomicInteger unresolved = new AtomicInteger();
  private final CompletableFuture<Void> resolved = new CompletableFuture<>();
  private volatile boolean ending;
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
    return settle(claim::release, ttl);
  }

  /**
   * Releases a claim, and has the server leave its lock taken.
   *
   * @param takenUntil on the clock of the client; when it has passed, the lock is freed
   * @return the outcome of the first try
   */
  CompletableFuture<ReleaseAnswer> release(LockClaim claim, Duration ttl, long takenUntil) {
    return settle(
        () -> {
          long left = takenUntil - time.nanos();
          return left > 0 ? claim.release(Duration.ofNanos(left)) : claim.release();
        },
        ttl);
  }

  /**
   * Releases a claim and undoes what was done under it.
   *
   * @return the outcome of the first try
   */
  CompletableFuture<ReleaseAnswer> discard(LockClaim claim, Duration ttl) {
    return settle(claim::discard, ttl);
  }

  /** Asks until the backend has answered, or a TTL has done what it refuses. */
  private CompletableFuture<ReleaseAnswer> settle(
      Supplier<CompletionStage<ReleaseAnswer>> way, Duration ttl) {
    return settle(way, ttl, lifetime == Capabilities.Lifetime.TTL);
  }

  /**
   * Asks until the backend has answered, however long it refuses: what is to be changed there is
   * renewed meanwhile, so no TTL ends it.
   *
   * @param way answers by itself once that has ended
   * @param ttl after twice of which a refusal is logged
   * @return the outcome of the first try
   */
  CompletableFuture<ReleaseAnswer> settleRenewed(
      Supplier<CompletionStage<ReleaseAnswer>> way, Duration ttl) {
    return settle(way, ttl, false);
  }

  private CompletableFuture<ReleaseAnswer> settle(
      Supplier<CompletionStage<ReleaseAnswer>> way, Duration ttl, boolean expires) {
    CompletableFuture<ReleaseAnswer> first = ask(way);
    if (!first.isDone() || first.isCompletedExceptionally()) {
      unresolved.incrementAndGet();
      long enough =
          Validity.nanos(ttl.compareTo(operationTimeout) > 0 ? ttl : operationTimeout) * 2;
      Refusal refusal = new Refusal(time.nanos() + enough, expires);
      first.whenComplete((answer, failure) -> retryIf(failure, way, refusal, FIRST_PAUSE));
    }
    return first;
  }

  /**
   * No further releases follow: the client is being closed. Completes when none is under way, which
   * may be never.
   */
  CompletableFuture<Void> resolved() {
    ending = true;
    if (unresolved.get() == 0) {
      resolved.complete(null);
    }
    return resolved;
  }

  /** No further tries: the backend is about to be closed. */
  void end() {
    ended = true;
  }

  private void retryIf(
      @Nullable Throwable failure,
      Supplier<CompletionStage<ReleaseAnswer>> way,
      Refusal refusal,
      Duration pause) {
    if (failure == null) {
      oneResolved();
      return;
    }
    boolean isLong = isRefusal(failure) && time.nanos() - refusal.longAt > 0;
    if (isLong && refusal.expires) {
      LOG.warn("The backend refuses to clean up; its time-outs will do it", failure);
      oneResolved();
      return;
    }
    if (isLong) {
      LOG.warn("The backend refuses to clean up; it is asked again until it does", failure);
    }
    Refusal then = isLong ? new Refusal(time.nanos() + NEVER, false) : refusal;
    Duration next = DoublingPause.after(pause, LONGEST_PAUSE);
    time.schedule(
        pause,
        () -> {
          if (!ended) {
            ask(way).whenComplete((answer, again) -> retryIf(again, way, then, next));
          }
        });
  }

  private static boolean isRefusal(Throwable failure) {
    return failure instanceof LockRejectedException
        || failure.getCause() instanceof LockRejectedException;
  }

  private void oneResolved() {
    if (unresolved.decrementAndGet() == 0 && ending) {
      resolved.complete(null);
    }
  }

  /** A backend that throws instead of failing its stage is treated alike. */
  private static CompletableFuture<ReleaseAnswer> ask(
      Supplier<CompletionStage<ReleaseAnswer>> way) {
    try {
      CompletionStage<ReleaseAnswer> stage = way.get();
      return stage.toCompletableFuture();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
