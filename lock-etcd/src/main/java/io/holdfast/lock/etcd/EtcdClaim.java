/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One contender: one key in the lock's queue, on a lease of its own. It joins with one transaction,
 * which also tells who is ahead; from then on it looks again, when the one ahead is gone or the
 * engine polls. Who has nobody ahead owns the lock.
 *
 * <p><b>Unknown outcomes.</b> A transaction without an answer may still be carried out. Then
 * release revokes the claim's leases: after that no put that names them can be carried out, however
 * late it comes. Only a lease all of whose puts have been answered is used again.
 */
final class EtcdClaim implements LockClaim {

  final ClaimRequest request;
  final ClaimState claimState = new ClaimState();

  private final EtcdBackend backend;
  private final ClaimSignals signals;
  private final ByteString queue;
  private final ByteString owner;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable CompletableFuture<Attempt> underWay;
  private Watches.@Nullable Watch watch;
  private @Nullable ByteString watched;
  private boolean released;

  EtcdClaim(EtcdBackend backend, ClaimRequest request, ClaimSignals signals) {
    this.backend = backend;
    this.request = request;
    this.signals = signals;
    this.queue = backend.keys().queue(request.lockName());
    this.owner = ByteString.copyFromUtf8(request.ownerId());
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    long began = backend.time().nanos();
    Deadline deadline = backend.link().deadline();
    CompletableFuture<Attempt> answer;
    lock.lock();
    try {
      if (released) {
        return CompletableFuture.completedFuture(new Attempt.Contended(Optional.empty()));
      }
      answer =
          (claimState.revision() > 0 ? look(began, deadline) : join(began, deadline))
              .exceptionallyCompose(
                  failure ->
                      CompletableFuture.failedFuture(EtcdFailures.typed(acquiring(), failure)));
      underWay = answer;
    } finally {
      lock.unlock();
    }
    return answer;
  }

  private CompletableFuture<Attempt> join(long began, Deadline deadline) {
    ServerLease known = claimState.lease();
    return (known != null
            ? CompletableFuture.completedFuture(known)
            : backend.leases().take(request.ttl(), deadline))
        .thenCompose(
            lease ->
                joinOn(lease, began, deadline)
                    .exceptionallyCompose(
                        failure ->
                            EtcdFailures.isLeaseNotFound(Failures.cause(failure))
                                ? joinOnAnother(began, deadline)
                                : CompletableFuture.failedFuture(failure)));
  }

  /** After a lease that had lain in stock has ended there; the others may have as well. */
  private CompletableFuture<Attempt> joinOnAnother(long began, Deadline deadline) {
    return backend
        .leases()
        .grant(Leases.seconds(request.ttl()), deadline)
        .thenCompose(lease -> joinOn(lease, began, deadline));
  }

  private CompletableFuture<Attempt> joinOn(ServerLease lease, long began, Deadline deadline) {
    ByteString key = LockKeys.contender(queue, lease.id);
    claimState.joining(key, lease);
    return backend
        .transactions()
        .join(queue, LockRequests.join(queue, key, owner, lease.id), deadline)
        .whenComplete((answer, failure) -> claimState.putAnswered(lease, failure))
        .thenCompose(answer -> joined(answer, began, deadline));
  }

  private CompletableFuture<Attempt> joined(TxnResponse answer, long began, Deadline deadline) {
    long revision = answer.getHeader().getRevision();
    if (answer.getSucceeded()) {
      claimState.joined(revision, revision);
      return granted(began, deadline);
    }
    TxnResponse behindOthers = answer.getResponses(0).getResponseTxn();
    if (behindOthers.getSucceeded()) {
      claimState.joined(revision, revision);
      return placed(behindOthers.getResponses(1).getResponseRange(), revision, began, deadline);
    }
    KeyValue there = behindOthers.getResponses(0).getResponseRange().getKvs(0);
    if (!there.getValue().equals(owner)) {
      throw new LockRejectedException(
          acquiring() + ": somebody has changed the key '" + there.getKey().toStringUtf8() + "'");
    }
    // A request whose answer was lost has put it.
    claimState.joined(there.getCreateRevision(), there.getModRevision());
    return look(began, deadline);
  }

  private CompletableFuture<Attempt> look(long began, Deadline deadline) {
    long revision = claimState.revision();
    return backend
        .link()
        .call(KVGrpc.getRangeMethod(), LockRequests.look(queue, revision), deadline)
        .thenCompose(
            answer -> {
              boolean there =
                  answer.getKvsCount() > 0 && answer.getKvs(0).getCreateRevision() == revision;
              if (there) {
                return placed(answer, answer.getHeader().getRevision(), began, deadline);
              }
              stopWaiting();
              return claimState
                  .startAnew(backend.leases(), deadline)
                  .thenCompose(done -> join(began, deadline));
            });
  }

  /** What is seen first is this claim, and then whoever is ahead of it. */
  private CompletableFuture<Attempt> placed(
      RangeResponse queued, long seenAt, long began, Deadline deadline) {
    if (queued.getKvsCount() < 2) {
      return granted(began, deadline);
    }
    KeyValue ahead = queued.getKvs(1);
    if (ahead.getLease() == 0) {
      throw new LockRejectedException(
          acquiring()
              + ": there is something other than a lock at the key '"
              + ahead.getKey().toStringUtf8()
              + "'; remove it, or choose another namespace");
    }
    await(ahead.getKey(), seenAt + 1);
    return CompletableFuture.completedFuture(new Attempt.Contended(Optional.empty()));
  }

  private CompletableFuture<Attempt> granted(long began, Deadline deadline) {
    stopWaiting();
    ServerLease lease = claimState.required();
    if (lease.leftAt(began).compareTo(request.ttl()) >= 0) {
      return CompletableFuture.completedFuture(grantedOn(lease, began));
    }
    return backend
        .leases()
        .prolong(lease, deadline)
        .thenCompose(
            state ->
                state == RenewalProof.State.OF_AN_EARLIER_TERM
                    ? move(
                        claimState.place().orElseThrow(this::leaseHasEnded),
                        request.ttl(),
                        deadline)
                    : CompletableFuture.completedFuture(
                        Optional.of(lease).filter(one -> state == RenewalProof.State.PROVEN)))
        .thenApply(on -> grantedOn(on.orElseThrow(this::leaseHasEnded), began));
  }

  private Attempt grantedOn(ServerLease lease, long began) {
    claimState.granted();
    return new Attempt.Granted(
        claimState.revision(), Leases.atMost(request.ttl(), lease.leftAt(began)));
  }

  private LockUnavailableException leaseHasEnded() {
    return new LockUnavailableException(acquiring() + ": its lease has ended at etcd");
  }

  private void await(ByteString ahead, long fromRevision) {
    lock.lock();
    try {
      if (released || ahead.equals(watched)) {
        return;
      }
      stopWatching();
      backend.leases().keepFresh(claimState.required());
      watched = ahead;
      watch = backend.watches().on(ahead, fromRevision, this::changed);
    } finally {
      lock.unlock();
    }
  }

  private void changed() {
    lock.lock();
    try {
      watched = null;
      watch = null;
    } finally {
      lock.unlock();
    }
    signals.wake();
  }

  private void stopWaiting() {
    lock.lock();
    try {
      stopWatching();
      ServerLease lease = claimState.lease();
      if (lease != null) {
        backend.leases().leaveAlone(lease);
      }
    } finally {
      lock.unlock();
    }
  }

  private void stopWatching() {
    if (watch != null) {
      backend.watches().cancel(watch);
    }
    watch = null;
    watched = null;
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    return end(this::end);
  }

  /**
   * Hangs the key on a lease of that length, which nobody keeps alive, and revokes all others: then
   * nothing can come with them any more.
   */
  @Override
  public CompletionStage<ReleaseAnswer> release(Duration keepFor) {
    return end(() -> leaveFor(keepFor));
  }

  @Override
  public CompletionStage<RenewalAnswer> expireIn(Duration left) {
    String setting = "Setting the end of lock '" + request.lockName() + "'";
    return hangFor(left, backend.link().deadline())
        .<RenewalAnswer>thenApply(
            last ->
                last.isPresent()
                    ? new RenewalAnswer.Extended(left)
                    : new RenewalAnswer.Lost(LossReason.REVOKED))
        .exceptionallyCompose(
            failure -> CompletableFuture.failedFuture(EtcdFailures.typed(setting, failure)));
  }

  private CompletableFuture<ReleaseAnswer> leaveFor(Duration keepFor) {
    stopWaiting();
    if (claimState.ended().isPresent()) {
      return end();
    }
    Deadline deadline = backend.link().deadline();
    Optional<ServerLease> before = claimState.last();
    return (before.isPresent()
            ? CompletableFuture.completedFuture(before)
            : hangFor(keepFor, deadline))
        .thenCompose(
            last ->
                last.isPresent()
                    ? claimState.endOn(last.get(), backend.leases(), deadline)
                    : end());
  }

  /**
   * Hangs the key on a lease that ends in about this time.
   *
   * @return that lease; empty if the key is not there any more
   */
  private CompletableFuture<Optional<ServerLease>> hangFor(Duration left, Deadline deadline) {
    return backend
        .link()
        .call(KVGrpc.getTxnMethod(), LockRequests.read(List.of(claimState.key())), deadline)
        .thenCompose(
            answer -> {
              Optional<ClaimState.Place> from =
                  claimState.found(answer.getResponses(0).getResponseRange());
              return from.isEmpty()
                  ? CompletableFuture.completedFuture(Optional.empty())
                  : move(
                          from.get(),
                          backend.leases().grant(Leases.wholeSeconds(left), deadline),
                          deadline)
                      .thenApply(moved -> Optional.of(moved.orElseThrow(this::keyHasChanged)));
            });
  }

  private LockUnavailableException keyHasChanged() {
    return new LockUnavailableException(
        "The key of lock '" + request.lockName() + "' has been changed meanwhile");
  }

  private CompletionStage<ReleaseAnswer> end(Supplier<CompletableFuture<ReleaseAnswer>> way) {
    CompletableFuture<Attempt> before;
    lock.lock();
    try {
      released = true;
      before = underWay;
    } finally {
      lock.unlock();
    }
    CompletableFuture<ReleaseAnswer> end =
        before == null || before.isDone()
            ? way.get()
            : before.handle((answer, failure) -> way.get()).thenCompose(stage -> stage);
    return end.exceptionallyCompose(
        failure -> CompletableFuture.failedFuture(EtcdFailures.typed(releasing(), failure)));
  }

  private CompletableFuture<ReleaseAnswer> end() {
    stopWaiting();
    if (claimState.ended().isPresent()) {
      return CompletableFuture.completedFuture(claimState.ended().get());
    }
    Deadline deadline = backend.link().deadline();
    ServerLease lease = claimState.lease();
    boolean sentBefore = claimState.endSent();
    if (claimState.isUncertain()) {
      return claimState.end(backend.leases(), deadline, sentBefore);
    }
    if (lease == null || claimState.revision() == 0) {
      claimState.leases().forEach(backend.leases()::drop);
      return CompletableFuture.completedFuture(claimState.ended(false));
    }
    return backend
        .transactions()
        .leave(LockRequests.leave(claimState.key(), claimState.revision()), deadline)
        .whenComplete((answer, failure) -> claimState.leaveAnswered(failure))
        .thenApply(
            answer -> {
              backend.leases().giveBack(lease);
              return claimState.ended(answer.getSucceeded());
            });
  }

  /**
   * Hangs the key on another lease: one that lasts longer, as no lease can be made to, or one of
   * etcd's present term. Its create revision stays, and so do its place and its token.
   *
   * @return that lease; empty if the key hangs elsewhere by now, and has to be looked at anew
   */
  CompletableFuture<Optional<ServerLease>> move(
      ClaimState.Place from, Duration ttl, Deadline deadline) {
    lock.lock();
    try {
      // The release may keep the name on a lease of its own.
      if (released) {
        return CompletableFuture.failedFuture(keyHasChanged());
      }
    } finally {
      lock.unlock();
    }
    return move(from, backend.leases().take(ttl, deadline), deadline);
  }

  private CompletableFuture<Optional<ServerLease>> move(
      ClaimState.Place from, CompletableFuture<ServerLease> to, Deadline deadline) {
    return to.thenCompose(
        other -> {
          if (!claimState.moving(other, from)) {
            backend.leases().drop(other);
            return CompletableFuture.completedFuture(Optional.empty());
          }
          return backend
              .transactions()
              .change(
                  LockRequests.move(claimState.key(), from.modified(), owner, other.id), deadline)
              .whenComplete((answer, failure) -> claimState.putAnswered(other, failure))
              .thenApply(answer -> moved(answer, other));
        });
  }

  /** The key has the name of its first lease, so that one is not to be used again. */
  private Optional<ServerLease> moved(TxnResponse answer, ServerLease other) {
    if (!answer.getSucceeded()) {
      claimState.forget(other);
      backend.leases().drop(other);
      return Optional.empty();
    }
    claimState.moved(other, answer.getHeader().getRevision()).ifPresent(backend.leases()::drop);
    return Optional.of(other);
  }

  private String acquiring() {
    return "Acquiring lock '" + request.lockName() + "'";
  }

  private String releasing() {
    return "Releasing lock '" + request.lockName() + "'";
  }
}
