/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The time until which a {@link Tenure} is valid: as its grant and the answers to its renewals say,
 * but not beyond a fixed time or a maximum hold. Whether it has ended before is known to the
 * tenure.
 */
final class TenureValidity {

  private final Tenure tenure;
  private final EngineClient client;
  private final RenewalTerms terms;
  private final EarlierEnd earlierEnd;

  /** Written on the strand, and only ever moved on: answers to renewals come in any order. */
  private volatile long renewedUntil;

  /**
   * Until when the server may keep it, though an extension was not answered. Written on the strand.
   */
  private volatile long askedUntil;

  /** When the lease whose turn it is has to end, whatever is renewed. Written on the strand. */
  private volatile long mustEndAt;

  private volatile boolean unanswered;

  /** On the strand: what bounds a lease of fixed time. */
  private long endsAt;

  /** On the strand: until when the server is known to keep it, whatever ends the lease before. */
  private long provenUntil;

  /** On the strand: when the newest renewal was sent that extended this tenure. */
  private long extendedBy;

  TenureValidity(Tenure tenure, long sentAt, long now, Duration leaseTime) {
    this.tenure = tenure;
    this.client = tenure.client;
    this.terms = tenure.terms;
    this.earlierEnd = new EarlierEnd(tenure, sentAt);
    this.extendedBy = sentAt;
    this.askedUntil = sentAt;
    this.endsAt = sentAt + terms.fixedNanos();
    this.provenUntil = Validity.until(sentAt, leaseTime);
    this.renewedUntil = Validity.earlier(provenUntil, endsAt);
    this.mustEndAt = terms.heldUntil(now);
  }

  /** From any thread, as are all that are not said to be on the strand. */
  long until() {
    return Validity.earlier(renewedUntil, mustEndAt);
  }

  /** The same without the maximum hold of the lease whose turn it is. */
  long renewedUntil() {
    return renewedUntil;
  }

  /** For how long the server keeps it if it refuses to release it: for its TTL, if not extended. */
  Duration keptByServer() {
    long until = Validity.later(askedUntil, renewedUntil);
    Duration left = Duration.ofNanos(until - client.time.nanos());
    return terms.withLockDelay(left.compareTo(terms.ttl()) > 0 ? left : terms.ttl());
  }

  /** Why the tenure is lost, if it was found to be over at that time. */
  LossReason whyOver(long now) {
    if (renewedUntil - now > 0) {
      return LossReason.MAX_HOLD_REACHED;
    }
    return unanswered ? LossReason.UNREACHABLE : LossReason.EXPIRED;
  }

  /** When a renewal that is sent now has had enough time, and another is sent. */
  long answerTimeoutAt(long now) {
    return terms.renewing()
        ? Validity.earlier(now + RenewalTerms.answerTimeout(now, until()), until())
        : until();
  }

  /** On the strand. */
  long mustEndAt() {
    return mustEndAt;
  }

  /** On the strand: the next lease has a maximum hold of its own. */
  void mustEndAt(long newEnd) {
    mustEndAt = newEnd;
  }

  /** On the strand, as earlier ends are: none is sent between the look for one and the request. */
  CompletableFuture<RenewalAnswer> extend(Duration ttl) {
    if (earlierEnd.isUnderWay()) {
      return CompletableFuture.completedFuture(
          notExtended("the server has not answered whether it ends earlier"));
    }
    askedUntil = Validity.later(client.time.nanos() + Validity.nanos(ttl), askedUntil);
    return client.renewals.renewNow(tenure, ttl);
  }

  private RenewalAnswer notExtended(String why) {
    return new RenewalAnswer.Unknown(
        new LockUnavailableException(
            "Extending lock '%s' failed: %s".formatted(tenure.lockName, why)));
  }

  /** On the strand; of a lease of fixed time. */
  CompletableFuture<RenewalAnswer> expireIn(Duration left) {
    return earlierEnd.expireIn(left);
  }

  /** On the strand: moves the end, unless that would be later. */
  boolean endEarlier(long newEnd) {
    if (newEnd - (terms.fixed() ? endsAt : renewedUntil) > 0) {
      return false;
    }
    endsAt = terms.fixed() ? newEnd : endsAt;
    renewedUntil = Validity.earlier(renewedUntil, newEnd);
    client.renewals.reschedule(tenure, terms.renewing() ? client.time.nanos() : until(), 0);
    return true;
  }

  /**
   * On the strand: the lease is over, and the name stays taken for longer than it would have
   * lasted. A session carries that, so it takes no answer of the server.
   */
  void staysUntil(long newEnd) {
    endsAt = Validity.later(newEnd, endsAt);
    renewedUntil = Validity.later(Validity.earlier(provenUntil, endsAt), renewedUntil);
    client.renewals.reschedule(tenure, client.time.nanos(), 0);
  }

  /**
   * From any thread: takes the answer to a renewal.
   *
   * @param fixedEnd where an extension moves the end of a lease of fixed time
   * @return done when it has been taken, with what came of it
   */
  CompletableFuture<RenewalAnswer> renewed(long sentAt, long fixedEnd, RenewalAnswer told) {
    RenewalAnswer answer = terms.withoutLockDelay(told);
    CompletableFuture<RenewalAnswer> taken = new CompletableFuture<>();
    tenure.onStrand(
        () -> taken.complete(tenure.isValid() ? take(sentAt, fixedEnd, answer) : answer));
    return taken;
  }

  private RenewalAnswer take(long sentAt, long fixedEnd, RenewalAnswer answer) {
    if (answer instanceof RenewalAnswer.Extended extended) {
      client.outages.answered();
      unanswered = false;
      if (!earlierEnd.counts(sentAt)) {
        return notExtended("it was told to end earlier before the server had answered");
      }
      extended(sentAt, fixedEnd, extended.leaseTime());
    } else if (answer instanceof RenewalAnswer.Lost lost) {
      if (lost.reason() == LossReason.REVOKED) {
        // The server has said so; that a session has ended may be known without it.
        client.outages.answered();
      }
      tenure.lose(lost.reason());
    } else if (answer instanceof RenewalAnswer.Unknown unknown && earlierEnd.counts(sentAt)) {
      // Otherwise the backend may not have sent it, and the answer to the end tells of an outage.
      failed(sentAt, unknown.cause());
    }
    return answer;
  }

  private void extended(long sentAt, long fixedEnd, Duration leaseTime) {
    endsAt = Validity.later(fixedEnd, endsAt);
    provenUntil = Validity.later(Validity.until(sentAt, leaseTime), provenUntil);
    long bought = Validity.earlier(Validity.until(sentAt, leaseTime), endsAt);
    renewedUntil = Validity.later(bought, renewedUntil);
    if (sentAt - extendedBy >= 0) {
      extendedBy = sentAt;
      client.renewals.reschedule(
          tenure, terms.nextDue(sentAt, leaseTime, until()), terms.headroom(leaseTime));
      tenure.health.succeeded(sentAt);
    }
    if (client.events.listened() && tenure.leases.current().isHeld()) {
      client.events.publish(
          new LockEvent.Renewed(
              tenure.lockName, tenure.ownerId, tenure.share(), tenure.remaining()));
    }
  }

  private void failed(long sentAt, LockException cause) {
    if (sentAt - extendedBy >= 0) {
      unanswered = terms.renewing();
      client.renewals.reschedule(tenure, terms.retryAt(client.time.nanos(), until()), 0);
      if (terms.renewing()) {
        tenure.health.failed(cause);
      }
    }
    client.outages.failed(cause);
    tellFailure(cause);
  }

  private void tellFailure(LockException cause) {
    if (!tenure.leases.current().isHeld()) {
      return;
    }
    if (client.events.listened()) {
      client.events.publish(
          new LockEvent.RenewalFailed(
              tenure.lockName, tenure.ownerId, tenure.share(), cause, tenure.remaining()));
    }
    JfrLeaseEvents.renewalFailed(
        tenure.lockName, tenure.ownerId, tenure.share(), cause, renewedUntil - client.time.nanos());
  }
}
