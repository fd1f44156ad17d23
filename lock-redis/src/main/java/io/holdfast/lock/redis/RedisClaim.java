/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.redis.node.NodeClaim;
import io.holdfast.lock.redis.node.RedisNode;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One contender: a claim at the server, and an ear for its messages. */
final class RedisClaim implements LockClaim {

  private static final long NO_BOUND = 0;
  private static final long EXACT_CLOCK = 1;

  final NodeClaim claim;

  private final RedisNode node;
  private final ClaimRequest request;
  private final String key;
  private final Runnable waiter;
  private volatile boolean released;
  private volatile boolean listening;

  RedisClaim(RedisNode node, ClaimRequest request, ClaimSignals signals, NodeClaim claim) {
    this.node = node;
    this.request = request;
    this.claim = claim;
    this.key = node.key(request.lockName());
    this.waiter = signals::wake;
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    if (released) {
      return CompletableFuture.completedFuture(new Attempt.Contended(Optional.empty()));
    }
    return claim.acquire(NO_BOUND, EXACT_CLOCK).thenApply(this::toAttempt);
  }

  private Attempt toAttempt(NodeClaim.Answer answer) {
    if (answer instanceof NodeClaim.Taken taken) {
      stopListening();
      return new Attempt.Granted(taken.number(), request.ttl());
    }
    if (!listening) {
      listening = true;
      node.wakeups().add(key, waiter);
      if (released) {
        stopListening();
      }
    }
    return new Attempt.Contended(((NodeClaim.Refused) answer).askAgainIn());
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    released = true;
    return claim
        .release()
        .whenComplete((freed, failure) -> stopListening())
        .thenApply(freed -> freed ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS);
  }

  private void stopListening() {
    if (listening) {
      listening = false;
      node.wakeups().remove(key, waiter);
    }
  }
}
