/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.spi.support.DoublingPause;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Work that is still to be undone at single nodes when a quorum has answered: nobody waits for it,
 * but it is done. A node that cannot be reached is asked again until it can; one that refuses,
 * until the TTL has freed the lock there.
 */
final class PendingCleanup {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final TimeSource time;
  private final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  PendingCleanup(TimeSource time) {
    this.time = time;
  }

  /** A request that nobody waits for, but close. */
  @SuppressWarnings("CollectionUndefinedEquality") // This very request is meant.
  void track(CompletableFuture<?> request) {
    if (request.isDone()) {
      return;
    }
    underWay.add(request);
    request.whenComplete((answer, failure) -> underWay.remove(request));
  }

  /**
   * Undoes a claim, now or later.
   *
   * @param keptFor after which the node has done so by itself
   */
  void clean(Supplier<CompletableFuture<Boolean>> undo, Duration keptFor) {
    again(undo, time.nanos() + keptFor.toNanos(), FIRST_PAUSE);
  }

  private void again(Supplier<CompletableFuture<Boolean>> undo, long until, Duration pause) {
    time.schedule(
        pause,
        () -> {
          if (closed) {
            return;
          }
          CompletableFuture<Boolean> freed = undo.get();
          track(freed);
          Duration next = DoublingPause.after(pause, LONGEST_PAUSE);
          freed.whenComplete(
              (ours, failure) -> {
                if (failure != null && !(isRefusal(failure) && time.nanos() - until > 0)) {
                  again(undo, until, next);
                }
              });
        });
  }

  private static boolean isRefusal(Throwable failure) {
    return NodeGroup.typed("Releasing", failure) instanceof LockRejectedException;
  }

  /** Waits for what is under way, so that nothing is written after this. */
  void close(Duration limit) {
    closed = true;
    // Claims that cannot be undone now end with their TTL.
    OpeningSteps.finish(CompletableFuture.allOf(underWay.toArray(CompletableFuture[]::new)), limit);
  }
}
