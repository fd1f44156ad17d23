/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.LockInspection;
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
final class ZooKeeperInspection implements LockInspection {

  private static final int MOST_ROUNDS = 5;

  private final ZooKeeperBackend backend;

  ZooKeeperInspection(ZooKeeperBackend backend) {
    this.backend = backend;
  }

  /** The first in a queue. */
  private record First(String path, LockHolder holder) {}

  @Override
  public CompletionStage<Optional<LockHolder>> holder(String lockName) {
    return backend.ask(
        "Asking who holds lock '" + lockName + "'",
        now -> first(now, lockName, MOST_ROUNDS).thenApply(found -> found.map(First::holder)));
  }

  @Override
  public CompletionStage<Set<String>> names() {
    return backend.ask(
        "Listing the locks that are held",
        now -> {
          now.sync(backend.paths().base());
          return now.children(backend.paths().base())
              .thenApply(
                  nodes ->
                      nodes.names().stream().map(LockPaths::decode).collect(Collectors.toSet()));
        });
  }

  @Override
  public CompletionStage<Boolean> evict(LockHolder holder) {
    return backend.ask(
        "Taking lock '" + holder.lockName() + "' from its holder",
        now ->
            first(now, holder.lockName(), MOST_ROUNDS)
                .thenCompose(
                    found ->
                        found.isPresent() && isSame(found.get().holder(), holder)
                            ? now.delete(found.get().path())
                            : CompletableFuture.completedFuture(false)));
  }

  private static boolean isSame(LockHolder now, LockHolder told) {
    return now.ownerId().equals(told.ownerId()) && now.fencingToken().equals(told.fencingToken());
  }

  private CompletableFuture<Optional<First>> first(
      ZooKeeperSession now, String lockName, int rounds) {
    String lockPath = backend.paths().lock(lockName);
    now.sync(lockPath);
    return now.children(lockPath)
        .thenCompose(
            queue -> {
              Optional<String> name = queue.first();
              if (name.isEmpty()) {
                return CompletableFuture.completedFuture(Optional.empty());
              }
              String path = lockPath + "/" + name.get();
              return now.stat(path)
                  .thenCompose(
                      stat ->
                          stat.isPresent()
                              ? CompletableFuture.completedFuture(
                                  Optional.of(
                                      new First(path, toHolder(lockName, name.get(), stat.get()))))
                              : goneMeanwhile(now, lockName, rounds));
            });
  }

  private CompletableFuture<Optional<First>> goneMeanwhile(
      ZooKeeperSession now, String lockName, int rounds) {
    return rounds > 0
        ? first(now, lockName, rounds - 1)
        : CompletableFuture.failedFuture(
            new LockUnavailableException(
                "Lock '"
                    + lockName
                    + "' changes its holder faster than it can be read; ask again"));
  }

  private static LockHolder toHolder(String lockName, String node, Stat stat) {
    return new LockHolder(
        lockName,
        Optional.of(LockPaths.ownerId(node)),
        OptionalLong.of(stat.getCzxid()),
        stat.getEphemeralOwner() == 0
            ? Optional.empty()
            : Optional.of("0x" + Long.toHexString(stat.getEphemeralOwner())),
        Optional.empty());
  }
}
