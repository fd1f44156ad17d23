/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.HandOver;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The leases of a {@link Tenure}: the current one, others that readers have at the same time, and
 * whether {@link HandOver} allows a further one. Each has a token of its own.
 */
final class TenureLeases {

  private final Tenure tenure;
  private final EngineClient client;
  private final HandOver handOver;
  private final long backendToken;
  private final long begunAt;
  private final long halfNanos;

  /** The newest, or the newest that is left. Written on the strand of the queue. */
  private volatile LeaseLife current;

  /** Others that are held beside it. */
  private final SharedLeases others = new SharedLeases();

  private int place;

  private volatile boolean handOverPrevented;

  TenureLeases(
      Tenure tenure, HandOver handOver, long backendToken, long begunAt, Duration leaseTime) {
    this.tenure = tenure;
    this.client = tenure.client;
    this.handOver = handOver;
    this.backendToken = backendToken;
    this.begunAt = begunAt;
    this.halfNanos = Validity.nanos(leaseTime) / 2;
    this.current = new LeaseLife(tenure, Tokens.at(backendToken, 0), begunAt);
  }

  /** The lease whose turn it is, or was last; of those that share, the newest. */
  LeaseLife current() {
    return current;
  }

  /** From any thread: that one, and those that are held beside it. */
  List<LeaseLife> all() {
    while (true) {
      LeaseLife now = current;
      List<LeaseLife> all = others.with(now);
      // Else one that became the current one meanwhile may be missing.
      if (now == current) {
        return all;
      }
    }
  }

  /** From any thread, after the tenure was lost. */
  void lose(LossReason reason) {
    // The thread that makes another lease the current one looks at the end afterwards.
    current.lose(reason);
    others.lose(reason);
  }

  /**
   * On the strand: whether a waiter may have the next lease. Not towards the end of the tenure: an
   * heir has at least half of what was granted before it.
   */
  boolean mayPass() {
    long now = client.time.nanos();
    return !client.isClosed()
        && client.passesOn()
        && tenure.terms.renewing()
        && !tenure.terms.fixed()
        && !handOverPrevented
        && place + 1 < Math.min(handOver.maxLeases(), mostPlaces())
        && now - begunAt < Validity.nanos(handOver.maxTime())
        && tenure.validity.renewedUntil() - now > halfNanos
        && tenure.isValid();
  }

  /** A writer may always become a reader, which takes a place. */
  private int mostPlaces() {
    return tenure.share().mode() == Share.Mode.WRITE ? Tokens.MOST_PLACES - 1 : Tokens.MOST_PLACES;
  }

  /** From any thread: time that one lease buys at the backend is not on the terms of the next. */
  void preventHandOver() {
    handOverPrevented = true;
  }

  /** Whether a waiter that asks on these terms may have the lock from this tenure. */
  boolean suit(Share asked, RenewalTerms wanted, HandOver allowed) {
    return tenure.share().equals(asked) && tenure.terms.equals(wanted) && handOver.equals(allowed);
  }

  /** On the strand: whether further leases may share it now. Bounds on time are of one lease. */
  boolean mayShare() {
    return tenure.share().mode() == Share.Mode.READ && tenure.terms.hold().isNone() && mayPass();
  }

  /** On the strand: a lease beside the others. */
  LeaseLife beside() {
    others.add(current);
    return begin();
  }

  /** On the strand: the next lease, which takes the place of the one that was released. */
  LeaseLife next() {
    // Listeners of a lock never hear of two leases at once.
    current.ended(ReleaseOutcome.RELEASED);
    return begin();
  }

  /** On the strand: the lease of a reader that was the writer; the bounds on it are the same. */
  LeaseLife downgraded() {
    return begin(current.asReader(nextToken()), tenure.validity.mustEndAt());
  }

  private LeaseLife begin() {
    long now = client.time.nanos();
    return begin(new LeaseLife(tenure, nextToken(), now), tenure.terms.heldUntil(now));
  }

  private long nextToken() {
    place++;
    return Tokens.at(backendToken, place);
  }

  private LeaseLife begin(LeaseLife heir, long mustEndAt) {
    current = heir;
    tenure.validity.mustEndAt(mustEndAt);
    tenure.lost().ifPresent(heir::lose);
    return heir;
  }

  /** On the strand: takes out a lease that has ended; false if it is the last. */
  boolean takeOut(LeaseLife ended) {
    if (ended != current) {
      others.remove(ended);
      return true;
    }
    Optional<LeaseLife> left = others.any();
    left.ifPresent(
        lease -> {
          current = lease;
          others.remove(lease);
          tenure.lost().ifPresent(lease::lose);
        });
    return left.isPresent();
  }
}
