/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lock;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Share;
import io.holdfast.lock.etcd.client.EtcdFailures;
import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.etcd.lease.QueuedKey;
import io.holdfast.lock.etcd.lease.ServerLease;
import io.holdfast.lock.etcd.queue.ClaimValue;
import io.holdfast.lock.etcd.queue.FreedPermits;
import io.holdfast.lock.etcd.queue.LockKeys;
import io.holdfast.lock.etcd.queue.LockRequests;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One attempt of a claim: it joins the queue, or looks again at who is ahead. If nobody is, the
 * lock is granted, for as long as etcd is known to keep the lease.
 *
 * <p>A claim that does not wait joins only if it is granted what it asks for, as far as the
 * transaction can tell, or leaves the queue before it answers: until its release arrived, others
 * would be refused what is free.
 */
final class EtcdAttempt {

  private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

  private final ClaimServices etcd;
  private final EtcdClaim claim;
  private final QueuedKey key;
  private final ByteString queue;
  private final Share share;
  private final Duration ttl;
  private final Deadline deadline;
  private final long began;
  private final long generation;

  EtcdAttempt(ClaimServices etcd, EtcdClaim claim, Deadline deadline) {
    this.etcd = etcd;
    this.claim = claim;
    this.key = claim.key();
    this.queue = key.entry().queue();
    this.share = key.entry().share();
    this.ttl = key.entry().ttl();
    this.deadline = deadline;
    this.began = etcd.time().nanos();
    this.generation = key.generation();
    key.requested(ttl);
  }

  CompletableFuture<Attempt> run() {
    return key.revision() > 0 ? look() : join();
  }

  private CompletableFuture<Attempt> join() {
    ServerLease known = key.lease();
    return (known != null
            ? joinOn(known)
            : etcd.leases().take(ttl, deadline).thenCompose(this::joinOnNew))
        .exceptionallyCompose(
            failure ->
                hasNotJoined(failure) ? joinOnAnother() : CompletableFuture.failedFuture(failure));
  }

  /** The lease of a move may have ended as well; then the key is in the queue already. */
  private boolean hasNotJoined(Throwable failure) {
    return key.revision() == 0 && EtcdFailures.isLeaseNotFound(Failures.cause(failure));
  }

  /** After a lease that had lain in stock has ended there; the others may have as well. */
  private CompletableFuture<Attempt> joinOnAnother() {
    return etcd.leases().grant(Leases.seconds(ttl), deadline).thenCompose(this::joinOnNew);
  }

  /** No put has named this lease yet, so a claim that is being released by now gives it back. */
  private CompletableFuture<Attempt> joinOnNew(ServerLease lease) {
    if (key.isLeaving()) {
      etcd.leases().giveBack(lease);
      return CompletableFuture.completedFuture(CONTENDED);
    }
    return joinOn(lease);
  }

  private CompletableFuture<Attempt> joinOn(ServerLease lease) {
    key.joining(lease);
    ByteString value = key.entry().value().value();
    return etcd.transactions()
        .join(
            queue,
            LockRequests.join(queue, key.name(), value, share, key.entry().waits(), lease.id),
            deadline)
        .whenComplete((answer, failure) -> key.joinAnswered(failure))
        .thenCompose(this::joined);
  }

  private CompletableFuture<Attempt> joined(TxnResponse answer) {
    long revision = answer.getHeader().getRevision();
    if (answer.getSucceeded()) {
      key.joined(revision, revision);
      return granted();
    }
    TxnResponse behindOthers = answer.getResponses(0).getResponseTxn();
    if (behindOthers.getSucceeded()) {
      key.joined(revision, revision);
      return placed(behindOthers.getResponses(1).getResponseRange(), revision);
    }
    RangeResponse there = behindOthers.getResponses(0).getResponseRange();
    if (there.getKvsCount() == 0) {
      return notJoined(behindOthers.getResponses(1).getResponseRange().getKvs(0));
    }
    KeyValue ours = there.getKvs(0);
    if (!ClaimValue.known(ours).ownerId().equals(key.entry().value().ownerId())) {
      throw new LockRejectedException(
          acquiring() + ": somebody has changed the key '" + ours.getKey().toStringUtf8() + "'");
    }
    // A request whose answer was lost has put it.
    key.joined(ours.getCreateRevision(), ours.getModRevision());
    return look();
  }

  private CompletableFuture<Attempt> notJoined(KeyValue first) {
    boolean isContender =
        first.getLease() != 0
            && ClaimValue.of(first).filter(it -> it.capacity() == share.capacity()).isPresent();
    if (key.entry().waits() || !isContender) {
      throw clash(first);
    }
    return CompletableFuture.completedFuture(withdrawn());
  }

  private CompletableFuture<Attempt> look() {
    long revision = key.revision();
    return etcd.connection()
        .call(
            KVGrpc.getTxnMethod(), LockRequests.look(queue, key.name(), share, revision), deadline)
        .thenCompose(
            answer -> {
              RangeResponse own = answer.getResponses(0).getResponseRange();
              boolean there =
                  own.getKvsCount() > 0 && own.getKvs(0).getCreateRevision() == revision;
              if (!there) {
                return joinAnew();
              }
              // A move whose answer was lost may have been carried out.
              key.found(own);
              if (ClaimValue.known(own.getKvs(0)).capacity() != share.capacity()) {
                throw clash(own.getKvs(0));
              }
              return placed(
                  answer.getResponses(1).getResponseRange(), answer.getHeader().getRevision());
            });
  }

  private CompletableFuture<Attempt> joinAnew() {
    claim.placeLost();
    return etcd.leases()
        .revokeAll(key.placeLost(), deadline)
        .thenCompose(
            done -> {
              key.placeCleared();
              return join();
            });
  }

  /** Granted, if it fits into the capacity together with all that are ahead. */
  private CompletableFuture<Attempt> placed(RangeResponse queued, long seenAt) {
    long revision = key.revision();
    List<KeyValue> ahead =
        queued.getKvsList().stream().filter(kv -> kv.getCreateRevision() < revision).toList();
    ahead.stream()
        .filter(kv -> kv.getLease() == 0)
        .findFirst()
        .ifPresent(
            foreign -> {
              throw foreign(foreign);
            });
    if (!mustWait(ahead, revision, seenAt + 1)) {
      return granted();
    }
    return key.entry().waits() ? CompletableFuture.completedFuture(CONTENDED) : withdraw();
  }

  private CompletableFuture<Attempt> withdraw() {
    return etcd.transactions()
        .leave(LockRequests.leave(key.name(), key.revision()), deadline)
        .whenComplete((answer, failure) -> key.leaveAnswered(failure))
        .thenApply(answer -> withdrawn());
  }

  private Attempt withdrawn() {
    key.withdrawn().ifPresent(etcd.leases()::giveBack);
    return CONTENDED;
  }

  /**
   * Decides whether to wait, and for which key: a lock and a writer for the one ahead, a reader for
   * the writer ahead.
   */
  private boolean mustWait(List<KeyValue> ahead, long revision, long from) {
    if (share.isWhole()) {
      ahead.stream().findFirst().ifPresent(next -> claim.await(next.getKey(), from));
      return !ahead.isEmpty();
    }
    if (share.mode() == Share.Mode.READ) {
      Optional<KeyValue> writer =
          ahead.stream().filter(kv -> ClaimValue.known(kv).permits() > 1).findFirst();
      writer.ifPresent(
          kv -> claim.await(kv.getKey(), ByteString.EMPTY, new FreedPermits(revision, 1), from));
      return writer.isPresent();
    }
    long missing =
        ahead.stream().mapToLong(kv -> ClaimValue.known(kv).permits()).sum()
            + share.permits()
            - share.capacity();
    if (missing > 0) {
      claim.await(queue, LockKeys.endOf(queue), new FreedPermits(revision, missing), from);
    }
    return missing > 0;
  }

  private LockRejectedException clash(KeyValue other) {
    Optional<ClaimValue> known = ClaimValue.of(other);
    return other.getLease() == 0 || known.isEmpty() || known.get().capacity() == share.capacity()
        ? foreign(other)
        : new LockCapacityException(
            key.entry().lockName(), share.capacity(), known.get().capacity());
  }

  private LockRejectedException foreign(KeyValue other) {
    return ClaimValue.foreign(acquiring(), other);
  }

  /** A waiter's lease is kept alive without proof, or may be of an earlier term. */
  private CompletableFuture<Attempt> granted() {
    claim.stopWaiting();
    QueuedKey.Place place = key.place().orElseThrow(this::leaseHasEnded);
    ServerLease lease = place.lease();
    if (lease.leftAt(began).compareTo(ttl) >= 0) {
      return CompletableFuture.completedFuture(grantedOn(lease));
    }
    return etcd.leases()
        .prolong(lease, deadline)
        .thenCompose(
            found ->
                switch (found) {
                  case PROVEN -> CompletableFuture.completedFuture(Optional.of(lease));
                  case OF_AN_EARLIER_TERM ->
                      etcd.move(key, generation, deadline).toFresh(place, ttl);
                  case ENDED -> CompletableFuture.completedFuture(Optional.<ServerLease>empty());
                })
        .thenApply(on -> grantedOn(on.orElseThrow(this::leaseHasEnded)));
  }

  private Attempt grantedOn(ServerLease lease) {
    return claim.granted(Leases.atMost(ttl, lease.leftAt(began)));
  }

  private LockUnavailableException leaseHasEnded() {
    return new LockUnavailableException(acquiring() + ": its lease has ended at etcd");
  }

  private String acquiring() {
    return claim.operation("Acquiring");
  }
}
