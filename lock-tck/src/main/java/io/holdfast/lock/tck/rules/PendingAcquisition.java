/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * An acquisition that has begun, and may be ended before it has a lease.
 *
 * @param done whether it has a lease, or has failed
 * @param end ends it; gives a lease back if there is one, and answers false then
 */
record PendingAcquisition(BooleanSupplier done, BooleanSupplier end) {

  /** So many have to be ended after their requests have reached the server, and before answers. */
  private static final int HITS = 3;

  private static final int MOST_ROUNDS = 12;

  /** On a thread of its own, ended by an interrupt. */
  static PendingAcquisition interruptible(RuleContext context, LockClient client, String name) {
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                client.lock(name, context.longTtl()).acquire().release();
                interrupted.complete(false);
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
            });
    thread.start();
    return new PendingAcquisition(
        interrupted::isDone,
        () -> {
          thread.interrupt();
          return context.get(interrupted, Duration.ofSeconds(10));
        });
  }

  /** Asynchronous, ended by a cancellation. */
  static PendingAcquisition cancellable(RuleContext context, LockClient client, String name) {
    CompletableFuture<Lease> waiting = client.lock(name, context.longTtl()).acquireAsync();
    return new PendingAcquisition(
        waiting::isDone,
        () -> {
          boolean inTime = waiting.cancel(true);
          if (!inTime) {
            waiting.join().releaseAsync();
          }
          return inTime;
        });
  }

  /**
   * Ends acquisitions when the lock is seen at the server and the answer is under way. Each has a
   * name of its own, so what is seen is its own.
   *
   * @param link of the client
   * @param begin begins one for a lock of that name
   */
  static void endWhenGranted(
      RuleContext context, TcpProxy link, Function<String, PendingAcquisition> begin) {
    link.delay(Direction.TO_CLIENT, context.ttl().dividedBy(4));
    int hits = 0;
    for (int i = 0; hits < HITS && i < MOST_ROUNDS; i++) {
      String name = context.name() + "-" + i + "-granted";
      PendingAcquisition one = begin.apply(name);
      boolean reached =
          RuleContext.comesTrue(
              RuleContext.SLACK, () -> one.done().getAsBoolean() || isAtServer(context, name));
      boolean inTime = one.end().getAsBoolean();
      hits += reached && inTime ? 1 : 0;
      context.awaitNothingLeft(context.freeAfterDeath().plus(RuleContext.SLACK));
    }
    link.heal();
    context.checkInTime(
        hits == HITS,
        "expected %d acquisitions to be ended between their request's arrival at the server and the answer, but only %d of %d were"
            .formatted(HITS, hits, MOST_ROUNDS));
  }

  private static boolean isAtServer(RuleContext context, String name) {
    return context.residue().stream().anyMatch(entry -> entry.contains(name));
  }
}
