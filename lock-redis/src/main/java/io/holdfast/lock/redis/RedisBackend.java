/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.redis.node.NodeClaim;
import io.holdfast.lock.redis.node.Opening;
import io.holdfast.lock.redis.node.RedisConfig;
import io.holdfast.lock.redis.node.RedisNode;
import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.TimeSource;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Locks on one Redis server. A lock is the key {@code <namespace>:<name>}, whose value is the owner
 * id and whose TTL frees it when nobody renews it (the pattern of the Redis documentation,
 * "Distributed Locks with Redis": {@code SET NX PX}, and delete only if the value is ours).
 * Programs in other languages that follow the pattern take part.
 *
 * <p><b>Token.</b> The greater of the last token plus one and the server's clock in microseconds,
 * drawn by the script that takes the lock; one counter for the namespace. It grows through idle
 * time and restarts, and also when the counter is lost, unless the server's clock has gone back by
 * more than the outage.
 *
 * <p><b>What can go wrong.</b> Expiry is decided by the server's wall clock: a step forward frees
 * locks early, while their holders still believe. A replica that is promoted may not have the
 * newest locks. A server that evicts keys may evict locks. In these three cases only the token
 * protects. A server that loses its data, or an administrator who deletes a key, is found out by
 * the next renewal.
 */
final class RedisBackend implements LockBackend {

  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.Fencing.THROUGH_DATA_LOSS,
          Capabilities.Lifetime.TTL,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
          Capabilities.Scope.LEASE);

  private final RedisConfig config;
  private final RedisNode node;
  private final TimeSource time;
  private final Runnable onClose;

  private RedisBackend(RedisConfig config, RedisNode node, TimeSource time, Runnable onClose) {
    this.config = config;
    this.node = node;
    this.time = time;
    this.onClose = onClose;
  }

  /**
   * Connects and checks the server.
   *
   * @param onClose what ends the client's connections
   */
  static RedisBackend open(RedisConfig config, RedisClient client, Runnable onClose) {
    client.setOptions(config.options());
    TimeSource time = TimeSource.host();
    RedisNode node = new RedisNode(config, client, time);
    RedisBackend backend = new RedisBackend(config, node, time, onClose);
    String doing = "Opening Redis at " + node.where();
    try {
      Opening.await(doing, node.start(), config.connectTimeout().multipliedBy(2));
      Opening.await(doing, node.check(), config.commandTimeout().multipliedBy(4));
      return backend;
    } catch (RuntimeException e) {
      backend.close();
      throw e;
    }
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  /** A release may have to wait for an attempt, and each may have to send its script once more. */
  @Override
  public Duration operationTimeout() {
    return config.commandTimeout().multipliedBy(4);
  }

  @Override
  public LockClaim claim(ClaimRequest request, ClaimSignals signals) {
    return new RedisClaim(node, request, signals, node.claim(request, counter()));
  }

  /** The batches fail or succeed as one, which the engine's retry makes good. */
  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest> requests) {
    List<NodeClaim.Prolongation> claims =
        requests.stream()
            .map(one -> new NodeClaim.Prolongation(((RedisClaim) one.claim()).claim, one.ttl()))
            .toList();
    return node.prolong(claims)
        .thenApply(
            owned -> {
              List<RenewalAnswer> answers = new ArrayList<>(owned.size());
              for (int i = 0; i < owned.size(); i++) {
                answers.add(
                    owned.get(i)
                        ? new RenewalAnswer.Extended(requests.get(i).ttl())
                        : new RenewalAnswer.Lost(LossReason.REVOKED));
              }
              return answers;
            });
  }

  @Override
  public void close() {
    node.close();
    try {
      onClose.run();
    } finally {
      time.close();
    }
  }

  /** No namespace has a hash sign, so no lock has this key. */
  private String counter() {
    return config.namespace() + "#token";
  }
}
