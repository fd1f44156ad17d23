/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.redis.node.ClaimAnswer;
import io.holdfast.lock.redis.node.NodeClaim;
import io.holdfast.lock.redis.node.ReleaseNotifications;
import io.holdfast.lock.redis.topology.RedisServers;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One contender: a claim at the server, and what it hears of releases. */
final class RedisClaim implements LockClaim {

  private static final long NO_BOUND = 0;

  /** As a capacity. */
  private static final int SOMETHING_ELSE = 0;

  private static final ClaimAnswer.Refused AT_ONCE =
      new ClaimAnswer.Refused("", Optional.of(Duration.ofMillis(1)));

  final NodeClaim claim;

  private final RedisServers servers;
  private final ClaimRequest request;
  private final ClaimSignals signals;
  private volatile boolean released;
  private volatile @Nullable ReleaseNotifications notifications;

  RedisClaim(RedisServers servers, ClaimRequest request, ClaimSignals signals) {
    this.servers = servers;
    this.request = request;
    this.claim = servers.claim(request);
    this.signals = signals;
  }

  @Override
  public CompletionStage<Attempt> attempt() {
    if (released) {
      return CompletableFuture.completedFuture(new Attempt.Contended(Optional.empty()));
    }
    if (notifications == null) {
      ReleaseNotifications wakeups = servers.wakeups(claim);
      if (wakeups.join(claim.key(), request.ownerId(), signals)) {
        listensTo(wakeups);
      }
    }
    return claim
        .acquire(NO_BOUND, notifications != null && request.waits())
        .thenApply(this::toAttempt)
        .exceptionallyCompose(this::orOtherCapacity);
  }

  /** A name that is shared is not a string, which a lock is. */
  private CompletableFuture<Attempt> orOtherCapacity(Throwable failure) {
    CompletableFuture<Attempt> failed = CompletableFuture.failedFuture(failure);
    return request.share().capacity() == 1 && RedisFailures.isWrongType(failure)
        ? servers
            .ask(request.lockName(), node -> node.capacity(request.lockName()))
            .exceptionallyCompose(RedisClaim::orSomethingElse)
            .thenCompose(
                inUse -> {
                  if (inUse.isEmpty()) {
                    // It was over, so the next attempt finds what a lock finds.
                    return CompletableFuture.completedFuture(toAttempt(AT_ONCE));
                  }
                  return inUse.getAsInt() == SOMETHING_ELSE
                      ? failed
                      : CompletableFuture.failedFuture(otherCapacity(inUse.getAsInt()));
                })
        : failed;
  }

  /** If that is refused as well, the first refusal stands. Silence says nothing about the key. */
  private static CompletableFuture<OptionalInt> orSomethingElse(Throwable failure) {
    return Failures.cause(failure) instanceof LockRejectedException
        ? CompletableFuture.completedFuture(OptionalInt.of(SOMETHING_ELSE))
        : CompletableFuture.failedFuture(failure);
  }

  private LockCapacityException otherCapacity(int inUse) {
    return new LockCapacityException(request.lockName(), request.share().capacity(), inUse);
  }

  private Attempt toAttempt(ClaimAnswer answer) {
    if (answer instanceof ClaimAnswer.Taken taken) {
      stopListening();
      return new Attempt.Granted(taken.number(), request.ttl());
    }
    if (answer instanceof ClaimAnswer.OtherCapacity other) {
      stopListening();
      throw otherCapacity(other.inUse());
    }
    ReleaseNotifications wakeups = servers.wakeups(claim);
    if (!wakeups.equals(notifications)) {
      // The first refusal, or the first by the server that took over; the other may be gone.
      stopListening();
      wakeups.add(claim.key(), request.ownerId(), signals);
      listensTo(wakeups);
    }
    return new Attempt.Contended(((ClaimAnswer.Refused) answer).askAgainIn());
  }

  private void listensTo(ReleaseNotifications wakeups) {
    notifications = wakeups;
    if (released) {
      stopListening();
    }
  }

  @Override
  public CompletionStage<ReleaseAnswer> release() {
    return end(NodeClaim::release);
  }

  @Override
  public CompletionStage<ReleaseAnswer> release(Duration keepFor) {
    return end(held -> held.release(keepFor));
  }

  private CompletableFuture<ReleaseAnswer> end(
      Function<NodeClaim, CompletableFuture<Boolean>> way) {
    released = true;
    return way.apply(claim)
        .whenComplete((freed, failure) -> stopListening())
        .thenApply(this::released);
  }

  private ReleaseAnswer released(boolean freed) {
    if (claim.isOthersTurn()) {
      signals.othersFirst();
    }
    return freed ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS;
  }

  @Override
  public CompletionStage<RenewalAnswer> expireIn(Duration left) {
    return claim
        .expireIn(left)
        .thenApply(
            ours ->
                ours
                    ? new RenewalAnswer.Extended(left)
                    : new RenewalAnswer.Lost(LossReason.REVOKED));
  }

  @Override
  public CompletionStage<ReleaseAnswer> reduceTo(int kept) {
    return claim
        .reduceTo(kept)
        .thenApply(owned -> owned ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS);
  }

  private void stopListening() {
    ReleaseNotifications wakeups = notifications;
    if (wakeups != null) {
      notifications = null;
      wakeups.remove(claim.key(), request.ownerId());
    }
  }
}
