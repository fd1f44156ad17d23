/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;

/**
 * The life of a lease: HELD, then RELEASED or LOST, decided once by whoever comes first. What users
 * have is a view of it ({@link HeldLease}).
 *
 * <p>Validity is computed when asked. The look that finds it over makes the lease lost, so that a
 * lease that once said no never says yes again, whatever answer to a renewal is still on its way.
 */
final class LeaseLife {

  private enum State {
    HELD,
    RELEASED,
    LOST
  }

  final String lockName;
  final String ownerId;
  final long token;
  final LockClaim claim;
  final RenewalTerms terms;

  private final EngineClient client;
  private final LocalQueue queue;
  private final long grantedAt;
  private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
  private final CompletableFuture<Loss> loss = new CompletableFuture<>();

  /** Only ever moved on, as answers to several renewals may come at once and in any order. */
  private final AtomicLong validUntil;

  private final AtomicLong endsAt;
  private volatile boolean unanswered;

  /** When the newest renewal was sent that extended this lease. */
  private final AtomicLong extendedBy;

  /** When to look at this lease next. Written and read by {@link Renewals} under its lock. */
  long dueAt;

  /** By how much that look may come early, to share a request. Likewise. */
  long headroom;

  /** Makes entries of {@link Renewals} distinct. */
  final long number;

  LeaseLife(
      EngineClient client,
      LocalQueue queue,
      LockClaim claim,
      String ownerId,
      long token,
      RenewalTerms terms,
      long sentAt,
      Duration leaseTime) {
    this.client = client;
    this.queue = queue;
    this.lockName = queue.lockName;
    this.claim = claim;
    this.ownerId = ownerId;
    this.token = token;
    this.terms = terms;
    this.grantedAt = client.time.nanos();
    this.number = client.nextNumber();
    long end = sentAt + terms.fixedNanos();
    long until = earlier(Validity.until(sentAt, leaseTime), end);
    this.extendedBy = new AtomicLong(sentAt);
    this.endsAt = new AtomicLong(end);
    this.validUntil = new AtomicLong(until);
    this.dueAt = terms.nextDue(sentAt, leaseTime, until);
    this.headroom = terms.headroom(leaseTime);
  }

  boolean isValid() {
    if (state.get() != State.HELD) {
      return false;
    }
    if (validUntil() - client.time.nanos() > 0) {
      return state.get() == State.HELD;
    }
    lose(unanswered ? LossReason.UNREACHABLE : LossReason.EXPIRED);
    return false;
  }

  Duration remaining() {
    long nanos = validUntil() - client.time.nanos();
    return isValid() && nanos > 0 ? Duration.ofNanos(nanos) : Duration.ZERO;
  }

  long validUntil() {
    return validUntil.get();
  }

  /** While a renewal is under way. */
  long askAgainAt(long now) {
    return terms.renewing()
        ? earlier(now + RenewalTerms.patience(now, validUntil()), validUntil())
        : validUntil();
  }

  void lose(LossReason reason) {
    if (!state.compareAndSet(State.HELD, State.LOST)) {
      return;
    }
    client.renewals.remove(this);
    tellLoss(reason);
    // The backend may not know yet: a lease of fixed time on a session, a host that was suspended.
    client.cleanup.discard(claim, terms.ttl()).whenComplete((answer, failure) -> queue.exit());
  }

  private void tellLoss(LossReason reason) {
    Loss told = new Loss(lockName, ownerId, reason);
    if (client.events.listened()) {
      client.events.publish(new LockEvent.Lost(lockName, ownerId, reason, sinceGrant()));
    }
    loss.complete(told);
  }

  /** The lease is not valid any more when this returns. */
  CompletableFuture<ReleaseOutcome> release() {
    return end(client.cleanup::release);
  }

  /** The same, without the consequences of a good end. */
  CompletableFuture<ReleaseOutcome> discard() {
    return end(client.cleanup::discard);
  }

  private CompletableFuture<ReleaseOutcome> end(
      BiFunction<LockClaim, Duration, CompletableFuture<ReleaseAnswer>> ending) {
    if (!isValid() || !state.compareAndSet(State.HELD, State.RELEASED)) {
      return CompletableFuture.completedFuture(
          state.get() == State.LOST
              ? ReleaseOutcome.ALREADY_LOST
              : ReleaseOutcome.ALREADY_RELEASED);
    }
    client.renewals.remove(this);
    CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();
    ending
        .apply(claim, terms.ttl())
        .whenComplete((answer, failure) -> released(answer, failure, outcome));
    return outcome;
  }

  private void released(
      ReleaseAnswer answer, Throwable failure, CompletableFuture<ReleaseOutcome> outcome) {
    ReleaseOutcome found =
        failure != null
            ? ReleaseOutcome.UNKNOWN
            : answer == ReleaseAnswer.FREED ? ReleaseOutcome.RELEASED : ReleaseOutcome.ALREADY_LOST;
    if (found == ReleaseOutcome.ALREADY_LOST) {
      state.set(State.LOST);
      tellLoss(LossReason.REVOKED);
    } else if (client.events.listened()) {
      client.events.publish(new LockEvent.Released(lockName, ownerId, found, sinceGrant()));
    }
    queue.exit();
    outcome.complete(found);
  }

  CompletableFuture<Void> extend(Duration ttl) {
    if (!isValid()) {
      return CompletableFuture.failedFuture(lost());
    }
    return client
        .renewals
        .renewNow(this, ttl)
        .thenCompose(
            answer -> {
              if (answer instanceof RenewalAnswer.Unknown unknown) {
                return CompletableFuture.failedFuture(unknown.cause());
              }
              return isValid()
                  ? CompletableFuture.completedFuture(null)
                  : CompletableFuture.failedFuture(lost());
            });
  }

  /**
   * Takes the answer to a renewal.
   *
   * @param fixedEnd where an extension moves the end of a lease of fixed time
   */
  void renewed(long sentAt, long fixedEnd, RenewalAnswer answer) {
    if (!isValid()) {
      return;
    }
    if (answer instanceof RenewalAnswer.Extended extended) {
      unanswered = false;
      long end = endsAt.accumulateAndGet(fixedEnd, LeaseLife::later);
      long bought = earlier(Validity.until(sentAt, extended.leaseTime()), end);
      long until = validUntil.accumulateAndGet(bought, LeaseLife::later);
      if (extendedBy.accumulateAndGet(sentAt, LeaseLife::later) == sentAt) {
        client.renewals.reschedule(
            this,
            terms.nextDue(sentAt, extended.leaseTime(), until),
            terms.headroom(extended.leaseTime()));
      }
      if (client.events.listened() && state.get() == State.HELD) {
        client.events.publish(new LockEvent.Renewed(lockName, ownerId, remaining()));
      }
    } else if (answer instanceof RenewalAnswer.Lost lost) {
      lose(lost.reason());
    } else if (answer instanceof RenewalAnswer.Unknown unknown) {
      if (sentAt - extendedBy.get() >= 0) {
        unanswered = terms.renewing();
        long now = client.time.nanos();
        client.renewals.reschedule(this, terms.retryAt(now, validUntil()), 0);
      }
      renewalFailed(unknown.cause());
    }
  }

  private void renewalFailed(LockException cause) {
    if (client.events.listened() && state.get() == State.HELD) {
      client.events.publish(new LockEvent.RenewalFailed(lockName, ownerId, cause, remaining()));
    }
  }

  /** Completes on any thread of the engine; not to be handed to users as it is. */
  CompletableFuture<Loss> loss() {
    return loss;
  }

  LockLostException lost() {
    String what =
        state.get() == State.RELEASED
            ? "was released"
            : "was lost; stop the work that it protected";
    return new LockLostException(
        "The lease " + ownerId + " of lock '" + lockName + "' is not valid: it " + what);
  }

  private Duration sinceGrant() {
    return Duration.ofNanos(client.time.nanos() - grantedAt);
  }

  static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
  }

  static long later(long a, long b) {
    return a - b > 0 ? a : b;
  }
}
