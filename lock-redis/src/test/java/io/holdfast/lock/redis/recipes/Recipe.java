/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.recipes;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One connection, shared, with the client library's defaults, as the recipes were used. */
abstract class Recipe implements LockBackend<Recipe.Claim> {

  static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.Fencing.THROUGH_DATA_LOSS,
          Capabilities.Lifetime.TTL,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
          Capabilities.Scope.LEASE,
          Capabilities.Survival.NOTHING,
          Capabilities.Inspection.NONE,
          Capabilities.Retention.CLIENT,
          Capabilities.Sharing.NONE);

  private final RedisClient client;
  private final StatefulRedisConnection<String, String> connection;
  final RedisAsyncCommands<String, String> redis;

  Recipe(String uri) {
    this.client = RedisClient.create(uri);
    this.connection = client.connect();
    this.redis = connection.async();
  }

  /** Whether the lock was taken. */
  abstract CompletionStage<Boolean> acquire(String key, String owner, Duration ttl);

  /** Whether the lock was freed. */
  abstract CompletionStage<Boolean> release(String key, String owner);

  /** Whether the lock was prolonged; two steps, as was usual. */
  CompletionStage<Boolean> renew(String key, String owner, Duration ttl) {
    return redis
        .get(key)
        .thenCompose(
            found ->
                owner.equals(found)
                    ? redis.pexpire(key, ttl)
                    : CompletableFuture.completedFuture(false));
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Duration operationTimeout() {
    return Duration.ofSeconds(5);
  }

  @Override
  public Claim claim(ClaimRequest request, ClaimSignals signals) {
    return new Claim(request);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<Claim>> requests) {
    CompletableFuture<List<RenewalAnswer>> all =
        CompletableFuture.completedFuture(new ArrayList<>());
    for (RenewalRequest<Claim> request : requests) {
      ClaimRequest lock = request.claim().request;
      all =
          all.thenCombine(
              typed(renew("lock:" + lock.lockName(), lock.ownerId(), request.ttl())),
              (answers, ours) -> {
                answers.add(
                    ours
                        ? new RenewalAnswer.Extended(request.ttl())
                        : new RenewalAnswer.Lost(LossReason.REVOKED));
                return answers;
              });
    }
    return all;
  }

  @Override
  public void close() {
    connection.close();
    client.shutdown();
  }

  private static <T> CompletableFuture<T> typed(CompletionStage<T> stage) {
    return stage
        .toCompletableFuture()
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    new LockUnavailableException("The recipe failed", failure)));
  }

  final class Claim implements LockClaim {

    private final ClaimRequest request;
    private final String key;
    private volatile boolean holds;

    Claim(ClaimRequest request) {
      this.request = request;
      this.key = "lock:" + request.lockName();
    }

    @Override
    public CompletionStage<Attempt> attempt() {
      return typed(
          acquire(key, request.ownerId(), request.ttl())
              .thenCompose(
                  taken -> {
                    if (!taken) {
                      return CompletableFuture.completedFuture(
                          new Attempt.Contended(Optional.empty()));
                    }
                    holds = true;
                    return redis
                        .incr("lock#recipe")
                        .<Attempt>thenApply(token -> new Attempt.Granted(token, request.ttl()));
                  }));
    }

    @Override
    public CompletionStage<ReleaseAnswer> release() {
      if (!holds) {
        return CompletableFuture.completedFuture(ReleaseAnswer.NOT_OURS);
      }
      return typed(Recipe.this.release(key, request.ownerId()))
          .thenApply(freed -> freed ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS);
    }
  }
}
