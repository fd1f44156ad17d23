/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.redis.node.ClaimAnswer;
import io.holdfast.lock.redis.node.NodeClaim;
import io.holdfast.lock.redis.node.TokenCounter;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** The state of one contender at each node, and whether that counts. For any number of threads. */
final class NodeClaims {

  private final NodeGroup group;
  private final List<NodeClaim> claims;

  /** The nodes that may have given the lock to this claim before they were eligible. */
  private final Set<Integer> votedBeforeEligible = ConcurrentHashMap.newKeySet();

  /** For each node, how many earlier ends it was told and has not answered. */
  private final AtomicIntegerArray unansweredEnds;

  NodeClaims(NodeGroup group, ClaimRequest request, TokenCounter counter) {
    this.group = group;
    this.claims = group.nodes.stream().map(node -> node.claim(request, counter)).toList();
    this.unansweredEnds = new AtomicIntegerArray(claims.size());
  }

  NodeClaim at(int node) {
    return claims.get(node);
  }

  /** Marked before it is asked, as the answer may get lost. */
  CompletableFuture<ClaimAnswer> acquire(int node, long atLeast) {
    votedBeforeEligible.add(node);
    return claims
        .get(node)
        .acquire(atLeast, false)
        .thenApply(
            answer -> {
              if (answer instanceof ClaimAnswer.Taken) {
                granted(node);
              }
              return answer;
            });
  }

  private void granted(int node) {
    if (group.ineligibility(node).isEmpty()) {
      votedBeforeEligible.remove(node);
    } else {
      votedBeforeEligible.add(node);
    }
  }

  CompletableFuture<Boolean> expireIn(int node, Duration left) {
    CompletableFuture<Boolean> answer;
    unansweredEnds.incrementAndGet(node);
    try {
      answer = claims.get(node).expireIn(left);
    } catch (LockUnavailableException neverSent) {
      unansweredEnds.decrementAndGet(node);
      return CompletableFuture.failedFuture(neverSent);
    }
    return answer.whenComplete(
        (ours, failure) -> {
          // A refusal is an answer.
          if (failure == null || Failures.cause(failure) instanceof LockRejectedException) {
            unansweredEnds.decrementAndGet(node);
          }
        });
  }

  /**
   * Whether a node may end the lock earlier than a renewal that is sent now: it has not answered
   * when it was told an earlier end, so that request may arrive later.
   */
  boolean mayEndEarlier(int node) {
    return unansweredEnds.get(node) > 0;
  }

  /**
   * Why a node that has the lock for this claim does not count for its renewal: it was given the
   * lock since it was started, and may have forgotten whose it was before. One that has kept the
   * lock through its restart counts.
   */
  Optional<LockException> ineligibility(int node) {
    return votedBeforeEligible.contains(node) ? group.ineligibility(node) : group.duplicate(node);
  }
}
