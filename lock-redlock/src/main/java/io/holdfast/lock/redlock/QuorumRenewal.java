/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.redis.node.NodeClaim;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One renewal of many leases at all nodes. Done when each lease is decided; a node that has lost a
 * lock that a quorum still has is given it again.
 */
final class QuorumRenewal {

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
      List<NodeClaim.Prolongation> claims =
          requests.stream()
              .map(one -> new NodeClaim.Prolongation(one.claim().at(node), one.ttl()))
              .toList();
      group
          .nodes
          .get(node)
          .prolong(claims)
          .whenComplete((owned, failure) -> answered(node, owned, failure));
    }
    return result;
  }

  private void answered(int node, @Nullable List<Boolean> owned, @Nullable Throwable failure) {
    boolean done;
    List<Runnable> regains = new ArrayList<>();
    lock.lock();
    try {
      boolean before = answers.size() == requests.size();
      for (int i = 0; i < requests.size(); i++) {
        count(i, node, owned, failure, regains);
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

  private void count(
      int i,
      int node,
      @Nullable List<Boolean> owned,
      @Nullable Throwable failure,
      List<Runnable> regains) {
    Tally tally = tallies.get(i);
    Tally.Outcome outcome = outcome(i, node, owned, failure);
    if (owned != null && !owned.get(i)) {
      without.get(i).add(node);
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

  private Tally.Outcome outcome(
      int i, int node, @Nullable List<Boolean> owned, @Nullable Throwable failure) {
    Tally tally = tallies.get(i);
    if (owned == null) {
      return tally.failed(NodeGroup.typed("Renewing", failure));
    }
    Optional<LockException> notCounted =
        owned.get(i) ? requests.get(i).claim().notCounted(node) : Optional.empty();
    return notCounted.isPresent() ? tally.failed(notCounted.get()) : tally.answered(owned.get(i));
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
}
