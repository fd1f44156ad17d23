/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.etcd.client.Transactions;
import io.holdfast.lock.etcd.queue.LockRequests;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Hangs the key of a claim on another lease: one that lasts longer or shorter, as no lease can be
 * made to, or one of etcd's present term. The key's create revision stays, and so do its place and
 * its token. A move names the modification that it was seen at, so that of two moves one fails.
 */
public final class KeyMove {

  private final Leases leases;
  private final Transactions transactions;
  private final QueuedKey key;
  private final long begun;
  private final Deadline deadline;

  /**
   * Moves one key.
   *
   * @param begun the generation of what moves it
   */
  public KeyMove(
      Leases leases, Transactions transactions, QueuedKey key, long begun, Deadline deadline) {
    this.leases = leases;
    this.transactions = transactions;
    this.key = key;
    this.begun = begun;
    this.deadline = deadline;
  }

  /**
   * To a lease with the full TTL before it, and all that was requested earlier, or to that of a
   * move which was not answered.
   *
   * @return that lease; empty if the key has changed meanwhile, and has to be looked at again
   */
  public CompletableFuture<Optional<ServerLease>> toFresh(QueuedKey.Place from, Duration ttl) {
    Optional<ServerLease> unanswered = key.target();
    return unanswered.isPresent()
        ? send(unanswered.get(), from)
        : fresh(key.needed(ttl)).thenCompose(lease -> to(lease, from, false));
  }

  /** Out of stock if it is for the TTL: any other length may be needed only once. */
  private CompletableFuture<ServerLease> fresh(Duration needed) {
    return needed.equals(key.entry().ttl())
        ? leases.take(needed, deadline)
        : leases.grant(Leases.seconds(needed), deadline);
  }

  /**
   * To a lease that ends in about this time, which nobody keeps alive.
   *
   * @return that lease; empty if the key is not there any more
   */
  public CompletableFuture<Optional<ServerLease>> toEndIn(Duration left) {
    return leases
        .link()
        .call(KVGrpc.getTxnMethod(), LockRequests.read(List.of(key.name())), deadline)
        .thenCompose(
            answer -> {
              Optional<QueuedKey.Place> from = key.found(answer.getResponses(0).getResponseRange());
              return from.isEmpty()
                  ? CompletableFuture.completedFuture(Optional.empty())
                  : leases
                      .grant(Leases.wholeSeconds(left), deadline)
                      .thenCompose(lease -> toEndOn(lease, from.get(), left));
            });
  }

  private CompletableFuture<Optional<ServerLease>> toEndOn(
      ServerLease lease, QueuedKey.Place from, Duration left) {
    return to(lease, from, true)
        .thenCompose(
            moved ->
                moved.equals(Optional.of(lease))
                    ? CompletableFuture.completedFuture(moved)
                    : toEndIn(left));
  }

  /** To a lease that no put has named yet, unless a move to another may still be carried out. */
  private CompletableFuture<Optional<ServerLease>> to(
      ServerLease lease, QueuedKey.Place from, boolean toEnd) {
    Optional<ServerLease> target = key.moving(from, lease, begun, toEnd);
    if (!target.equals(Optional.of(lease))) {
      leases.drop(lease);
    }
    if (target.isPresent()) {
      return send(target.get(), from);
    }
    return key.mayMove(begun)
        ? CompletableFuture.completedFuture(Optional.empty())
        : CompletableFuture.failedFuture(toEnd ? endWasReplaced() : keyHasChanged());
  }

  private CompletableFuture<Optional<ServerLease>> send(ServerLease to, QueuedKey.Place from) {
    return transactions
        .change(LockRequests.move(key.name(), from.modified(), to.id), deadline)
        .whenComplete((answer, failure) -> key.moveAnswered(to, failure))
        .thenApply(answer -> moved(answer, to));
  }

  /** The key has the name of its first lease, so that one is not to be used again. */
  private Optional<ServerLease> moved(TxnResponse answer, ServerLease to) {
    if (!answer.getSucceeded()) {
      return Optional.empty();
    }
    boolean hangsThere = key.moved(to, answer.getHeader().getRevision());
    key.freed().forEach(leases::drop);
    return hangsThere ? Optional.of(to) : Optional.empty();
  }

  private LockUnavailableException keyHasChanged() {
    return new LockUnavailableException(
        "The key of lock '" + key.entry().lockName() + "' has been changed meanwhile");
  }

  /** An answer: what this has sent, the later one sends again, or its own move makes it void. */
  private LockRejectedException endWasReplaced() {
    return new LockRejectedException(
        "Lock '"
            + key.entry().lockName()
            + "' has been released, or told to end at another time, meanwhile");
  }
}
