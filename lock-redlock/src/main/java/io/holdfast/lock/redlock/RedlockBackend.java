/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.health.HealthCheck;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.redis.client.AsyncRedisClient;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.redis.node.RedisNode;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Locks by a quorum of N independent Redis servers, the algorithm called Redlock. Each node holds a
 * key with the owner id and a TTL, as {@code lock-redis} has it; a lock is held by whoever has it
 * at N/2+1 nodes. All nodes are asked at once, and what the quorum says counts; nobody waits for
 * the others. Validity begins before the first question, and the engine subtracts the drift.
 *
 * <p><b>Token.</b> Each node keeps a number that only grows; the token is one that is greater than
 * those that any quorum has stored, and that a quorum has stored before the lock is granted ({@link
 * Ballot}, and {@code docs/adr/0007-redlock-with-fencing-tokens.md} for the argument).
 *
 * <p><b>What can go wrong.</b> A minority of nodes may fail, hang, lag or lose its data, and
 * neither waiters nor holders notice; a node that has lost a lock is given it again by the holder's
 * next renewal. Without a quorum nothing is granted or prolonged, and holders lose when their
 * validity ends. A node that has been started lately may have forgotten locks, so it does not count
 * before {@code restart-delay} has passed, neither for a grant nor, unless it has kept the lock,
 * for a renewal. A step of the wall clocks of a quorum frees locks early; and a node that forgets a
 * held lock without a restart (an administrator deletes it, or the node evicts it) gives it away,
 * which matters when the holder had a bare quorum. Then only the token protects: the later grant
 * has the greater one, unless both were told within the time of an answer (decision 25).
 */
final class RedlockBackend implements LockBackend<RedlockClaim>, HealthCheck {

  private final NodeGroup group;
  private final PendingCleanup pendingCleanup;
  private final RedisClient client;

  private RedlockBackend(NodeGroup group, RedisClient client) {
    this.group = group;
    this.client = client;
    this.pendingCleanup = new PendingCleanup(group.time);
  }

  static RedlockBackend open(List<RedisConfig> configs, Optional<Duration> restartDelay) {
    RedisConfig common = configs.get(0);
    RedisClient client = AsyncRedisClient.create();
    client.setOptions(common.options());
    TimeSource time = TimeSource.host();
    List<RedisNode> nodes =
        configs.stream().map(config -> new RedisNode(config, client, time)).toList();
    NodeGroup group =
        new NodeGroup(nodes, time, common.commandTimeout(), common.namespace(), restartDelay);
    RedlockBackend backend = new RedlockBackend(group, client);
    try {
      new RedlockOpening(group, common.connectTimeout()).run();
      return backend;
    } catch (RuntimeException e) {
      backend.close();
      throw e;
    }
  }

  @Override
  public Capabilities capabilities() {
    return RedlockLockProvider.CAPABILITIES;
  }

  /**
   * Rounds of asking for one time-out at most, and two more requests that may be sent twice, and
   * have to wait for one that is under way.
   */
  @Override
  public Duration operationTimeout() {
    return group.commandTimeout.multipliedBy(8);
  }

  @Override
  public RedlockClaim claim(ClaimRequest request, ClaimSignals signals) {
    return new RedlockClaim(group, request, signals, pendingCleanup);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<RedlockClaim>> requests) {
    try {
      requests.forEach(request -> group.checkTtl(request.ttl()));
    } catch (LockException e) {
      return CompletableFuture.completedFuture(
          Collections.nCopies(requests.size(), new RenewalAnswer.Unknown(e)));
    }
    return new QuorumRenewal(group, requests).send();
  }

  @Override
  public CompletionStage<List<ServerReport>> examine(Duration ttl) {
    return RedlockHealthCheck.of(group, ttl);
  }

  @Override
  public Optional<LockInspection> inspection() {
    return Optional.of(new RedlockInspection(group, pendingCleanup));
  }

  @Override
  public void close() {
    pendingCleanup.close(group.commandTimeout.multipliedBy(2));
    group.nodes.forEach(RedisNode::close);
    try {
      OpeningSteps.shutDown(client);
    } finally {
      group.time.close();
    }
  }
}
