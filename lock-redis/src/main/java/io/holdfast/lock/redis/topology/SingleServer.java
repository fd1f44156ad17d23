/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.redis.node.LockKeys;
import io.holdfast.lock.redis.node.NodeClaim;
import io.holdfast.lock.redis.node.NodeInspection;
import io.holdfast.lock.redis.node.NodeRenewals;
import io.holdfast.lock.redis.node.Prolongation;
import io.holdfast.lock.redis.node.RedisNode;
import io.holdfast.lock.redis.node.ReleaseNotifications;
import io.holdfast.lock.redis.node.Script;
import io.holdfast.lock.redis.node.TokenCounter;
import io.holdfast.lock.spi.ClaimRequest;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** One server, which may be another one after a fail-over. */
public final class SingleServer implements RedisServers {

  private final RedisNode node;
  private final int replicas;
  private final TokenCounter counter;
  private final String waitingPrefix;
  private final NodeInspection inspection;

  /**
   * Connects to nothing yet.
   *
   * @param config where and how
   * @param client closed by the caller, after this
   * @param time closed by the caller, after this
   */
  public SingleServer(RedisConfig config, RedisClient client, TimeSource time) {
    this.node = new RedisNode(config, client, time);
    this.replicas = config.replicas();
    this.inspection = new NodeInspection(node);
    // No namespace has a hash sign, so no lock has these keys.
    this.counter = TokenCounter.exact(config.namespace() + "#token");
    this.waitingPrefix = config.namespace() + "#waiting:";
  }

  @Override
  public void open(String operation, Duration limit) {
    OpeningSteps.await(operation, node.start(), limit);
    OpeningSteps.await(operation, node.inspect("standalone"), limit);
  }

  @Override
  public CompletableFuture<Void> tryLocks() {
    return node.tryLocks();
  }

  @Override
  public <T> CompletableFuture<T> call(
      String operation, Script script, String key, String... args) {
    return node.write(operation, script, new String[] {key}, args);
  }

  @Override
  public NodeClaim claim(ClaimRequest request) {
    String key = key(request.lockName());
    return node.claim(request, new LockKeys(key, counter, waitingPrefix, 0));
  }

  @Override
  public List<CompletableFuture<Boolean>> prolong(List<Prolongation> claims) {
    return NodeRenewals.apart(claims, new NodeRenewals(node)::prolongEverywhere);
  }

  @Override
  public Object placeOf(NodeClaim claim) {
    return node;
  }

  @Override
  public boolean decidesTogether() {
    return replicas == 0;
  }

  @Override
  public ReleaseNotifications wakeups(NodeClaim claim) {
    return node.wakeups();
  }

  @Override
  public String key(String lockName) {
    return node.key(lockName);
  }

  @Override
  public Set<RedisNode> nodes() {
    return Set.of(node);
  }

  @Override
  public <T> CompletableFuture<T> ask(
      String lockName, Function<NodeInspection, CompletableFuture<T>> question) {
    return question.apply(inspection);
  }

  @Override
  public CompletableFuture<Set<String>> names() {
    return inspection.names();
  }

  @Override
  public void close() {
    node.close();
  }
}
