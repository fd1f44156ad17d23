/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.redis.node.KeyHolder;
import io.holdfast.lock.redis.node.NodeInspection;
import io.holdfast.lock.spi.LockInspection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks all nodes, and goes by a quorum. A question that a quorum cannot answer because too many
 * nodes are away is a failure, and never "free". The token is not told, as the nodes keep counters
 * of many locks.
 */
final class RedlockInspection implements LockInspection {

  private final NodeGroup group;
  private final PendingCleanup pendingCleanup;
  private final List<NodeInspection> nodes;

  RedlockInspection(NodeGroup group, PendingCleanup pendingCleanup) {
    this.group = group;
    this.pendingCleanup = pendingCleanup;
    this.nodes = group.nodes.stream().map(NodeInspection::new).toList();
  }

  @Override
  public CompletionStage<Optional<LockHolder>> holder(String lockName) {
    String doing = "Asking who holds lock '" + lockName + "'";
    QuorumHolder quorum = new QuorumHolder(group.size());
    return ask(
            doing,
            node -> node.holder(lockName),
            new Count<Optional<KeyHolder>, Optional<KeyHolder>>() {
              @Override
              public void answered(int node, Optional<KeyHolder> found) {
                // A node that was started lately may have forgotten it.
                Optional<LockException> why =
                    found.isEmpty() ? group.ineligibility(node) : group.duplicate(node);
                if (why.isPresent()) {
                  failed(why.get());
                } else {
                  quorum.answered(found);
                }
              }

              @Override
              public void failed(LockException why) {
                quorum.failed(why);
              }

              @Override
              public Optional<Optional<KeyHolder>> outcome() {
                Optional<KeyHolder> holder = quorum.holder();
                if (holder.isPresent() || quorum.isFree()) {
                  return Optional.of(holder);
                }
                if (quorum.isComplete()) {
                  throw group.noQuorum(doing, quorum.failures());
                }
                return Optional.empty();
              }
            })
        .thenApply(found -> found.map(key -> toHolder(lockName, key)));
  }

  private static LockHolder toHolder(String lockName, KeyHolder key) {
    return new LockHolder(
        lockName,
        Optional.of(key.owner()),
        OptionalLong.empty(),
        Optional.empty(),
        key.expiresIn());
  }

  /** A lock that is held is at one of so many nodes that the others are no quorum. */
  @Override
  public CompletionStage<Set<String>> names() {
    String doing = "Listing the locks that are held";
    int enough = group.size() - group.quorum() + 1;
    Set<String> names = new HashSet<>();
    List<LockException> failures = new ArrayList<>();
    return ask(
        doing,
        NodeInspection::names,
        new Count<Set<String>, Set<String>>() {
          private int answers;

          @Override
          public void answered(int node, Set<String> found) {
            Optional<LockException> why = group.ineligibility(node);
            names.addAll(found);
            if (why.isPresent()) {
              failed(why.get());
            } else {
              answers++;
            }
          }

          @Override
          public void failed(LockException why) {
            failures.add(why);
          }

          @Override
          public Optional<Set<String>> outcome() {
            if (answers >= enough) {
              return Optional.of(Set.copyOf(names));
            }
            if (answers + failures.size() == group.size()) {
              throw group.noQuorum(doing, failures);
            }
            return Optional.empty();
          }
        });
  }

  /**
   * Frees it wherever it is that owner's. Where a quorum has been freed, what is left elsewhere is
   * no lock any more, and ends with its TTL.
   */
  @Override
  public CompletionStage<Boolean> evict(LockHolder holder) {
    if (holder.ownerId().isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    String owner = holder.ownerId().get();
    String doing = "Taking lock '" + holder.lockName() + "' from its holder";
    Tally tally = new Tally(group.size());
    return ask(
        doing,
        node -> {
          CompletableFuture<Boolean> freed = node.evict(holder.lockName(), owner);
          pendingCleanup.track(freed);
          return freed;
        },
        new Count<Boolean, Boolean>() {
          private Tally.Outcome outcome = Tally.Outcome.OPEN;

          @Override
          public void answered(int node, Boolean freed) {
            outcome =
                group.duplicate(node).map(tally::failed).orElseGet(() -> tally.answered(freed));
          }

          @Override
          public void failed(LockException why) {
            outcome = tally.failed(why);
          }

          @Override
          public Optional<Boolean> outcome() {
            return switch (outcome) {
              case OPEN -> Optional.empty();
              case OURS -> Optional.of(true);
              case NOT_OURS -> Optional.of(false);
              case UNKNOWN -> throw group.noQuorum(doing, tally.failures());
            };
          }
        });
  }

  /** Counts what the nodes say; called by one thread at a time. */
  private interface Count<A, R> {

    void answered(int node, A answer);

    void failed(LockException why);

    /** The result as soon as there is one; throws if there can be none any more. */
    Optional<R> outcome();
  }

  /** Asks all nodes at once; nobody waits for those that are not needed. */
  private <A, R> CompletableFuture<R> ask(
      String doing, Function<NodeInspection, CompletableFuture<A>> question, Count<A, R> count) {
    CompletableFuture<R> result = new CompletableFuture<>();
    ReentrantLock lock = new ReentrantLock();
    for (int i = 0; i < nodes.size(); i++) {
      int node = i;
      question
          .apply(nodes.get(i))
          .whenComplete(
              (answer, failure) -> {
                lock.lock();
                try {
                  settle(doing, node, answer, failure, count, result);
                } finally {
                  lock.unlock();
                }
              });
    }
    return result.copy();
  }

  private static <A, R> void settle(
      String doing,
      int node,
      @Nullable A answer,
      @Nullable Throwable failure,
      Count<A, R> count,
      CompletableFuture<R> result) {
    if (result.isDone()) {
      return;
    }
    try {
      if (answer == null) {
        count.failed(NodeGroup.typed(doing, failure));
      } else {
        count.answered(node, answer);
      }
      count.outcome().ifPresent(result::complete);
    } catch (LockException e) {
      result.completeExceptionally(e);
    }
  }
}
