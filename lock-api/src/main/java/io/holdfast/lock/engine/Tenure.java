/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a client holds at the backend: a claim that was granted, its validity and its renewal.
 * Mostly one lease; while the next waiter of the same client has the same demands, the lock passes
 * to it here, without the backend, for as often and as long as {@link HandOver} allows. Readers
 * need not wait for that: within the same bounds, they have leases of one tenure at the same time.
 * Each lease has a token of its own.
 *
 * <p>Validity is computed when asked. The look that finds it over makes the tenure lost, and with
 * it the lease that is held then, so that a lease that once said no never says yes again, whatever
 * answer to a renewal is still on its way.
 */
final class Tenure {

  /** How it ended: lost for a reason, or given back. */
  private record End(Optional<LossReason> lost) {}

  private static final End GIVEN_BACK = new End(Optional.empty());

  final EngineClient client;
  final String lockName;
  final String ownerId;
  final LockClaim claim;
  final RenewalTerms terms;

  private final LocalQueue queue;
  private final HandOver handOver;
  private final long backendToken;
  private final long begunAt;
  private final long halfNanos;
  private final AtomicReference<@Nullable End> end = new AtomicReference<>();

  /** The newest, or the newest that is left. Written on the strand of the queue. */
  private volatile LeaseLife current;

  /** Others that are held beside it. */
  private final SharedLeases others = new SharedLeases();

  private int place;

  /** What its leases have. Written on the strand. */
  private volatile Share share;

  /** What the backend may still count, though a part was given back. Written on the strand. */
  private int permitsAtBackend;

  /** When the lease whose turn it is has to end, whatever is renewed. Written on the strand. */
  private volatile long mustEndAt;

  /** Whether its last lease was released, and the name stays taken by it. */
  private volatile boolean retained;

  /** Written on the strand, and only ever moved on: answers to renewals come in any order. */
  private volatile long validUntil;

  private volatile boolean unanswered;
  private volatile boolean handOverPrevented;

  /** On the strand: what bounds a lease of fixed time. */
  private long endsAt;

  /** On the strand: when the newest renewal was sent that extended this tenure. */
  private long extendedBy;

  private final EarlierEnd earlierEnd;
  final RenewalHealth health;

  /** When to look at this tenure next. Written and read by {@link Renewals} under its lock. */
  long dueAt;

  /** By how much that look may come early, to share a request. Likewise. */
  long headroom;

  /** Makes entries of {@link Renewals} distinct. */
  final long number;

  Tenure(
      EngineClient client,
      LocalQueue queue,
      Contender granted,
      long backendToken,
      RenewalTerms terms,
      HandOver handOver,
      long sentAt,
      long now,
      Duration leaseTime) {
    this.client = client;
    this.queue = queue;
    this.lockName = queue.lockName;
    this.claim = granted.claim;
    this.ownerId = granted.ownerId;
    this.share = granted.share;
    this.permitsAtBackend = share.permits();
    this.backendToken = backendToken;
    this.terms = terms;
    this.handOver = handOver;
    this.begunAt = now;
    this.halfNanos = Validity.nanos(leaseTime) / 2;
    this.number = client.nextNumber();
    long last = sentAt + terms.fixedNanos();
    long until = earlier(Validity.until(sentAt, leaseTime), last);
    this.extendedBy = sentAt;
    this.health = new RenewalHealth(this, sentAt);
    this.earlierEnd = new EarlierEnd(this, sentAt);
    this.endsAt = last;
    this.validUntil = until;
    this.mustEndAt = terms.heldUntil(now);
    this.dueAt = terms.nextDue(sentAt, leaseTime, validUntil());
    this.headroom = terms.headroom(leaseTime);
    this.current = new LeaseLife(this, Tokens.at(backendToken, 0), now);
  }

  /** The lease whose turn it is, or was last; of those that share, the newest. */
  LeaseLife lease() {
    return current;
  }

  /** From any thread: that one, and those that are held beside it. */
  List<LeaseLife> leases() {
    while (true) {
      LeaseLife now = current;
      List<LeaseLife> all = others.with(now);
      // Else one that became the current one meanwhile may be missing.
      if (now == current) {
        return all;
      }
    }
  }

  Share share() {
    return share;
  }

  /** On the strand. */
  int permitsAtBackend() {
    return permitsAtBackend;
  }

  /** From any thread: whether no lease of it is valid, and it is only tidying up. */
  boolean isLeaving() {
    return !isRetained() && leases().stream().noneMatch(LeaseLife::isValid);
  }

  boolean isValid() {
    if (end.get() != null) {
      return false;
    }
    long now = client.time.nanos();
    if (validUntil() - now > 0) {
      return end.get() == null;
    }
    if (validUntil - now > 0) {
      lose(LossReason.MAX_HOLD_REACHED);
      return false;
    }
    lose(unanswered ? LossReason.UNREACHABLE : LossReason.EXPIRED);
    return false;
  }

  long validUntil() {
    return earlier(validUntil, mustEndAt);
  }

  Duration remaining() {
    long nanos = validUntil() - client.time.nanos();
    return isValid() && nanos > 0 ? Duration.ofNanos(nanos) : Duration.ZERO;
  }

  /** While a renewal is under way. */
  long askAgainAt(long now) {
    return terms.renewing()
        ? earlier(now + RenewalTerms.answerTimeout(now, validUntil()), validUntil())
        : validUntil();
  }

  /** Why it was lost, if it was. */
  Optional<LossReason> lost() {
    End ended = end.get();
    return ended == null ? Optional.empty() : ended.lost();
  }

  void lose(LossReason reason) {
    if (!end.compareAndSet(null, new End(Optional.of(reason)))) {
      return;
    }
    client.renewals.remove(this);
    // Whoever makes another lease the current one looks at the end afterwards.
    current.lose(reason);
    others.lose(reason);
    // The backend may not know yet: a lease of fixed time on a session, a host that was suspended.
    long delayed = takenAfterLoss();
    giveBack(false, later(delayed, current.takenUntil()))
        .whenComplete((answer, failed) -> queue.exit(this, 0));
  }

  /** Until when the name stays taken at least, if its lease is lost now. */
  long takenAfterLoss() {
    return client.time.nanos() + Validity.nanos(terms.hold().lockDelay());
  }

  /**
   * From any thread: the holder has released its lease. Passes the lock on, or gives it back.
   *
   * @param commit whether what was done under the lock stands
   */
  CompletableFuture<ReleaseOutcome> released(LeaseLife lease, boolean commit) {
    CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();
    queue.strand.execute(
        () -> {
          long takenUntil = lease.takenUntil();
          boolean early = takenUntil - client.time.nanos() > 0;
          if (isSharedBesides(lease)) {
            outcome.complete(lease.ended(ReleaseOutcome.RELEASED));
          } else if (early && client.retention() == Retention.CLIENT && isValid()) {
            retain(takenUntil, commit);
            outcome.complete(lease.ended(ReleaseOutcome.RELEASED));
          } else if (!early && queue.isWanted() && mayPass() && queue.passOn(this)) {
            outcome.complete(ReleaseOutcome.RELEASED);
          } else if (end.compareAndSet(null, GIVEN_BACK)) {
            client.renewals.remove(this);
            giveBack(commit, takenUntil)
                .whenComplete(
                    (answer, failure) -> {
                      ReleaseOutcome found = outcome(answer, failure);
                      lease.ended(found);
                      queue.exit(this, client.releaseBackoff.after(client.time.nanos() - begunAt));
                      outcome.complete(found);
                    });
          } else {
            outcome.complete(lease.ended(ReleaseOutcome.ALREADY_LOST));
          }
        });
    return outcome;
  }

  /**
   * On the strand: the lease is over, and the name stays taken. It is renewed as before, and a loss
   * ends it.
   */
  private void retain(long until, boolean commit) {
    retained = true;
    // Those that do not wait were let in while this seemed to leave.
    queue.hasToWait();
    if (terms.isForFixedTime()) {
      // The minimum is at most the TTL, and its end may be a little later than that of the lease.
      var unused = extend(terms.ttl().multipliedBy(2));
    }
    client.time.schedule(
        Duration.ofNanos(until - client.time.nanos()),
        () -> queue.strand.execute(() -> endRetention(commit)));
  }

  private void endRetention(boolean commit) {
    if (end.compareAndSet(null, GIVEN_BACK)) {
      long now = client.time.nanos();
      client.renewals.remove(this);
      var unused =
          giveBack(commit, now)
              .whenComplete(
                  (answer, failed) -> queue.exit(this, client.releaseBackoff.after(now - begunAt)));
    }
  }

  /** From any thread: whether the name is taken though the lease was released. */
  boolean isRetained() {
    return retained && end.get() == null;
  }

  private CompletableFuture<ReleaseAnswer> giveBack(boolean commit, long takenUntil) {
    if (client.retention() == Retention.SERVER && takenUntil - client.time.nanos() > 0) {
      return client.cleanup.release(claim, terms.withLockDelay(terms.ttl()), takenUntil);
    }
    return commit
        ? client.cleanup.release(claim, terms.ttl())
        : client.cleanup.discard(claim, terms.ttl());
  }

  private static ReleaseOutcome outcome(
      @Nullable ReleaseAnswer answer, @Nullable Throwable failure) {
    if (failure != null) {
      return ReleaseOutcome.UNKNOWN;
    }
    return answer == ReleaseAnswer.FREED ? ReleaseOutcome.RELEASED : ReleaseOutcome.ALREADY_LOST;
  }

  /** Not towards its end: an heir has at least half of what was granted before it. */
  private boolean mayPass() {
    long now = client.time.nanos();
    return !client.isClosed()
        && client.passesOn()
        && terms.renewing()
        && !terms.fixed()
        && !handOverPrevented
        && place + 1 < Math.min(handOver.maxLeases(), mostPlaces())
        && now - begunAt < Validity.nanos(handOver.maxTime())
        && validUntil - now > halfNanos
        && isValid();
  }

  /** A writer may always become a reader, which takes a place. */
  private int mostPlaces() {
    return share.mode() == Share.Mode.WRITE ? Tokens.MOST_PLACES - 1 : Tokens.MOST_PLACES;
  }

  /** Whether a waiter that asks on these terms may have the lock from this tenure. */
  boolean suits(Share asked, RenewalTerms wanted, HandOver allowed) {
    return share.equals(asked) && terms.equals(wanted) && handOver.equals(allowed);
  }

  /** On the strand: whether further leases may share it now. Bounds on time are of one lease. */
  boolean isOpen() {
    return share.mode() == Share.Mode.READ && terms.hold().isNone() && mayPass();
  }

  /** On the strand: a lease beside the others. */
  LeaseLife beside() {
    others.add(current);
    return begin(terms.heldUntil(client.time.nanos()));
  }

  /** On the strand: the next lease, which takes the place of the one that was released. */
  LeaseLife next() {
    // Listeners of a lock never hear of two leases at once.
    current.ended(ReleaseOutcome.RELEASED);
    return begin(terms.heldUntil(client.time.nanos()));
  }

  private LeaseLife begin(long mustEnd) {
    place++;
    LeaseLife heir = new LeaseLife(this, Tokens.at(backendToken, place), client.time.nanos());
    current = heir;
    mustEndAt = mustEnd;
    lost().ifPresent(heir::lose);
    return heir;
  }

  /** On the strand: takes out a lease that has ended; false if it is the last. */
  private boolean isSharedBesides(LeaseLife ended) {
    if (ended != current) {
      others.remove(ended);
      return true;
    }
    Optional<LeaseLife> left = others.any();
    left.ifPresent(
        lease -> {
          current = lease;
          others.remove(lease);
          lost().ifPresent(lease::lose);
        });
    return left.isPresent();
  }

  /**
   * From any thread: the lease of a writer has ended, and its holder goes on as a reader. What the
   * backend still counts keeps nobody out for longer than its next answer.
   *
   * @return the lease of the reader
   */
  CompletableFuture<LeaseLife> reduced(LeaseLife ended, Share to) {
    CompletableFuture<LeaseLife> reader = new CompletableFuture<>();
    queue.strand.execute(
        () -> {
          if (end.get() != null) {
            ended.ended(ReleaseOutcome.ALREADY_LOST);
            reader.completeExceptionally(ended.lost());
            return;
          }
          share = to;
          ended.ended(ReleaseOutcome.RELEASED);
          LeaseLife heir = begin(mustEndAt);
          heir.loss().thenAccept(told -> reader.completeExceptionally(heir.lost()));
          client
              .cleanup
              .settle(() -> reduceAtBackend(to.permits()), terms.ttl())
              .whenComplete(
                  (answer, failure) -> {
                    if (heir.isHeld()) {
                      reader.complete(heir);
                    } else {
                      reader.completeExceptionally(heir.lost());
                    }
                  });
          queue.proceed(0);
          // Those that do not wait were let in while this seemed to leave.
          queue.hasToWait();
        });
    return reader;
  }

  private CompletionStage<ReleaseAnswer> reduceAtBackend(int kept) {
    if (end.get() != null) {
      return CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS);
    }
    return claim
        .reduceTo(kept)
        .thenApply(
            answer -> {
              if (answer == ReleaseAnswer.NOT_OURS) {
                lose(LossReason.REVOKED);
              }
              queue.strand.execute(
                  () -> {
                    permitsAtBackend = kept;
                    queue.proceed(0);
                  });
              return answer;
            });
  }

  /** Time that one lease buys at the backend is not on the terms of the next: it ends with it. */
  void preventHandOver() {
    handOverPrevented = true;
  }

  CompletableFuture<RenewalAnswer> extend(Duration ttl) {
    return earlierEnd.isUnderWay()
        ? CompletableFuture.completedFuture(
            new RenewalAnswer.Unknown(
                new LockUnavailableException(
                    "Extending lock '%s' failed: the server has not answered whether it ends earlier"
                        .formatted(lockName))))
        : client.renewals.renewNow(this, ttl);
  }

  /** Of a lease of fixed time. */
  CompletableFuture<RenewalAnswer> expireIn(Duration left) {
    return earlierEnd.expireIn(left);
  }

  /** On the strand: moves the end, unless that would be later. */
  boolean endEarlier(long until) {
    if (until - (terms.fixed() ? endsAt : validUntil) > 0) {
      return false;
    }
    endsAt = terms.fixed() ? until : endsAt;
    validUntil = earlier(validUntil, until);
    client.renewals.reschedule(this, terms.renewing() ? client.time.nanos() : validUntil(), 0);
    return true;
  }

  void onStrand(Runnable step) {
    queue.strand.execute(step);
  }

  /**
   * From any thread: takes the answer to a renewal.
   *
   * @param fixedEnd where an extension moves the end of a lease of fixed time
   * @return done when it has been taken
   */
  CompletableFuture<RenewalAnswer> renewed(long sentAt, long fixedEnd, RenewalAnswer told) {
    RenewalAnswer answer = terms.withoutLockDelay(told);
    CompletableFuture<RenewalAnswer> taken = new CompletableFuture<>();
    queue.strand.execute(
        () -> {
          if (isValid()) {
            take(sentAt, fixedEnd, answer);
          }
          taken.complete(answer);
        });
    return taken;
  }

  private void take(long sentAt, long fixedEnd, RenewalAnswer answer) {
    if (answer instanceof RenewalAnswer.Extended extended) {
      client.outages.answered();
      unanswered = false;
      if (!earlierEnd.counts(sentAt)) {
        return;
      }
      endsAt = later(fixedEnd, endsAt);
      long bought = earlier(Validity.until(sentAt, extended.leaseTime()), endsAt);
      long until = later(bought, validUntil);
      validUntil = until;
      if (sentAt - extendedBy >= 0) {
        extendedBy = sentAt;
        client.renewals.reschedule(
            this,
            terms.nextDue(sentAt, extended.leaseTime(), validUntil()),
            terms.headroom(extended.leaseTime()));
        health.succeeded(sentAt);
      }
      if (client.events.listened() && current.isHeld()) {
        client.events.publish(new LockEvent.Renewed(lockName, ownerId, share, remaining()));
      }
    } else if (answer instanceof RenewalAnswer.Lost lost) {
      lose(lost.reason());
    } else if (answer instanceof RenewalAnswer.Unknown unknown) {
      if (sentAt - extendedBy >= 0) {
        unanswered = terms.renewing();
        long now = client.time.nanos();
        client.renewals.reschedule(this, terms.retryAt(now, validUntil()), 0);
        if (terms.renewing()) {
          health.failed(unknown.cause());
        }
      }
      client.outages.failed(unknown.cause());
      renewalFailed(unknown.cause());
    }
  }

  private void renewalFailed(LockException cause) {
    if (!current.isHeld()) {
      return;
    }
    if (client.events.listened()) {
      client.events.publish(
          new LockEvent.RenewalFailed(lockName, ownerId, share, cause, remaining()));
    }
    JfrEvents.renewalFailed(lockName, ownerId, cause, validUntil - client.time.nanos());
  }

  static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
  }

  static long later(long a, long b) {
    return a - b > 0 ? a : b;
  }
}
