/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.admin;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.zookeeper.queue.LockPaths;
import io.holdfast.lock.zookeeper.queue.QueueNode;
import io.holdfast.lock.zookeeper.session.SessionRequests;
import io.holdfast.lock.zookeeper.session.ZooKeeperSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.zookeeper.data.Stat;

/**
 * Looks at the queues. Each look goes behind a {@code sync}, so that it shows what was released or
 * taken before the question, whichever server answers. The path of a contender has its owner id in
 * it, so nobody else ever has the same: to delete it is to take the lock from that very holder.
 */
public final class ZooKeeperInspection implements LockInspection {

  private static final int MOST_ROUNDS = 5;

  private final SessionRequests requests;

  public ZooKeeperInspection(SessionRequests requests) {
    this.requests = requests;
  }

  /** One of those who hold. */
  private record Found(String path, LockHolder holder) {}

  @Override
  public CompletionStage<Optional<LockHolder>> holder(String lockName) {
    return holders(lockName).thenApply(found -> found.stream().findFirst());
  }

  @Override
  public CompletionStage<List<LockHolder>> holders(String lockName) {
    return requests.ask(
        "Asking who holds lock '" + lockName + "'",
        now ->
            found(now, lockName, MOST_ROUNDS)
                .thenApply(all -> all.stream().map(Found::holder).toList()));
  }

  @Override
  public CompletionStage<Set<String>> names() {
    return requests.ask(
        "Listing the locks that are held",
        now -> {
          now.sync(requests.paths().base());
          return now.children(requests.paths().base())
              .thenApply(
                  nodes ->
                      nodes.names().stream().map(LockPaths::decode).collect(Collectors.toSet()));
        });
  }

  @Override
  public CompletionStage<Boolean> evict(LockHolder holder) {
    return requests.ask(
        "Taking lock '" + holder.lockName() + "' from its holder",
        now ->
            found(now, holder.lockName(), MOST_ROUNDS)
                .thenCompose(
                    all ->
                        all.stream()
                            .filter(one -> isSame(one.holder(), holder))
                            .findFirst()
                            .map(one -> now.delete(one.path()))
                            .orElseGet(() -> CompletableFuture.completedFuture(false))));
  }

  private static boolean isSame(LockHolder now, LockHolder told) {
    return now.ownerId().equals(told.ownerId()) && now.fencingToken().equals(told.fencingToken());
  }

  private CompletableFuture<List<Found>> found(ZooKeeperSession now, String lockName, int rounds) {
    String lockPath = requests.paths().lock(lockName);
    now.sync(lockPath);
    return now.children(lockPath)
        .thenCompose(
            queue -> {
              List<QueueNode> holders = queue.holders();
              List<CompletableFuture<Optional<Stat>>> stats =
                  holders.stream().map(one -> now.stat(lockPath + "/" + one.name())).toList();
              return CompletableFuture.allOf(stats.toArray(CompletableFuture[]::new))
                  .thenCompose(
                      done -> {
                        List<Found> all = new ArrayList<>();
                        for (int i = 0; i < holders.size(); i++) {
                          QueueNode one = holders.get(i);
                          String path = lockPath + "/" + one.name();
                          stats
                              .get(i)
                              .join()
                              .map(stat -> new Found(path, toHolder(lockName, one, stat)))
                              .ifPresent(all::add);
                        }
                        // Where holders come and go all the time, some have always gone.
                        return all.isEmpty() && !holders.isEmpty()
                            ? goneMeanwhile(now, lockName, rounds)
                            : CompletableFuture.completedFuture(all);
                      });
            });
  }

  private CompletableFuture<List<Found>> goneMeanwhile(
      ZooKeeperSession now, String lockName, int rounds) {
    return rounds > 0
        ? found(now, lockName, rounds - 1)
        : CompletableFuture.failedFuture(
            new LockUnavailableException(
                "Lock '"
                    + lockName
                    + "' changes its holder faster than it can be read; ask again"));
  }

  private static LockHolder toHolder(String lockName, QueueNode node, Stat stat) {
    return new LockHolder(
        lockName,
        Optional.of(LockPaths.ownerId(node.name())),
        OptionalLong.of(node.grantedAs().orElse(stat.getCzxid())),
        stat.getEphemeralOwner() == 0
            ? Optional.empty()
            : Optional.of("0x" + Long.toHexString(stat.getEphemeralOwner())),
        Optional.empty(),
        node.share());
  }
}
