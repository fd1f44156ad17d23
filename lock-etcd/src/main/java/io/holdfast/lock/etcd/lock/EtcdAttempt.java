/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lock;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.etcd.client.EtcdFailures;
import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.etcd.lease.QueuedKey;
import io.holdfast.lock.etcd.lease.ServerLease;
import io.holdfast.lock.etcd.queue.LockRequests;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One attempt of a claim: it joins the queue, or looks again at who is ahead. If nobody is, the
 * lock is granted, for as long as etcd is known to keep the lease.
 */
final class EtcdAttempt {

  private final ClaimServices etcd;
  private final EtcdClaim claim;
  private final QueuedKey key;
  private final ByteString queue;
  private final Duration ttl;
  private final Deadline deadline;
  private final long began;

  EtcdAttempt(ClaimServices etcd, EtcdClaim claim, Deadline deadline) {
    this.etcd = etcd;
    this.claim = claim;
    this.key = claim.key();
    this.queue = key.queue();
    this.ttl = key.ttl();
    this.deadline = deadline;
    this.began = etcd.time().nanos();
  }

  CompletableFuture<Attempt> run() {
    return key.revision() > 0 ? look() : join();
  }

  private CompletableFuture<Attempt> join() {
    ServerLease known = key.lease();
    return (known != null
            ? CompletableFuture.completedFuture(known)
            : etcd.leases().take(ttl, deadline))
        .thenCompose(
            lease ->
                joinOn(lease)
                    .exceptionallyCompose(
                        failure ->
                            EtcdFailures.isLeaseNotFound(Failures.cause(failure))
                                ? joinOnAnother()
                                : CompletableFuture.failedFuture(failure)));
  }

  /** After a lease that had lain in stock has ended there; the others may have as well. */
  private CompletableFuture<Attempt> joinOnAnother() {
    return etcd.leases().grant(Leases.seconds(ttl), deadline).thenCompose(this::joinOn);
  }

  private CompletableFuture<Attempt> joinOn(ServerLease lease) {
    key.joining(lease);
    return etcd.transactions()
        .join(queue, LockRequests.join(queue, key.name(), key.owner(), lease.id), deadline)
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
    KeyValue there = behindOthers.getResponses(0).getResponseRange().getKvs(0);
    if (!there.getValue().equals(key.owner())) {
      throw new LockRejectedException(
          acquiring() + ": somebody has changed the key '" + there.getKey().toStringUtf8() + "'");
    }
    // A request whose answer was lost has put it.
    key.joined(there.getCreateRevision(), there.getModRevision());
    return look();
  }

  private CompletableFuture<Attempt> look() {
    long revision = key.revision();
    return etcd.connection()
        .call(KVGrpc.getRangeMethod(), LockRequests.look(queue, revision), deadline)
        .thenCompose(
            answer -> {
              boolean there =
                  answer.getKvsCount() > 0 && answer.getKvs(0).getCreateRevision() == revision;
              // A move whose answer was lost may have been carried out.
              key.found(answer);
              return there ? placed(answer, answer.getHeader().getRevision()) : joinAnew();
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

  /** What is seen first is this claim, and then whoever is ahead of it. */
  private CompletableFuture<Attempt> placed(RangeResponse queued, long seenAt) {
    if (queued.getKvsCount() < 2) {
      return granted();
    }
    KeyValue ahead = queued.getKvs(1);
    if (ahead.getLease() == 0) {
      throw new LockRejectedException(
          acquiring()
              + ": there is something other than a lock at the key '"
              + ahead.getKey().toStringUtf8()
              + "'; remove it, or choose another namespace");
    }
    claim.await(ahead.getKey(), seenAt + 1);
    return CompletableFuture.completedFuture(new Attempt.Contended(Optional.empty()));
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
                  case OF_AN_EARLIER_TERM -> etcd.move(key, deadline).toFresh(place, ttl);
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
