/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One claim of an {@link Acquisition} with its owner id, and the backend's way to speak about it.
 * Touched on the strand only, but for the signals.
 */
final class Contender implements ClaimSignals {

  final String ownerId;
  final Share share;
  final LockClaim claim;

  private final String lockName;

  /** Whether what an attempt under way is granted cannot be relied on. */
  boolean lost;

  private final Strand strand;

  /** Until it is granted: a lease that is held for long need not remember who waited for it. */
  private @Nullable Acquisition acquisition;

  private @Nullable Tenure tenure;

  Contender(
      EngineClient client, LocalQueue queue, Share share, Duration ttl, Acquisition acquisition) {
    this.lockName = queue.lockName;
    this.share = share;
    this.ownerId = client.ownerIds.next();
    this.strand = queue.strand;
    this.acquisition = acquisition;
    boolean waits = acquisition.asksAgain();
    this.claim = claim(client.backend, new ClaimRequest(lockName, ownerId, ttl, share, waits));
  }

  private LockClaim claim(LockBackend<?> backend, ClaimRequest request) {
    try {
      return backend.claim(request, this);
    } catch (RuntimeException | Error e) {
      return new NoClaim(e);
    }
  }

  /** From now on, signals are about this tenure. */
  void granted(Tenure granted) {
    tenure = granted;
    acquisition = null;
  }

  /**
   * An exception of the backend counts as an answer: a waiter that never gets one blocks its lock.
   */
  CompletionStage<Attempt> ask() {
    try {
      return claim.attempt();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The failure of an attempt, as its caller is told. */
  LockException failure(@Nullable Throwable thrown) {
    Throwable cause = thrown == null ? null : Failures.cause(thrown);
    return cause instanceof LockException known
        ? known
        : new LockUnavailableException("Lock '" + lockName + "' could not be asked for", cause);
  }

  /** The failure of an attempt whose grant is no use any more. */
  LockException tooLate() {
    return new LockUnavailableException(
        "Lock '%s' was granted, but the answer came too late to rely on it".formatted(lockName));
  }

  @Override
  public void wake() {
    strand.execute(
        () -> {
          Acquisition waiter = acquisition;
          if (waiter != null) {
            waiter.woken(this);
          }
        });
  }

  @Override
  public void othersFirst() {
    strand.execute(
        () -> {
          Tenure held = tenure;
          Acquisition waiter = acquisition;
          if (held != null) {
            held.queue.othersFirst(held);
          } else if (waiter != null) {
            waiter.othersFirst(this);
          }
        });
  }

  @Override
  public void lost(LossReason reason) {
    strand.execute(
        () -> {
          Tenure held = tenure;
          Acquisition waiter = acquisition;
          if (held != null) {
            held.lose(reason);
          } else if (waiter != null) {
            waiter.lostBefore(this);
          }
        });
  }

  /** In place of what the backend failed to make. */
  private record NoClaim(Throwable cause) implements LockClaim {

    @Override
    public CompletionStage<Attempt> attempt() {
      return CompletableFuture.failedFuture(cause);
    }

    @Override
    public CompletionStage<ReleaseAnswer> release() {
      return CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS);
    }
  }
}
