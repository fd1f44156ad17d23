/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * One contender for permits at a {@link MemoryServer}: a reader, a writer, or one of a semaphore.
 */
final class SharedClaim implements RenewableClaim {

  private final MemoryBackend backend;
  private final ClaimRequest request;
  private final ClaimSignals signals;

  /**
   * Touched under the server's lock: the permits may stay taken, and are not prolonged any more.
   */
  private boolean released;

  SharedClaim(MemoryBackend backend, ClaimRequest request, ClaimSignals signals) {
    this.backend = backend;
    this.request = request;
    this.signals = signals;
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    return backend.send(() -> backend.server.with(request.lockName(), this::attempt));
  }

  private Attempt attempt(LockEntry entry) {
    long now = backend.time.nanos();
    if (entry.isHeld(now)) {
      throw new LockCapacityException(request.lockName(), request.share().capacity(), 1);
    }
    return entry.shares.attempt(request, now, backend.server::nextToken, signals::wake);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    return backend.send(
        () ->
            changed(false, shares -> shares.remove(request.ownerId(), backend.time.nanos()))
                ? ReleaseAnswer.FREED
                : ReleaseAnswer.NOT_OURS);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release(Duration keepFor) {
    return backend.send(
        () ->
            changed(true, shares -> releases(shares, keepFor))
                ? ReleaseAnswer.FREED
                : ReleaseAnswer.NOT_OURS);
  }

  @Override
  public CompletionStage<RenewalAnswer> expireIn(Duration left) {
    backend.checkReachable();
    return backend.send(
        () ->
            changed(false, shares -> endsIn(shares, left))
                ? new RenewalAnswer.Extended(left)
                : new RenewalAnswer.Lost(LossReason.REVOKED));
  }

  @Override
  public CompletionStage<ReleaseAnswer> reduceTo(int kept) {
    return backend.send(
        () ->
            changed(false, shares -> reduce(shares, kept))
                ? ReleaseAnswer.FREED
                : ReleaseAnswer.NOT_OURS);
  }

  @Override
  public boolean renew(Duration ttl) {
    return backend.server.with(
        request.lockName(),
        entry -> {
          long now = backend.time.nanos();
          Shares.Grant grant = entry.shares.grantOf(request.ownerId(), now);
          if (released || grant == null) {
            return false;
          }
          grant.expiresAt = Math.max(grant.expiresAt, now + ttl.toNanos());
          return true;
        });
  }

  private boolean releases(Shares shares, Duration keepFor) {
    released = true;
    return endsIn(shares, keepFor);
  }

  private boolean endsIn(Shares shares, Duration left) {
    long now = backend.time.nanos();
    Shares.Grant grant = shares.grantOf(request.ownerId(), now);
    if (grant == null) {
      return false;
    }
    grant.expiresAt = now + left.toNanos();
    return true;
  }

  private boolean reduce(Shares shares, int kept) {
    Shares.Grant grant = shares.grantOf(request.ownerId(), backend.time.nanos());
    if (grant == null) {
      return false;
    }
    grant.permits = Math.min(grant.permits, kept);
    return true;
  }

  /** Makes a change, and then wakes those that may be granted something by it, outside the lock. */
  private boolean changed(boolean wakesAll, Predicate<Shares> change) {
    List<Runnable> woken = new ArrayList<>();
    boolean ours =
        backend.server.with(
            request.lockName(),
            entry -> {
              boolean done = change.test(entry.shares);
              woken.addAll(entry.shares.toWake(wakesAll));
              return done;
            });
    woken.forEach(Runnable::run);
    return ours;
  }
}
