/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.redis.node.RedisNode;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Connects to all nodes and checks them, all at once; done when a quorum is fit for use and the
 * others have had as long as a command. A node that refuses us is an error though a quorum may do,
 * as it is a mistake that should be found today.
 */
final class RedlockOpening {

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final NodeGroup group;
  private final Duration connectTimeout;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<RedisNode> open = new LinkedHashSet<>();
  private final List<LockException> failures = new ArrayList<>();
  private final CompletableFuture<Void> quorum = new CompletableFuture<>();
  private int fit;

  RedlockOpening(NodeGroup group, Duration connectTimeout) {
    this.group = group;
    this.connectTimeout = connectTimeout;
    open.addAll(group.nodes);
  }

  void run() {
    String doing = "Opening Redlock";
    List<CompletableFuture<Void>> checks = group.nodes.stream().map(this::check).toList();
    Duration limit = connectTimeout.multipliedBy(2).plus(group.commandTimeout.multipliedBy(4));
    OpeningSteps.await(doing, quorum, limit);
    CompletableFuture<Void> all = CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new));
    OpeningSteps.await(
        doing,
        all.completeOnTimeout(null, group.commandTimeout.toMillis(), TimeUnit.MILLISECONDS),
        limit);
    refuse();
    for (int node = 0; node < group.size(); node++) {
      group
          .duplicate(node)
          .ifPresent(
              same -> {
                throw same;
              });
    }
  }

  /** Never fails; what fails is counted. */
  private CompletableFuture<Void> check(RedisNode node) {
    String doing = "Opening Redis at " + node.where();
    return node.start()
        .thenCompose(connected -> check(node, group.time.nanos() + connectTimeout.toNanos()))
        .handle(
            (done, failure) -> {
              count(node, failure == null ? null : NodeGroup.typed(doing, failure));
              return null;
            });
  }

  /** In a process that has just started, the first answers can take longer than a command may. */
  private CompletionStage<Void> check(RedisNode node, long until) {
    return node.check()
        .exceptionallyCompose(
            failure ->
                Failures.cause(failure) instanceof LockUnavailableException
                        && group.time.nanos() - until < 0
                    ? pause().thenCompose(over -> check(node, until))
                    : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Void> pause() {
    CompletableFuture<Void> over = new CompletableFuture<>();
    group.time.schedule(PAUSE, () -> over.complete(null));
    return over;
  }

  private void count(RedisNode node, @Nullable LockException failure) {
    lock.lock();
    try {
      open.remove(node);
      if (failure == null) {
        fit++;
      } else {
        failures.add(failure);
      }
      if (fit >= group.quorum()) {
        quorum.complete(null);
      } else if (failures.size() > group.size() - group.quorum()) {
        quorum.completeExceptionally(
            refusal().orElseGet(() -> group.noQuorum("Opening Redlock", causes())));
      }
    } finally {
      lock.unlock();
    }
  }

  /** One for each node that does not take part, so that each is named. */
  private List<LockException> causes() {
    List<LockException> causes = new ArrayList<>(failures);
    for (RedisNode node : open) {
      causes.add(
          new LockUnavailableException("Opening Redis at " + node.where() + " has not ended yet"));
    }
    return causes;
  }

  private void refuse() {
    lock.lock();
    try {
      refusal()
          .ifPresent(
              refusal -> {
                throw refusal;
              });
    } finally {
      lock.unlock();
    }
  }

  /** Of any node: with it nothing is opened, also if all others take part. */
  private Optional<LockException> refusal() {
    return failures.stream().filter(LockRejectedException.class::isInstance).findFirst();
  }
}
