/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static java.util.Comparator.naturalOrder;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import io.grpc.Status;
import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.health.HealthCheck;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Locks on etcd. The contenders for a lock are keys under its name, each on a lease of its own, and
 * queue by their create revisions: the first owns the lock, and each of the others watches the one
 * ahead of it. (The recipe of etcd's own {@code concurrency} package; not its Lock service, which
 * may tell a waiter that it owns the lock when its lease has ended.)
 *
 * <p><b>Token.</b> The create revision of the owner's key: a number of the whole cluster that grows
 * with each write, also through restarts. It would take etcd thousands of years to reach
 * 2<sup>53</sup>.
 *
 * <p><b>What can go wrong.</b> A member without a majority refuses all that is asked here, so that
 * its clients' validity runs out by their own clocks. A new leader gives all leases their full time
 * once more, so a dead holder may keep its lock for that much longer. The leader before it may
 * still revoke leases that it knew, so keys move to new ones. Etcd counts its leases in whole
 * seconds, and has a least one of its own (2 s, with its usual settings). A key that an
 * administrator deletes is found out by the next renewal. Who loses etcd's data, or restores old
 * data, has tokens begin anew.
 */
final class EtcdBackend implements LockBackend<EtcdClaim>, HealthCheck {

  /** What etcd allows in one transaction, by its usual settings. */
  private static final int MOST_IN_ONE_TRANSACTION = 128;

  /** So that a short pause of this process is no reason to change streams. */
  private static final Duration LEAST_PATIENCE = Duration.ofMillis(100);

  private final LockKeys keys;
  private final EtcdConnection link;
  private final TimeSource time;
  private final Transactions transactions;
  private final Leases leases;
  private final Watches watches;

  EtcdBackend(LockKeys keys, EtcdConnection link, TimeSource time) {
    this.keys = keys;
    this.link = link;
    this.time = time;
    this.transactions = new Transactions(link);
    this.leases = new Leases(link, keys.base(), time);
    this.watches = new Watches(link, time);
  }

  @Override
  public Capabilities capabilities() {
    return EtcdLockProvider.CAPABILITIES;
  }

  @Override
  public Duration operationTimeout() {
    return link.operationTimeout();
  }

  @Override
  public EtcdClaim claim(ClaimRequest request, ClaimSignals signals) {
    return new EtcdClaim(this, request, signals);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<EtcdClaim>> requests) {
    long began = time.nanos();
    Deadline deadline = link.deadline();
    Member asked = link.member();
    List<CompletableFuture<RenewalAnswer>> answers = new ArrayList<>(requests.size());
    for (int from = 0; from < requests.size(); from += MOST_IN_ONE_TRANSACTION) {
      int to = Math.min(requests.size(), from + MOST_IN_ONE_TRANSACTION);
      answers.addAll(renewBatch(requests.subList(from, to), began, deadline));
    }
    CompletableFuture<Void> all =
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    TimeSource.Timer limit = time.schedule(patience(requests), () -> turnFrom(asked));
    all.whenComplete((done, failure) -> limit.cancel());
    return all.thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
  }

  private static Duration patience(List<RenewalRequest<EtcdClaim>> requests) {
    Duration shortest = requests.stream().map(RenewalRequest::within).min(naturalOrder()).get();
    return shortest.compareTo(LEAST_PATIENCE) > 0 ? shortest : LEAST_PATIENCE;
  }

  /** The engine is about to ask again: then another member, or the same by another stream. */
  private void turnFrom(Member silent) {
    link.silent(silent);
    leases.turnFrom(silent);
  }

  /**
   * Leases are kept alive, and then one transaction reads all keys: it finds those that were
   * deleted, and proves whose word the keep-alives were.
   */
  private List<CompletableFuture<RenewalAnswer>> renewBatch(
      List<RenewalRequest<EtcdClaim>> batch, long began, Deadline deadline) {
    List<ClaimState> holdings = batch.stream().map(one -> one.claim().claimState).toList();
    RenewalProof kept =
        leases.keepAlive(holdings.stream().flatMap(one -> one.counted().stream()).toList());
    CompletableFuture<TxnResponse> proof =
        kept.answered()
            .thenCompose(
                done ->
                    link.call(
                        KVGrpc.getTxnMethod(),
                        LockRequests.read(holdings.stream().map(ClaimState::key).toList()),
                        deadline))
            .thenApply(
                answer -> {
                  leases.seen(answer.getHeader());
                  return answer;
                });
    List<CompletableFuture<RenewalAnswer>> answers = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      int index = i;
      RenewalRequest<EtcdClaim> request = batch.get(i);
      EtcdClaim claim = request.claim();
      answers.add(
          proof
              .thenCompose(
                  answer ->
                      renewOne(
                          request,
                          answer.getResponses(index).getResponseRange(),
                          answer.getHeader(),
                          kept,
                          began,
                          deadline))
              .exceptionally(
                  failure ->
                      new RenewalAnswer.Unknown(
                          EtcdFailures.typed(
                              "Renewing lock '" + claim.request.lockName() + "'", failure))));
    }
    return answers;
  }

  private CompletableFuture<RenewalAnswer> renewOne(
      RenewalRequest<EtcdClaim> request,
      RangeResponse found,
      ResponseHeader proof,
      RenewalProof kept,
      long began,
      Deadline deadline) {
    EtcdClaim claim = request.claim();
    Duration ttl = request.ttl();
    Optional<ClaimState.Place> place = claim.claimState.found(found);
    if (place.isEmpty()) {
      return CompletableFuture.completedFuture(new RenewalAnswer.Lost(LossReason.REVOKED));
    }
    List<ServerLease> counted = claim.claimState.counted();
    boolean isOfThisTerm = counted.stream().allMatch(one -> one.term == proof.getRaftTerm());
    if (!isOfThisTerm || place.get().lease().ttl.compareTo(ttl) < 0) {
      return claim
          .move(place.get(), ttl, deadline)
          .thenCompose(
              moved ->
                  moved.isPresent()
                      ? CompletableFuture.completedFuture(
                          new RenewalAnswer.Extended(Leases.atMost(ttl, moved.get().leftAt(began))))
                      : renewBatch(List.of(request), began, deadline).get(0));
    }
    List<CompletableFuture<Void>> proven =
        counted.stream()
            .filter(kept::has)
            .map(
                one ->
                    kept.state(one, proof)
                        .thenAccept(state -> judge(claim.claimState, place.get(), one, state)))
            .toList();
    return CompletableFuture.allOf(proven.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              Duration left = Leases.atMost(ttl, place.get().lease().leftAt(began));
              for (ServerLease one : claim.claimState.counted()) {
                left = Leases.atMost(left, one.leftAt(began));
              }
              return new RenewalAnswer.Extended(left);
            });
  }

  /** A move that is still without an answer cannot be carried out any more if its lease ended. */
  private static void judge(
      ClaimState claimState, ClaimState.Place place, ServerLease lease, RenewalProof.State state) {
    if (state != RenewalProof.State.ENDED) {
      return;
    }
    if (lease.equals(place.lease())) {
      // The key was there after its lease had ended: one of the two answers is old.
      throw Status.UNAVAILABLE
          .withDescription("a lease was not found where its key was")
          .asRuntimeException();
    }
    claimState.forget(lease);
  }

  @Override
  public CompletionStage<List<ServerReport>> examine(Duration ttl) {
    return new EtcdExamination(link).of(ttl);
  }

  @Override
  public Optional<LockInspection> inspection() {
    return Optional.of(new EtcdInspection(keys, link));
  }

  @Override
  public void close() {
    try {
      leases.close().get(link.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      // What could not be revoked will end by itself.
    }
    watches.close();
    link.close();
    time.close();
  }

  LockKeys keys() {
    return keys;
  }

  EtcdConnection link() {
    return link;
  }

  Transactions transactions() {
    return transactions;
  }

  Leases leases() {
    return leases;
  }

  Watches watches() {
    return watches;
  }

  TimeSource time() {
    return time;
  }
}
