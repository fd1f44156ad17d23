/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.health.HealthCheck;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.redis.node.RedisHealthCheck;
import io.holdfast.lock.redis.topology.RedisServers;
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
import org.jspecify.annotations.Nullable;

/**
 * Locks on a Redis server, or all over a cluster. A lock is the key {@code <namespace>:<name>},
 * whose value is the owner id and whose TTL frees it when nobody renews it (the pattern of the
 * Redis documentation, "Distributed Locks with Redis": {@code SET NX PX}, and delete only if the
 * value is ours). Programs in other languages that follow the pattern take part.
 *
 * <p><b>Token.</b> The greater of the last token plus one and the server's clock in microseconds,
 * drawn by the script that takes the lock; one counter for the namespace, or for each slot of a
 * cluster. It grows through idle time and restarts, and also when the counter is lost, unless the
 * server's clock has gone back by more than the outage.
 *
 * <p><b>What can go wrong.</b> Expiry is decided by the server's wall clock: a step forward frees
 * locks early, while their holders still believe; so does a fail-over to a server whose clock is
 * ahead. A replica that is promoted may not have the newest locks and renewals, unless {@code
 * wait-replicas} had it confirm them; and the primary that it replaces may go on renewing if only
 * its sentinels cannot reach it. A server that evicts keys may evict locks. In these cases only the
 * token protects. A server that loses its data, or an administrator who deletes a key, is found out
 * by the next renewal.
 */
final class RedisBackend implements LockBackend<RedisClaim>, HealthCheck {

  private final OpenServers opened;
  private final RedisServers servers;

  RedisBackend(OpenServers opened) {
    this.opened = opened;
    this.servers = opened.servers;
  }

  /** Whether locks can be kept there. */
  static CompletableFuture<?> trial(OpenServers opened) {
    return opened.servers.tryLocks();
  }

  @Override
  public Capabilities capabilities() {
    return RedisLockProvider.CAPABILITIES;
  }

  /**
   * A release may have to wait for an attempt; each of them for a script that is under way; and
   * each may have to send its script once more.
   */
  @Override
  public Duration operationTimeout() {
    return opened.config.commandTimeout().multipliedBy(6);
  }

  @Override
  public RedisClaim claim(ClaimRequest request, ClaimSignals signals) {
    return new RedisClaim(servers, request, signals);
  }

  @Override
  public Object placeOf(RedisClaim claim) {
    return servers.placeOf(claim.claim);
  }

  @Override
  public boolean decidesTogether() {
    return servers.decidesTogether();
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<RedisClaim>> requests) {
    List<CompletableFuture<Boolean>> owned =
        servers.prolong(
            requests.stream().map(one -> one.claim().claim.prolongation(one.ttl())).toList());
    List<CompletableFuture<RenewalAnswer>> answers = new ArrayList<>(owned.size());
    for (int i = 0; i < owned.size(); i++) {
      Duration ttl = requests.get(i).ttl();
      answers.add(owned.get(i).handle((ours, failure) -> toAnswer(ours, failure, ttl)));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(done -> answers.stream().map(CompletableFuture::join).toList());
  }

  private static RenewalAnswer toAnswer(
      @Nullable Boolean ours, @Nullable Throwable failure, Duration ttl) {
    if (ours == null) {
      return new RenewalAnswer.Unknown(
          failure == null
              ? new LockUnavailableException("A renewal was not answered")
              : RedisFailures.typed("A renewal", failure));
    }
    return ours ? new RenewalAnswer.Extended(ttl) : new RenewalAnswer.Lost(LossReason.REVOKED);
  }

  @Override
  public CompletionStage<List<ServerReport>> examine(Duration ttl) {
    return RedisHealthCheck.of(servers.nodes());
  }

  @Override
  public Optional<LockInspection> inspection() {
    return Optional.of(new RedisInspection(servers));
  }

  @Override
  public void close() {
    opened.close();
  }
}
