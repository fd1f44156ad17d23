/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A grant that a client holds at the backend: the claim, until when it is valid ({@link
 * TenureValidity}), and which leases use it ({@link TenureLeases}). How it ends is decided here.
 *
 * <p>Mostly it is one lease; while the next waiter of the same client has the same demands, the
 * lock passes to it here, without the backend, for as often and as long as {@link HandOver} allows.
 * Readers need not wait for that: within the same bounds, they have leases of one tenure at the
 * same time. Each lease has a token of its own.
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
  final TenureValidity validity;
  final TenureLeases leases;
  final RenewalHealth health;

  final LocalQueue queue;
  private final long begunAt;
  private final AtomicReference<@Nullable End> end = new AtomicReference<>();

  /** The share of its leases. Written on the strand. */
  private volatile Share share;

  /**
   * The permits that the backend may still count, though a part was given back. Written on the
   * strand.
   */
  private int permitsAtBackend;

  /** Whether its last lease was released, and the name stays taken by it. */
  private volatile boolean retained;

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
    this.terms = terms;
    this.begunAt = now;
    this.number = client.nextNumber();
    this.health = new RenewalHealth(this, sentAt);
    this.validity = new TenureValidity(this, sentAt, now, leaseTime);
    this.dueAt = terms.nextDue(sentAt, leaseTime, validity.until());
    this.headroom = terms.headroom(leaseTime);
    this.leases = new TenureLeases(this, handOver, backendToken, now, leaseTime);
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
    return !leases.current().isValid()
        && !isRetained()
        && leases.all().stream().noneMatch(LeaseLife::isValid);
  }

  boolean isValid() {
    if (end.get() != null) {
      return false;
    }
    long now = client.time.nanos();
    if (validity.until() - now > 0) {
      return end.get() == null;
    }
    lose(validity.whyOver(now));
    return false;
  }

  Duration remaining() {
    long nanos = validity.until() - client.time.nanos();
    return isValid() && nanos > 0 ? Duration.ofNanos(nanos) : Duration.ZERO;
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
    leases.lose(reason);
    // The backend may not know yet: a lease of fixed time on a session, a host that was suspended.
    long delayed = takenAfterLoss();
    giveBack(false, Validity.later(delayed, leases.current().takenUntil()))
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
          if (leases.takeOut(lease)) {
            outcome.complete(lease.ended(ReleaseOutcome.RELEASED));
            return;
          }
          long takenUntil = lease.takenUntil();
          boolean early = takenUntil - client.time.nanos() > 0;
          if (early && client.retention() == Retention.CLIENT && isValid()) {
            retain(takenUntil, commit);
            outcome.complete(lease.ended(ReleaseOutcome.RELEASED));
          } else if (!early && queue.isWanted() && leases.mayPass() && queue.passOn(this)) {
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
    // The minimum is at most the TTL, and its end may be later than that of the lease.
    if (terms.fixed()) {
      validity.staysUntil(until + Validity.nanos(terms.ttl()));
    } else if (terms.isForFixedTime()) {
      var unused = validity.extend(terms.ttl().multipliedBy(2));
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
    Duration kept = validity.keptByServer();
    if (client.retention() == Retention.SERVER && takenUntil - client.time.nanos() > 0) {
      return client.cleanup.release(claim, kept, takenUntil);
    }
    return commit ? client.cleanup.release(claim, kept) : client.cleanup.discard(claim, kept);
  }

  private static ReleaseOutcome outcome(
      @Nullable ReleaseAnswer answer, @Nullable Throwable failure) {
    if (failure != null) {
      return ReleaseOutcome.UNKNOWN;
    }
    return answer == ReleaseAnswer.FREED ? ReleaseOutcome.RELEASED : ReleaseOutcome.ALREADY_LOST;
  }

  /**
   * From any thread: the lease of a writer has ended, and its holder goes on as a reader. Permits
   * that the backend still counts keep nobody out for longer than its next answer takes.
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
          LeaseLife heir = leases.downgraded();
          heir.loss.thenAccept(told -> reader.completeExceptionally(heir.lost()));
          client
              .cleanup
              .settleRenewed(() -> reduceAtBackend(to.permits()), terms.ttl())
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

  void onStrand(Runnable step) {
    queue.strand.execute(step);
  }
}
