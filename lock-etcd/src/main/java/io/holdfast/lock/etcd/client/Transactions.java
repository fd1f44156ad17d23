/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.client;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Deadline;
import io.holdfast.lock.spi.support.Batcher;
import io.holdfast.lock.spi.support.Failures;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends transactions that come while others are under way as one, in which each keeps its own
 * condition: so many locks are one write of etcd's log. If etcd refuses them as a whole (somebody's
 * lease has ended, say), nothing of it has been carried out, and etcd is asked again for each by
 * itself. A transaction with more operations than etcd is set to allow is sent again in halves, and
 * later ones are no larger.
 *
 * <p>Keys that are made by one transaction have one create revision, which is what contenders queue
 * by. So two that join the same queue never go out as one.
 *
 * <p>Etcd before the versions that look into the parts of a transaction (3.4.23, for one, does not)
 * does not ask whether the user may do what they say. A user with rights to some queues only may
 * there join others in company, and is refused when it leaves by itself; the lease ends that.
 */
public final class Transactions {

  private record Asked(TxnRequest request, Optional<ByteString> joins, Deadline deadline) {}

  /** As many as the engine asks for at once: with their parts, fewer than the 128 of etcd. */
  private static final int MOST_IN_ONE = 64;

  /** Two, so that of two callers none waits for the other. */
  private static final int MOST_UNDER_WAY = 2;

  private final EtcdConnection link;

  /**
   * Those that put and those that delete go out apart: etcd without space refuses the former only;
   * and who joins sees all that left before, at an earlier revision than its own.
   */
  private final Batcher<Asked, TxnResponse> joins =
      new Batcher<>(MOST_IN_ONE, MOST_UNDER_WAY, this::send);

  private final Batcher<Asked, TxnResponse> leaves =
      new Batcher<>(MOST_IN_ONE, MOST_UNDER_WAY, this::send);

  /** How many etcd has not refused yet to carry out as one. */
  private final AtomicInteger most = new AtomicInteger(MOST_IN_ONE);

  public Transactions(EtcdConnection link) {
    this.link = link;
  }

  /** Whether all that the engine asks for at once goes out as one, as far as is known. */
  public boolean goTogether() {
    return most.get() == MOST_IN_ONE;
  }

  /** A transaction that puts a key into a queue. */
  public CompletableFuture<TxnResponse> join(
      ByteString queue, TxnRequest request, Deadline deadline) {
    return joins.ask(new Asked(request, Optional.of(queue), deadline));
  }

  /** A transaction that changes a key which is in a queue already. */
  public CompletableFuture<TxnResponse> change(TxnRequest request, Deadline deadline) {
    return joins.ask(new Asked(request, Optional.empty(), deadline));
  }

  /** A transaction that puts nothing. */
  public CompletableFuture<TxnResponse> leave(TxnRequest request, Deadline deadline) {
    return leaves.ask(new Asked(request, Optional.empty(), deadline));
  }

  private CompletableFuture<List<CompletableFuture<TxnResponse>>> send(List<Asked> gathered) {
    Set<ByteString> queues = new HashSet<>();
    List<Asked> together = new ArrayList<>();
    List<CompletableFuture<TxnResponse>> answers = new ArrayList<>();
    CompletableFuture<List<CompletableFuture<TxnResponse>>> all = new CompletableFuture<>();
    for (Asked asked : gathered) {
      if (asked.joins.isPresent() && !queues.add(asked.joins.get())) {
        answers.add(alone(asked));
      } else {
        int place = together.size();
        together.add(asked);
        answers.add(all.thenCompose(each -> each.get(place)));
      }
    }
    return sendTogether(together)
        .handle(
            (each, failure) -> {
              if (failure == null) {
                all.complete(each);
              } else {
                all.completeExceptionally(failure);
              }
              return answers;
            });
  }

  /** As one, or in as many parts as etcd is known to need. Completes with the first answer. */
  private CompletableFuture<List<CompletableFuture<TxnResponse>>> sendTogether(
      List<Asked> together) {
    if (together.size() == 1) {
      return alone(together.get(0))
          .thenApply(CompletableFuture::completedFuture)
          .thenApply(List::of);
    }
    return together.size() > most.get()
        ? sendHalves(together)
        : asOne(together).exceptionallyCompose(failure -> sendAgain(together, failure));
  }

  /** If etcd has refused it, as nothing has been carried out then. */
  private CompletableFuture<List<CompletableFuture<TxnResponse>>> sendAgain(
      List<Asked> together, Throwable failure) {
    Throwable cause = Failures.cause(failure);
    if (EtcdFailures.isTooLarge(cause)) {
      most.accumulateAndGet(together.size() - together.size() / 2, Math::min);
      return sendHalves(together);
    }
    return EtcdFailures.isRefusal(cause)
        ? CompletableFuture.completedFuture(together.stream().map(this::alone).toList())
        : CompletableFuture.failedFuture(failure);
  }

  /** At the same time, so that none waits for the answer to the other. */
  private CompletableFuture<List<CompletableFuture<TxnResponse>>> sendHalves(List<Asked> together) {
    int half = together.size() / 2;
    List<CompletableFuture<TxnResponse>> answers = new ArrayList<>();
    List<CompletableFuture<?>> halves = new ArrayList<>();
    for (List<Asked> part :
        List.of(together.subList(0, half), together.subList(half, together.size()))) {
      CompletableFuture<List<CompletableFuture<TxnResponse>>> sent = sendTogether(part);
      halves.add(sent);
      for (int i = 0; i < part.size(); i++) {
        int place = i;
        answers.add(sent.thenCompose(each -> each.get(place)));
      }
    }
    return CompletableFuture.anyOf(halves.toArray(CompletableFuture[]::new))
        .handle((first, failure) -> answers);
  }

  private CompletableFuture<TxnResponse> alone(Asked asked) {
    return link.call(KVGrpc.getTxnMethod(), asked.request, asked.deadline);
  }

  /** The parts get the header of the whole, as etcd gives them none. */
  private CompletableFuture<List<CompletableFuture<TxnResponse>>> asOne(List<Asked> together) {
    TxnRequest.Builder whole = TxnRequest.newBuilder();
    together.forEach(
        asked -> whole.addSuccess(RequestOp.newBuilder().setRequestTxn(asked.request)));
    return link.call(KVGrpc.getTxnMethod(), whole.build(), link.deadline())
        .thenApply(
            answer ->
                answer.getResponsesList().stream()
                    .map(
                        part ->
                            part.getResponseTxn().toBuilder().setHeader(answer.getHeader()).build())
                    .map(CompletableFuture::completedFuture)
                    .toList());
  }
}
