/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lock;

import com.google.protobuf.ByteString;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.etcd.client.EtcdFailures;
import io.holdfast.lock.etcd.client.Watches;
import io.holdfast.lock.etcd.lease.QueuedKey;
import io.holdfast.lock.etcd.lease.ServerLease;
import io.holdfast.lock.etcd.queue.FreedPermits;
import io.holdfast.lock.etcd.queue.QueueEntry;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One contender: one key in the lock's queue, on a lease of its own. It joins with one transaction,
 * which also tells who is ahead ({@link EtcdAttempt}); from then on it looks again, when the one
 * ahead is gone or the engine polls. The first in the queue owns the lock.
 *
 * <p><b>Unknown outcomes.</b> A transaction without an answer may still be carried out. Then {@link
 * EtcdRelease} revokes the claim's leases: after that no put that names them can be carried out,
 * however late it comes. Only a lease all of whose puts have been answered is used again.
 *
 * <p>A release waits for the attempt that is under way, so the two never overlap; renewals may
 * overlap with everything.
 */
public final class EtcdClaim implements LockClaim {

  private final QueuedKey key;
  private final ClaimServices etcd;
  private final ClaimSignals signals;
  private @Nullable CompletableFuture<Attempt> underWay;
  private volatile Watches.@Nullable Watch watch;
  private volatile boolean granted;
  private volatile @Nullable ReleaseAnswer ended;

  /** Sends nothing. */
  public EtcdClaim(ClaimServices etcd, ClaimRequest request, ClaimSignals signals) {
    this.etcd = etcd;
    this.key = new QueuedKey(new QueueEntry(etcd.keys(), request), etcd.time()::nanos);
    this.signals = signals;
  }

  /** The claim's key and its state. */
  public QueuedKey key() {
    return key;
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    CompletableFuture<Attempt> attempt = new CompletableFuture<>();
    if (!begins(attempt)) {
      return CompletableFuture.completedFuture(new Attempt.Contended(Optional.empty()));
    }
    CompletableFuture<Attempt> answer =
        // A step after another, so that what it throws is its failure.
        CompletableFuture.completedFuture(etcd.connection().deadline())
            .thenCompose(deadline -> new EtcdAttempt(etcd, this, deadline).run());
    typed("Acquiring", answer).whenComplete((found, failure) -> answered(attempt, found, failure));
    return attempt;
  }

  private synchronized boolean begins(CompletableFuture<Attempt> attempt) {
    boolean begins = !key.isLeaving();
    underWay = begins ? attempt : null;
    return begins;
  }

  private void answered(
      CompletableFuture<Attempt> attempt, Attempt found, @Nullable Throwable failure) {
    synchronized (this) {
      underWay = null;
    }
    if (failure == null) {
      attempt.complete(found);
    } else {
      attempt.completeExceptionally(failure);
    }
  }

  /** Etcd keeps the lease for at least the rest of this, as far as is known. */
  Attempt granted(Duration validity) {
    granted = true;
    return new Attempt.Granted(key.revision(), validity);
  }

  /** Wakes the engine when the key ahead is gone; until then the lease is kept alive. */
  void await(ByteString ahead, long fromRevision) {
    await(ahead, () -> etcd.watches().on(ahead, fromRevision, signals::wake));
  }

  /** The same for permits that have to be given back, by this key or by those up to an end. */
  void await(ByteString from, ByteString end, FreedPermits enough, long fromRevision) {
    await(from, () -> etcd.watches().onChanges(from, end, enough, fromRevision, signals::wake));
  }

  private void await(ByteString from, Supplier<Watches.Watch> another) {
    if (!key.entry().waits()) {
      return;
    }
    Watches.Watch now = watch;
    if (now == null || !now.isOn(from)) {
      stopWatching();
      etcd.leases().keepFresh(Objects.requireNonNull(key.lease()));
      watch = another.get();
    }
  }

  void placeLost() {
    stopWaiting();
    granted = false;
  }

  void stopWaiting() {
    stopWatching();
    ServerLease lease = key.lease();
    if (lease != null) {
      etcd.leases().leaveAlone(lease);
    }
  }

  private void stopWatching() {
    Watches.Watch now = watch;
    if (now != null) {
      etcd.watches().cancel(now);
    }
    watch = null;
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    return afterAttempt(EtcdRelease::leave);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release(Duration keepFor) {
    return afterAttempt(release -> release.leaveFor(keepFor));
  }

  @Override
  public CompletionStage<ReleaseAnswer> reduceTo(int kept) {
    return typed(
        "Giving back a part of", new EtcdRelease(etcd, this, key.generation()).reduceTo(kept));
  }

  /** The answer of the first release that came to its end. */
  Optional<ReleaseAnswer> ended() {
    return Optional.ofNullable(ended);
  }

  ReleaseAnswer ended(boolean found) {
    ReleaseAnswer before = ended;
    ReleaseAnswer answer =
        before != null ? before : granted && found ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS;
    ended = answer;
    return answer;
  }

  private CompletableFuture<ReleaseAnswer> afterAttempt(
      Function<EtcdRelease, CompletableFuture<ReleaseAnswer>> way) {
    CompletableFuture<Attempt> before;
    long begun;
    synchronized (this) {
      begun = key.leaving();
      before = underWay;
    }
    Supplier<CompletableFuture<ReleaseAnswer>> release =
        () -> way.apply(new EtcdRelease(etcd, this, begun));
    return typed(
        "Releasing",
        before == null
            ? release.get()
            : before.handle((answer, failure) -> release.get()).thenCompose(stage -> stage));
  }

  @Override
  public CompletionStage<RenewalAnswer> expireIn(Duration left) {
    long begun = key.endsIn(left);
    return typed(
            "Setting the end of",
            // A step after another, so that what it throws is its failure.
            CompletableFuture.completedFuture(etcd.connection().deadline())
                .thenCompose(deadline -> etcd.move(key, begun, deadline).toEndIn(left))
                .whenComplete((last, failure) -> key.endAnswered())
                .<RenewalAnswer>thenApply(
                    last ->
                        last.isPresent()
                            ? new RenewalAnswer.Extended(left)
                            : new RenewalAnswer.Lost(LossReason.REVOKED)))
        .exceptionallyCompose(this::notEnded);
  }

  /** Before a move is sent the key is read, and a lease is granted: these end nothing. */
  private CompletableFuture<RenewalAnswer> notEnded(Throwable failure) {
    return Failures.cause(failure) instanceof LockUnavailableException outage
            && key.target().isEmpty()
        ? CompletableFuture.completedFuture(new RenewalAnswer.Unknown(outage))
        : CompletableFuture.failedFuture(failure);
  }

  /** A failure names what was tried with which lock. */
  <T> CompletableFuture<T> typed(String operation, CompletableFuture<T> answer) {
    return answer.exceptionallyCompose(
        failure ->
            CompletableFuture.failedFuture(EtcdFailures.typed(operation(operation), failure)));
  }

  /** For messages. */
  public String operation(String verb) {
    return verb + " lock '" + key.entry().lockName() + "'";
  }
}
