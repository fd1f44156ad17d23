/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.redis.node.NodeRenewals;
import io.holdfast.lock.redis.node.Prolongation;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One renewal of many leases at all nodes. Done when each lease is decided; a node that has lost a
 * lock that a quorum still has is given it again.
 */
final class QuorumRenewal {

  /**
   * The answer of one node.
   *
   * @param owned for each lease whether it holds the lock; failed if there was no answer
   * @param mayEndEarlier for each lease whether it may end the lock earlier all the same
   */
  private record Answer(
      int node, List<CompletableFuture<Boolean>> owned, List<Boolean> mayEndEarlier) {

    @Nullable Throwable failure(int lease) {
      return owned.get(lease).handle((ours, failure) -> failure).join();
    }

    boolean lacks(int lease) {
      return failure(lease) == null && !owned.get(lease).join();
    }
  }

  private final NodeGroup group;
  private final List<RenewalRequest<RedlockClaim>> requests;
  private final List<Tally> tallies = new ArrayList<>();
  private final Map<Integer, RenewalAnswer> answers = new TreeMap<>();
  private final List<List<Integer>> without = new ArrayList<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final CompletableFuture<List<RenewalAnswer>> result = new CompletableFuture<>();

  QuorumRenewal(NodeGroup group, List<RenewalRequest<RedlockClaim>> requests) {
    this.group = group;
    this.requests = requests;
    for (int i = 0; i < requests.size(); i++) {
      tallies.add(new Tally(group.size()));
      without.add(new ArrayList<>());
    }
  }

  CompletableFuture<List<RenewalAnswer>> send() {
    for (int i = 0; i < group.size(); i++) {
      int node = i;
      List<Prolongation> claims =
          requests.stream().map(one -> claims(one).at(node).prolongation(one.ttl())).toList();
      // Before it is sent, as an answer that comes meanwhile proves nothing about the order there.
      List<Boolean> mayEndEarlier =
          requests.stream().map(one -> claims(one).mayEndEarlier(node)).toList();
      new NodeRenewals(group.nodes.get(node))
          .prolong(claims)
          .exceptionally(
              failure ->
                  Collections.nCopies(requests.size(), CompletableFuture.failedFuture(failure)))
          .thenAccept(owned -> answered(new Answer(node, owned, mayEndEarlier)));
    }
    return result;
  }

  private void answered(Answer answer) {
    boolean done;
    List<Runnable> regains = new ArrayList<>();
    lock.lock();
    try {
      boolean before = answers.size() == requests.size();
      for (int i = 0; i < requests.size(); i++) {
        count(i, answer, regains);
      }
      done = !before && answers.size() == requests.size();
    } finally {
      lock.unlock();
    }
    regains.forEach(Runnable::run);
    if (done) {
      result.complete(List.copyOf(answers.values()));
    }
  }

  private void count(int i, Answer answer, List<Runnable> regains) {
    Tally tally = tallies.get(i);
    Tally.Outcome outcome = outcome(i, answer);
    if (answer.lacks(i)) {
      without.get(i).add(answer.node);
    }
    if (outcome == Tally.Outcome.OPEN) {
      return;
    }
    RenewalRequest<RedlockClaim> request = requests.get(i);
    answers.computeIfAbsent(i, first -> answer(outcome, request, tally));
    if (outcome == Tally.Outcome.OURS) {
      for (int lacking : without.get(i)) {
        regains.add(() -> request.claim().regain(lacking));
      }
      without.get(i).clear();
    }
  }

  private Tally.Outcome outcome(int i, Answer answer) {
    Tally tally = tallies.get(i);
    Throwable failure = answer.failure(i);
    if (failure != null) {
      return tally.failed(NodeGroup.typed("Renewing", failure));
    }
    if (answer.lacks(i)) {
      return tally.answered(false);
    }
    if (answer.mayEndEarlier.get(i)) {
      return tally.failed(endsUnknown(answer.node));
    }
    return claims(requests.get(i))
        .ineligibility(answer.node)
        .map(tally::failed)
        .orElseGet(() -> tally.answered(true));
  }

  private LockException endsUnknown(int node) {
    return new LockUnavailableException(
        "Redis at %s does not count: it has not answered when the lock was given an earlier end"
            .formatted(group.nodes.get(node).where()));
  }

  private RenewalAnswer answer(
      Tally.Outcome outcome, RenewalRequest<RedlockClaim> request, Tally tally) {
    if (outcome == Tally.Outcome.OURS) {
      return new RenewalAnswer.Extended(request.ttl());
    }
    if (outcome == Tally.Outcome.NOT_OURS) {
      return new RenewalAnswer.Lost(LossReason.REVOKED);
    }
    LockException cause = group.noQuorum("Renewing", tally.failures());
    return new RenewalAnswer.Unknown(cause);
  }

  private static NodeClaims claims(RenewalRequest<RedlockClaim> request) {
    return request.claim().claims();
  }
}
