/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static java.util.Comparator.naturalOrder;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import io.grpc.Status;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdFailures;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.etcd.lease.QueuedKey;
import io.holdfast.lock.etcd.lease.RenewalProof;
import io.holdfast.lock.etcd.lease.ServerLease;
import io.holdfast.lock.etcd.lock.ClaimServices;
import io.holdfast.lock.etcd.lock.EtcdClaim;
import io.holdfast.lock.etcd.queue.LockRequests;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Prolongs what claims hold. Leases are kept alive, and then one transaction reads all keys: it
 * finds those that were deleted, and proves whose word the keep-alives were.
 */
final class EtcdRenewals {

  /** The most operations that etcd allows in one transaction, by its usual settings. */
  private static final int USUAL_MOST = 128;

  /** So that a short pause of this process is no reason to change streams. */
  private static final Duration LEAST_PATIENCE = Duration.ofMillis(100);

  private final ClaimServices etcd;

  /** The most keys that etcd has not refused yet to read in one transaction. */
  private final AtomicInteger most = new AtomicInteger(USUAL_MOST);

  /** Of a client. */
  EtcdRenewals(ClaimServices etcd) {
    this.etcd = etcd;
  }

  /** As {@link io.holdfast.lock.spi.LockBackend#renew} has it. */
  CompletableFuture<List<RenewalAnswer>> renew(List<RenewalRequest<EtcdClaim>> requests) {
    List<Renewal> renewals = requests.stream().map(Renewal::begin).toList();
    long began = etcd.time().nanos();
    Deadline deadline = etcd.connection().deadline();
    Member asked = etcd.connection().member();
    List<CompletableFuture<RenewalAnswer>> answers = new ArrayList<>(requests.size());
    int size = most.get();
    for (int from = 0; from < requests.size(); from += size) {
      int to = Math.min(requests.size(), from + size);
      answers.addAll(renewBatch(renewals.subList(from, to), began, deadline));
    }
    CompletableFuture<Void> all =
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    TimeSource.Timer limit = etcd.time().schedule(patience(requests), () -> turnFrom(asked));
    all.whenComplete((done, failure) -> limit.cancel());
    return all.thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
  }

  private static Duration patience(List<RenewalRequest<EtcdClaim>> requests) {
    Duration shortest =
        requests.stream().map(RenewalRequest::answerTimeout).min(naturalOrder()).get();
    return shortest.compareTo(LEAST_PATIENCE) > 0 ? shortest : LEAST_PATIENCE;
  }

  /** The engine is about to ask again: then another member, or the same by another stream. */
  private void turnFrom(Member silent) {
    etcd.connection().silent(silent);
    etcd.leases().turnFrom(silent);
  }

  /**
   * One renewal, in as many rounds as it takes.
   *
   * @param generation of the key; a release or an earlier end that begins later ends the renewal
   */
  private record Renewal(EtcdClaim claim, Duration ttl, long generation) {

    static Renewal begin(RenewalRequest<EtcdClaim> request) {
      QueuedKey key = request.claim().key();
      key.requested(request.ttl());
      return new Renewal(request.claim(), request.ttl(), key.generation());
    }

    QueuedKey key() {
      return claim.key();
    }

    boolean goesOn() {
      return key().isOf(generation);
    }

    RenewalAnswer unknown(Throwable failure) {
      return new RenewalAnswer.Unknown(EtcdFailures.typed(claim.operation("Renewing"), failure));
    }
  }

  /** The state when the leases were kept alive and the keys were read. */
  private record Round(RenewalProof kept, ResponseHeader proof, long began, Deadline deadline) {}

  private List<CompletableFuture<RenewalAnswer>> renewBatch(
      List<Renewal> batch, long began, Deadline deadline) {
    List<QueuedKey> keys = batch.stream().map(Renewal::key).toList();
    RenewalProof kept =
        etcd.leases()
            .keepAlive(
                batch.stream()
                    .filter(Renewal::goesOn)
                    .map(one -> one.key().lease())
                    .flatMap(Stream::ofNullable)
                    .toList());
    CompletableFuture<List<Found>> proof =
        kept.answered()
            .thenCompose(done -> read(keys.stream().map(QueuedKey::name).toList(), deadline));
    List<CompletableFuture<RenewalAnswer>> answers = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      int index = i;
      Renewal renewal = batch.get(i);
      answers.add(
          proof
              .thenCompose(
                  found ->
                      renewOne(
                          renewal,
                          found.get(index).key(),
                          new Round(kept, found.get(index).header(), began, deadline)))
              .exceptionally(renewal::unknown));
    }
    return answers;
  }

  /** A key, and what came with the transaction that read it. */
  private record Found(RangeResponse key, ResponseHeader header) {}

  /** In one transaction; in several where etcd refuses it for its size. */
  private CompletableFuture<List<Found>> read(List<ByteString> names, Deadline deadline) {
    return etcd.connection()
        .call(KVGrpc.getTxnMethod(), LockRequests.read(names), deadline)
        .thenApply(this::found)
        .exceptionallyCompose(
            failure ->
                names.size() > 1 && EtcdFailures.isTooLarge(Failures.cause(failure))
                    ? readHalves(names, deadline)
                    : CompletableFuture.failedFuture(failure));
  }

  private List<Found> found(TxnResponse answer) {
    etcd.leases().seen(answer.getHeader());
    return answer.getResponsesList().stream()
        .map(one -> new Found(one.getResponseRange(), answer.getHeader()))
        .toList();
  }

  private CompletableFuture<List<Found>> readHalves(List<ByteString> names, Deadline deadline) {
    int half = names.size() / 2;
    most.accumulateAndGet(half, Math::min);
    return read(names.subList(0, half), deadline)
        .thenCombine(
            read(names.subList(half, names.size()), deadline),
            (first, second) -> Stream.concat(first.stream(), second.stream()).toList());
  }

  private CompletableFuture<RenewalAnswer> renewOne(
      Renewal renewal, RangeResponse found, Round round) {
    QueuedKey key = renewal.key();
    Duration ttl = renewal.ttl();
    Optional<QueuedKey.Place> place = key.found(found);
    if (place.isEmpty()) {
      return CompletableFuture.completedFuture(new RenewalAnswer.Lost(LossReason.REVOKED));
    }
    if (!renewal.goesOn()) {
      throw new LockUnavailableException(
          renewal.claim().operation("Renewing") + ": it is being released, or is to end earlier");
    }
    ServerLease lease = place.get().lease();
    boolean isOfThisTerm = lease.term == round.proof.getRaftTerm();
    if (key.target().isPresent()
        || !isOfThisTerm
        || lease.ttl.compareTo(ttl) < 0
        || key.isTooLong(lease, ttl)) {
      return etcd.move(key, renewal.generation, round.deadline)
          .toFresh(place.get(), ttl)
          .thenCompose(
              moved ->
                  moved.isPresent() && lasts(moved.get(), ttl, round)
                      ? CompletableFuture.completedFuture(extended(ttl, moved.get(), round))
                      : again(renewal, round));
    }
    if (!round.kept.has(lease)) {
      return lasts(lease, ttl, round)
          ? CompletableFuture.completedFuture(extended(ttl, lease, round))
          : again(renewal, round);
    }
    return round
        .kept
        .state(lease, round.proof)
        .thenApply(
            now -> {
              if (now != RenewalProof.State.PROVEN) {
                // The key was there after its lease had ended: one of the two answers is old.
                throw Status.UNAVAILABLE
                    .withDescription("a lease was not found where its key was")
                    .asRuntimeException();
              }
              return extended(ttl, lease, round);
            });
  }

  private CompletableFuture<RenewalAnswer> again(Renewal renewal, Round round) {
    return renewBatch(List.of(renewal), round.began, round.deadline).get(0);
  }

  private static boolean lasts(ServerLease lease, Duration ttl, Round round) {
    return lease.leftAt(round.began).compareTo(ttl) >= 0;
  }

  private static RenewalAnswer extended(Duration ttl, ServerLease lease, Round round) {
    return new RenewalAnswer.Extended(Leases.atMost(ttl, lease.leftAt(round.began)));
  }
}
