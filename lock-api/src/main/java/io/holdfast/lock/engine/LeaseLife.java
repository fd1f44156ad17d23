/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.text.VisibleText;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The life of a lease: HELD, then RELEASED or LOST, decided once by the first of its ends. While it
 * is held it is the current one of its {@link Tenure}, and as valid as that. Users hold a view of
 * it ({@link HeldLease}).
 */
final class LeaseLife extends Grant {

  final Tenure tenure;
  final long token;
  final Share share;

  private final long grantedAt;

  /** Until when its minimum hold lasts. */
  private final long minimumUntil;

  private final JfrEvents.@Nullable LockHold recorded = JfrEvents.holdBegins();

  /** Where it was asked for, if that is known. */
  private volatile @Nullable CallSite origin;

  /** The view that its user has, once there is a user. */
  private volatile @Nullable WeakReference<HeldLease> seenBy;

  private volatile @Nullable HeldLease pinned;

  /** Made when somebody wants to be warned, which mostly nobody does. On the strand. */
  private @Nullable RenewalWarnings warnings;

  private volatile boolean withdrawn;
  private volatile boolean lostWithOthers;

  LeaseLife(Tenure tenure, long token, long grantedAt) {
    this(tenure, token, grantedAt, tenure.terms.takenUntil(grantedAt));
  }

  private LeaseLife(Tenure tenure, long token, long grantedAt, long minimumUntil) {
    super(tenure.client);
    this.tenure = tenure;
    this.token = token;
    this.share = tenure.share();
    this.grantedAt = grantedAt;
    this.minimumUntil = minimumUntil;
  }

  @Override
  HeldLease given(@Nullable CallSite place) {
    origin = place;
    tenure.terms.warnsListenersWith().ifPresent(this::warnListeners);
    return HeldLease.of(this);
  }

  void isSeenBy(HeldLease lease) {
    seenBy = new WeakReference<>(lease);
  }

  /** Somebody relies on it who may not have the lease itself. */
  void pin(HeldLease lease) {
    pinned = lease;
  }

  /** Whether it is held and nobody is left who could release it. */
  boolean isLeaked() {
    WeakReference<HeldLease> lease = seenBy;
    return lease != null && pinned == null && isHeld() && lease.refersTo(null);
  }

  @Nullable CallSite origin() {
    return origin;
  }

  boolean isAskedForBy(Thread thread) {
    CallSite place = origin;
    return place != null && place.thread().equals(thread);
  }

  boolean isHeld() {
    return state.get() == State.HELD;
  }

  @Override
  boolean isValid() {
    if (!isHeld()) {
      return false;
    }
    if (tenure.isValid()) {
      return isHeld();
    }
    tenure.lost().ifPresent(this::lose);
    return false;
  }

  @Override
  Duration remaining() {
    return isValid() ? tenure.remaining() : Duration.ZERO;
  }

  /** The validity that is left, if it is held; the look does not make it lost. */
  Optional<Duration> validity() {
    long left = tenure.validity.until() - client.time.nanos();
    return isHeld() && left > 0 ? Optional.of(Duration.ofNanos(left)) : Optional.empty();
  }

  /** The tenure was lost. */
  void lose(LossReason reason) {
    if (state.compareAndSet(State.HELD, State.LOST)) {
      tellLoss(reason);
    }
  }

  private void tellLoss(LossReason reason) {
    Loss told = new Loss(tenure.lockName, tenure.ownerId, reason);
    if (client.events.listened()) {
      client.events.publish(
          new LockEvent.Lost(tenure.lockName, tenure.ownerId, share, reason, sinceGrant()));
    }
    record("LOST");
    JfrLeaseEvents.lost(tenure.lockName, tenure.ownerId, share, reason);
    loss.complete(told);
  }

  @Override
  CompletableFuture<ReleaseOutcome> release() {
    return end(true);
  }

  @Override
  CompletableFuture<ReleaseOutcome> discard() {
    return end(false);
  }

  @Override
  void withdraw() {
    withdrawn = true;
    discard();
  }

  /** Another lock of the same lease is lost: the name stays taken as after a loss of this one. */
  void loseWithOthers() {
    lostWithOthers = true;
    discard();
  }

  /** Until when its name stays taken at least, once it was released. */
  long takenUntil() {
    long until = withdrawn ? grantedAt : minimumUntil;
    return lostWithOthers ? Validity.later(tenure.takenAfterLoss(), until) : until;
  }

  private CompletableFuture<ReleaseOutcome> end(boolean commit) {
    if (isValid() && state.compareAndSet(State.HELD, State.RELEASED)) {
      return tenure.released(this, commit);
    }
    return CompletableFuture.completedFuture(
        state.get() == State.LOST ? ReleaseOutcome.ALREADY_LOST : ReleaseOutcome.ALREADY_RELEASED);
  }

  /** Of a writer: goes on as a reader, without letting another writer in between. */
  CompletableFuture<LeaseLife> downgrade() {
    if (share.mode() != Share.Mode.WRITE) {
      throw new IllegalStateException(
          "Only the lease of a writer can be downgraded, and %s is of '%s'"
              .formatted(tenure.ownerId, share));
    }
    return isValid() && state.compareAndSet(State.HELD, State.RELEASED)
        ? tenure.reduced(this, Share.READ)
        : CompletableFuture.failedFuture(lost());
  }

  /** The lease of the reader that this writer becomes; its minimum hold is the same. */
  LeaseLife asReader(long readerToken) {
    return new LeaseLife(tenure, readerToken, client.time.nanos(), minimumUntil);
  }

  /** Records the outcome of its release. */
  ReleaseOutcome ended(ReleaseOutcome outcome) {
    if (outcome == ReleaseOutcome.ALREADY_LOST) {
      state.set(State.LOST);
      tellLoss(tenure.lost().orElse(LossReason.REVOKED));
      return outcome;
    }
    if (client.events.listened()) {
      client.events.publish(
          new LockEvent.Released(tenure.lockName, tenure.ownerId, share, outcome, sinceGrant()));
    }
    record(outcome.name());
    return outcome;
  }

  private void record(String outcome) {
    if (recorded != null) {
      recorded.ends(tenure.lockName, tenure.ownerId, share, token, outcome);
    }
  }

  @Override
  CompletableFuture<Void> extend(Duration ttl) {
    // Before the look, so that a release at the same time either is seen here or sees this.
    tenure.leases.preventHandOver();
    return inTurn(() -> tenure.validity.extend(ttl));
  }

  /**
   * Asks on the strand if it is valid then: releases and ends are sent there, too, so none comes
   * between the look and this.
   */
  private CompletableFuture<Void> inTurn(Supplier<CompletableFuture<RenewalAnswer>> step) {
    if (!isValid()) {
      // At once, as a callback that runs on the strand may ask.
      return CompletableFuture.failedFuture(lost());
    }
    CompletableFuture<@Nullable Void> turn = new CompletableFuture<>();
    CompletableFuture<Void> asked =
        turn.thenCompose(
            mine ->
                isValid()
                    ? step.get().thenCompose(this::known)
                    : CompletableFuture.failedFuture(lost()));
    tenure.onStrand(() -> turn.complete(null));
    return asked;
  }

  private CompletableFuture<Void> known(RenewalAnswer answer) {
    if (answer instanceof RenewalAnswer.Unknown unknown) {
      return CompletableFuture.failedFuture(unknown.cause());
    }
    return isValid()
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(lost());
  }

  @Override
  CompletableFuture<Void> expireIn(Duration left) {
    if (!tenure.terms.isForFixedTime()) {
      throw new IllegalStateException(
          "The lease %s of lock '%s' is renewed, so its end cannot be set: release it, or acquire it with Renewal.none()"
              .formatted(tenure.ownerId, VisibleText.of(tenure.lockName)));
    }
    return inTurn(() -> tenure.validity.expireIn(left));
  }

  private void warnListeners(Duration left) {
    RenewalWarnings.Warning warning = RenewalWarnings.Warning.ofListeners(left, client.events);
    tenure.onStrand(() -> warn(warning));
  }

  /** On the strand. */
  void warn(RenewalWarnings.Warning warning) {
    if (warnings == null) {
      warnings = new RenewalWarnings(this);
    }
    warnings.add(warning, tenure.health.failure());
  }

  /** On the strand: a renewal was not answered; no failure if one has succeeded. */
  void renewalsFail(@Nullable LockException failure) {
    if (warnings != null) {
      warnings.failing(failure);
    }
  }

  @Override
  LockLostException lost() {
    String what =
        state.get() == State.RELEASED
            ? "was released"
            : "was lost; stop the work that it protected";
    return new LockLostException(
        "The lease %s of lock '%s' is not valid: it %s"
            .formatted(tenure.ownerId, tenure.lockName, what));
  }

  @Override
  public String toString() {
    return "Lease["
        + VisibleText.of(tenure.lockName)
        + ", "
        + tenure.ownerId
        + ", token "
        + token
        + "]";
  }

  private Duration sinceGrant() {
    return Duration.ofNanos(client.time.nanos() - grantedAt);
  }
}
