/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lock;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.Deadline;
import io.holdfast.lock.etcd.lease.QueuedKey;
import io.holdfast.lock.etcd.lease.ServerLease;
import io.holdfast.lock.etcd.queue.ClaimValue;
import io.holdfast.lock.etcd.queue.LockRequests;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The end of a claim: its key is deleted, or left to a lease that ends by itself. Where a put or a
 * delete was not answered, all leases that it may name are revoked.
 */
final class EtcdRelease {

  private final ClaimServices etcd;
  private final EtcdClaim claim;
  private final QueuedKey key;
  private final long begun;
  private final Deadline deadline;

  EtcdRelease(ClaimServices etcd, EtcdClaim claim, long begun) {
    this.etcd = etcd;
    this.claim = claim;
    this.key = claim.key();
    this.begun = begun;
    this.deadline = etcd.connection().deadline();
  }

  CompletableFuture<ReleaseAnswer> leave() {
    claim.stopWaiting();
    if (claim.ended().isPresent()) {
      return CompletableFuture.completedFuture(claim.ended().get());
    }
    QueuedKey.End end = key.end();
    if (end.uncertain()) {
      return mayBeThere(end).thenCompose(there -> revokeAll(there, end.sentBefore()));
    }
    if (end.place().isEmpty()) {
      key.leases().forEach(etcd.leases()::drop);
      return CompletableFuture.completedFuture(claim.ended(false));
    }
    return etcd.transactions()
        .leave(LockRequests.leave(key.name(), key.revision()), deadline)
        .whenComplete((answer, failure) -> key.leaveAnswered(failure))
        .thenApply(
            answer -> {
              etcd.leases().giveBack(end.place().get().lease());
              key.freed().forEach(etcd.leases()::drop);
              return claim.ended(answer.getSucceeded());
            });
  }

  /**
   * Hangs the key on a lease of that length, which nobody keeps alive, and revokes all others: then
   * nothing can come with them any more.
   */
  CompletableFuture<ReleaseAnswer> leaveFor(Duration keepFor) {
    claim.stopWaiting();
    if (claim.ended().isPresent()) {
      return leave();
    }
    Optional<ServerLease> before = key.last();
    return (before.isPresent()
            ? CompletableFuture.completedFuture(before)
            : etcd.move(key, begun, deadline).toEndIn(keepFor))
        .thenCompose(last -> last.isPresent() ? leaveTo(last.get()) : leave());
  }

  /** The key keeps its place and its lease. An unanswered one is void after any other change. */
  CompletableFuture<ReleaseAnswer> reduceTo(int kept) {
    return look()
        .thenCompose(
            seen ->
                key.found(seen)
                    .map(place -> reduceTo(kept, seen.getKvs(0), place.lease()))
                    .orElseGet(() -> CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS)));
  }

  private CompletableFuture<ReleaseAnswer> reduceTo(int kept, KeyValue seen, ServerLease lease) {
    ClaimValue now = ClaimValue.known(seen);
    if (now.permits() <= kept) {
      return CompletableFuture.completedFuture(ReleaseAnswer.FREED);
    }
    return etcd.transactions()
        .change(LockRequests.change(Map.of(seen, now.reducedTo(kept).value()), List.of()), deadline)
        .thenCompose(
            answer -> {
              if (!answer.getSucceeded()) {
                return reduceTo(kept);
              }
              key.moved(lease, answer.getHeader().getRevision());
              return CompletableFuture.completedFuture(ReleaseAnswer.FREED);
            });
  }

  private CompletableFuture<ReleaseAnswer> leaveTo(ServerLease last) {
    key.leftTo(last);
    return revokeAll(true, true);
  }

  /** An administrator may have taken the key, and left its lease. */
  private CompletableFuture<Boolean> mayBeThere(QueuedKey.End end) {
    if (end.place().isEmpty() || end.sentBefore()) {
      return CompletableFuture.completedFuture(true);
    }
    return look()
        .handle(
            (seen, failure) ->
                failure != null
                    || seen.getKvsList().stream()
                        .anyMatch(one -> one.getCreateRevision() == key.revision()));
  }

  private CompletableFuture<RangeResponse> look() {
    return etcd.connection()
        .call(
            KVGrpc.getRangeMethod(),
            RangeRequest.newBuilder().setKey(key.name()).build(),
            deadline);
  }

  /** Afterwards nothing can come to etcd any more. */
  private CompletableFuture<ReleaseAnswer> revokeAll(boolean there, boolean freedBefore) {
    return etcd.leases()
        .revokeAll(key.leases(), deadline)
        .thenApply(found -> claim.ended((there && found) || freedBefore));
  }
}
