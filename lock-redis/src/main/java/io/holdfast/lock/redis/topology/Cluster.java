/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.redis.node.LockKeys;
import io.holdfast.lock.redis.node.NodeClaim;
import io.holdfast.lock.redis.node.NodeInspection;
import io.holdfast.lock.redis.node.NodeRenewals;
import io.holdfast.lock.redis.node.Prolongation;
import io.holdfast.lock.redis.node.RedisNode;
import io.holdfast.lock.redis.node.ReleaseNotifications;
import io.holdfast.lock.redis.node.Route;
import io.holdfast.lock.redis.node.Script;
import io.holdfast.lock.redis.node.TokenCounter;
import io.holdfast.lock.spi.ClaimRequest;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.slots.ClusterSlotRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Redis Cluster: each lock is at the server that has the slot of its key, and so is the counter
 * of its tokens, one for each slot. Connections are made to each server as to a single one; when a
 * request finds that its key has moved or its server is gone, the map of the slots is asked for
 * again, and the request is sent once more if its key is elsewhere now.
 */
public final class Cluster implements RedisServers {

  private final RedisConfig config;
  private final TimeSource time;
  private final ClusterNodes nodes;
  private final SlotTags tags = new SlotTags();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile Map<Integer, RedisNode> slots = Map.of();
  private @Nullable CompletableFuture<Void> looking;

  /**
   * Connects to nothing yet.
   *
   * @param seeds some servers of the cluster
   * @param client closed by the caller, after this
   * @param time closed by the caller, after this
   */
  public Cluster(List<RedisConfig> seeds, RedisClient client, TimeSource time) {
    this.config = seeds.get(0);
    this.time = time;
    this.nodes = new ClusterNodes(seeds, client, time);
  }

  @Override
  public void open(String operation, Duration limit) {
    OpeningSteps.await(
        operation, anyOf(nodes.all().stream().map(RedisNode::start).toList()), limit);
    OpeningSteps.await(operation, look(), limit);
    if (slots.size() < SlotHash.SLOT_COUNT) {
      throw new LockUnavailableException(
          operation
              + " failed: %d of its slots have no server"
                  .formatted(SlotHash.SLOT_COUNT - slots.size()));
    }
    List<CompletableFuture<Void>> starts =
        slots.values().stream().distinct().map(RedisNode::start).toList();
    OpeningSteps.await(
        operation, CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new)), limit);
    OpeningSteps.await(operation, owner(key("")).inspect("cluster"), limit);
  }

  /** Asks about a key, so only its owner can answer. */
  @Override
  public CompletableFuture<Void> tryLocks() {
    return owner(key("")).tryLocks();
  }

  @Override
  public <T> CompletableFuture<T> call(
      String operation, Script script, String key, String... args) {
    return new KeyRoute(key).send(node -> node.write(operation, script, new String[] {key}, args));
  }

  /** Done when the first is; fails when all have. */
  private static CompletableFuture<Void> anyOf(List<CompletableFuture<Void>> starts) {
    CompletableFuture<Void> first = new CompletableFuture<>();
    starts.forEach(start -> start.thenRun(() -> first.complete(null)));
    CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new))
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                first.completeExceptionally(failure);
              }
            });
    return first;
  }

  @Override
  public NodeClaim claim(ClaimRequest request) {
    String key = key(request.lockName());
    int slot = SlotTags.slotOf(key);
    // No namespace has a hash sign, so no lock has these keys.
    String tag = "{" + tags.of(slot) + "}";
    TokenCounter counter = TokenCounter.exact(config.namespace() + "#token:" + tag);
    String waitingPrefix = config.namespace() + "#waiting:" + tag + ":";
    LockKeys keys = new LockKeys(key, counter, waitingPrefix, slot);
    return new NodeClaim(new KeyRoute(key), time, request, keys);
  }

  @Override
  public List<CompletableFuture<Boolean>> prolong(List<Prolongation> claims) {
    Map<Integer, List<Integer>> bySlot = new TreeMap<>();
    for (int i = 0; i < claims.size(); i++) {
      int slot = SlotTags.slotOf(claims.get(i).claim().key());
      bySlot.computeIfAbsent(slot, any -> new ArrayList<>()).add(i);
    }
    Map<Integer, CompletableFuture<Boolean>> answers = new TreeMap<>();
    for (List<Integer> indices : bySlot.values()) {
      List<Prolongation> together = indices.stream().map(claims::get).toList();
      KeyRoute route = new KeyRoute(together.get(0).claim().key());
      List<CompletableFuture<Boolean>> owned =
          NodeRenewals.apart(
              together, some -> route.send(node -> new NodeRenewals(node).prolongEverywhere(some)));
      for (int place = 0; place < indices.size(); place++) {
        answers.put(indices.get(place), owned.get(place));
      }
    }
    return List.copyOf(answers.values());
  }

  @Override
  public Object placeOf(NodeClaim claim) {
    return owner(claim.key());
  }

  @Override
  public boolean decidesTogether() {
    return false;
  }

  /** Messages go to all servers of a cluster, so any of them will do; the owner is there anyway. */
  @Override
  public ReleaseNotifications wakeups(NodeClaim claim) {
    return owner(claim.key()).wakeups();
  }

  @Override
  public String key(String lockName) {
    return config.namespace() + ":" + lockName;
  }

  @Override
  public Set<RedisNode> nodes() {
    return Set.copyOf(slots.values());
  }

  @Override
  public <T> CompletableFuture<T> ask(
      String lockName, Function<NodeInspection, CompletableFuture<T>> question) {
    return new KeyRoute(key(lockName)).send(node -> question.apply(new NodeInspection(node)));
  }

  /** Of all servers that have slots; once more if one of them has none any more. */
  @Override
  public CompletableFuture<Set<String>> names() {
    return namesByMap().exceptionallyCompose(failure -> look().thenCompose(done -> namesByMap()));
  }

  private CompletableFuture<Set<String>> namesByMap() {
    CompletableFuture<Set<String>> all = CompletableFuture.completedFuture(new HashSet<>());
    for (RedisNode node : nodes()) {
      all =
          all.thenCombine(
              new NodeInspection(node).names(),
              (names, more) -> {
                names.addAll(more);
                return names;
              });
    }
    return all;
  }

  @Override
  public void close() {
    nodes.close();
  }

  private RedisNode owner(String key) {
    RedisNode owner = slots.get(SlotTags.slotOf(key));
    return owner != null ? owner : nodes.all().iterator().next();
  }

  /** Asks all that can be reached for the map of the slots, once at a time. */
  private CompletableFuture<Void> look() {
    lock.lock();
    try {
      if (looking != null && !looking.isDone()) {
        return looking;
      }
      List<CompletableFuture<Optional<ClusterView>>> views = nodes.views();
      looking =
          CompletableFuture.allOf(views.toArray(CompletableFuture[]::new))
              .thenAccept(
                  done -> take(views.stream().flatMap(view -> view.join().stream()).toList()));
      return looking;
    } finally {
      lock.unlock();
    }
  }

  private void take(List<ClusterView> views) {
    ClusterView newest =
        views.stream()
            .max(ClusterView.BY_TRUST)
            .orElseThrow(
                () ->
                    new LockUnavailableException(
                        "No server of the Redis Cluster can be reached; known are "
                            + nodes.all().stream().map(RedisNode::where).toList()));
    Map<Integer, RedisNode> map = new ConcurrentHashMap<>();
    for (ClusterSlotRange range : newest.slots()) {
      var uri = range.getUpstream().getUri();
      RedisNode node = nodes.at(uri.getHost(), uri.getPort());
      node.start();
      for (int slot = range.getFrom(); slot <= range.getTo(); slot++) {
        map.put(slot, node);
      }
    }
    slots = map;
    nodes.take(newest, nodes());
  }

  /** To the server that has a key, and to the next one if that is another by now. */
  private final class KeyRoute implements Route {

    private final String key;

    KeyRoute(String key) {
      this.key = key;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // This very node is meant.
    public <T> CompletableFuture<T> send(Function<RedisNode, CompletableFuture<T>> request) {
      RedisNode first = owner(key);
      return request
          .apply(first)
          .exceptionallyCompose(
              failure -> {
                LockException typed = RedisFailures.typed("A request", failure);
                if (!(typed instanceof LockUnavailableException)) {
                  return CompletableFuture.failedFuture(typed);
                }
                return look()
                    .handle((done, lookFailure) -> ownerAfter(first, typed))
                    .thenCompose(
                        now ->
                            now != first
                                ? request.apply(now)
                                : CompletableFuture.failedFuture(typed));
              });
    }

    @Override
    public void checkLine(String operation) {
      try {
        Route.to(owner(key)).checkLine(operation);
      } catch (LockUnavailableException e) {
        var unused = look();
        throw e;
      }
    }

    /**
     * The server that has the key now; where the map does not know yet, the server to which it has
     * moved.
     */
    @SuppressWarnings("ReferenceEquality") // This very node is meant.
    private RedisNode ownerAfter(RedisNode first, LockException failure) {
      RedisNode now = owner(key);
      Optional<RedisURI> heir = RedisFailures.movedTo(failure);
      if (now != first || heir.isEmpty()) {
        return now;
      }
      RedisNode redirected = nodes.at(heir.get().getHost(), heir.get().getPort());
      redirected.start();
      return redirected;
    }
  }
}
