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
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * One contender for a lock at a {@link MemoryServer}: compare and set, with a wake-up for those who
 * were refused.
 */
final class MemoryClaim implements RenewableClaim {

  private final MemoryBackend backend;
  private final ClaimRequest request;
  private final ClaimSignals signals;

  /** Touched under the server's lock: the name may stay taken, and is not prolonged any more. */
  private boolean released;

  MemoryClaim(MemoryBackend backend, ClaimRequest request, ClaimSignals signals) {
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
    if (entry.shares.isInUse(now)) {
      throw new LockCapacityException(request.lockName(), 1, entry.shares.capacity());
    }
    if (entry.isHeld(now) && !entry.owner.equals(request.ownerId())) {
      if (request.waits()) {
        entry.waiters.add(this);
      }
      return new Attempt.Contended(Optional.of(Duration.ofNanos(entry.expiresAt - now)));
    }
    if (!entry.isHeld()) {
      entry.owner = request.ownerId();
      entry.token = backend.server.nextToken();
    }
    entry.expiresAt = now + request.ttl().toNanos();
    entry.waiters.remove(this);
    return new Attempt.Granted(entry.token, request.ttl());
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    return backend.send(this::carryOutRelease);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release(Duration keepFor) {
    return backend.send(() -> endsIn(keepFor, true) ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS);
  }

  @Override
  public CompletionStage<RenewalAnswer> expireIn(Duration left) {
    backend.checkReachable();
    return backend.send(
        () ->
            endsIn(left, false)
                ? new RenewalAnswer.Extended(left)
                : new RenewalAnswer.Lost(LossReason.REVOKED));
  }

  /** Waiters of a lock whose lease is over look again, and learn for how long it stays taken. */
  private boolean endsIn(Duration left, boolean over) {
    List<MemoryClaim> woken = new ArrayList<>();
    boolean ours =
        backend.server.with(
            request.lockName(),
            entry -> {
              boolean owned = owns(entry);
              released |= over;
              if (owned) {
                entry.expiresAt = backend.time.nanos() + left.toNanos();
                woken.addAll(over ? entry.waiters : List.of());
              }
              return owned;
            });
    woken.forEach(MemoryClaim::wake);
    return ours;
  }

  private ReleaseAnswer carryOutRelease() {
    List<MemoryClaim> woken = new ArrayList<>();
    boolean ours =
        backend.server.with(
            request.lockName(),
            entry -> {
              entry.waiters.remove(this);
              if (!owns(entry)) {
                return false;
              }
              entry.owner = "";
              woken.addAll(entry.waiters);
              return true;
            });
    woken.forEach(waiter -> waiter.signals.wake());
    return ours ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS;
  }

  void wake() {
    signals.wake();
  }

  @Override
  public boolean renew(Duration ttl) {
    return backend.server.with(
        request.lockName(),
        entry -> {
          if (released || !owns(entry)) {
            return false;
          }
          entry.expiresAt = Math.max(entry.expiresAt, backend.time.nanos() + ttl.toNanos());
          return true;
        });
  }

  private boolean owns(LockEntry entry) {
    return entry.isHeld(backend.time.nanos()) && entry.owner.equals(request.ownerId());
  }
}
