/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.order;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.tck.order.ScriptedServer.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A client that holds a lock, and all that may happen to its lease and to those after it. After
 * each step, everything is judged by what the contract promises.
 */
final class TenureScene {

  private static final Duration EXTENSION = Duration.ofSeconds(20);
  private static final Duration EARLIER = Duration.ofSeconds(2);

  /** Of an extension: what is taken off for the drift of clocks. */
  private static final Duration MARGIN = Duration.ofMillis(202);

  /** No two steps are taken at the same instant. */
  private static final Duration MOMENT = Duration.ofMillis(1);

  private static final Duration THIRD = Duration.ofMillis(3_400);
  private static final int MOST_LEASES = 3;
  private static final int LEAST_ROUNDS = 3;
  private static final int MOST_ROUNDS = 40;

  final ScriptedServer server;

  private final List<String> broken = new ArrayList<>();
  private final ManualTime time = new ManualTime();
  private final boolean fixed;
  private final LockClient client;
  private final DistributedLock lock;
  private final List<Holder> holders = new ArrayList<>();
  private int acquisitions;
  private int acquisitionsOver;
  private boolean closed;

  TenureScene(Terms terms) {
    // No clock stands at zero, where a sum is as good as a difference.
    time.advance(Duration.ofHours(1));
    this.server = new ScriptedServer(terms.capabilities(), time, broken);
    this.fixed = terms.isFixed();
    this.client =
        Locks.using(
            server,
            ClientOptions.defaults()
                .withClientName("one")
                .withCallbackExecutor(Runnable::run)
                .withTime(time));
    this.lock = client.lock("a", terms.options());
    acquire();
    look();
  }

  /** The broken promises; empty if all are kept. */
  List<String> broken() {
    return broken;
  }

  List<Step> possible() {
    return Arrays.stream(Step.values()).filter(step -> step.isPossible(this)).toList();
  }

  /**
   * Takes a step.
   *
   * @param looks whether somebody looks at the leases afterwards, which makes those lost that are
   *     over; otherwise the engine has to find that by itself
   */
  void take(Step step, boolean looks) {
    time.advance(MOMENT);
    step.take(this);
    if (looks) {
      look();
    } else {
      holders.forEach(Holder::hear);
    }
  }

  private void look() {
    long valid = List.copyOf(holders).stream().filter(holder -> holder.look(closed, false)).count();
    expect(valid <= 1, "two leases are valid");
  }

  private void expect(boolean holds, String otherwise) {
    if (!holds) {
      broken.add(otherwise);
    }
  }

  /** All is answered and released, and then nothing goes on. */
  void end() {
    // A release that has failed is tried again, though all futures are done.
    for (int round = 0; round < MOST_ROUNDS && (round < LEAST_ROUNDS || !isOver()); round++) {
      server.answersAll();
      look();
      List.copyOf(holders).stream().filter(holder -> !holder.isReleased()).forEach(Holder::release);
      server.answersAll();
      time.advance(Duration.ofSeconds(1));
      look();
    }
    expect(isOver(), "there is no end");
    expect(closed || !server.isHeld(), "held though all is released");
    int sent = server.sent();
    time.advance(Terms.TTL.plus(EXTENSION));
    look();
    expect(server.sent() == sent, "requests go on after the end");
    if (!closed) {
      close();
    }
  }

  private boolean isOver() {
    return acquisitionsOver == acquisitions
        && holders.stream().allMatch(Holder::isOver)
        && Arrays.stream(Kind.values()).allMatch(kind -> open(kind) == 0);
  }

  void timePasses() {
    time.advance(THIRD);
  }

  void suspend() {
    time.pause(EXTENSION);
  }

  int open(Kind kind) {
    return server.unanswered(kind).size();
  }

  void answer(Kind kind) {
    server.answers(server.unanswered(kind).get(0));
  }

  void fail(Kind kind) {
    server.fails(server.unanswered(kind).get(0));
  }

  void answerLastRenewal() {
    server.answers(lastRenewal());
  }

  void failLastRenewal() {
    server.fails(lastRenewal());
  }

  private Request<?> lastRenewal() {
    List<Request<?>> renewals = server.unanswered(Kind.RENEWAL);
    return renewals.get(renewals.size() - 1);
  }

  boolean mayRefuseEnd() {
    return server.unanswered(Kind.END).stream()
        .findFirst()
        .filter(end -> !end.hasArrived())
        .isPresent();
  }

  void refuseEnd() {
    server.refuses(server.unanswered(Kind.END).get(0));
  }

  boolean mayAcquire() {
    return !closed && acquisitions < MOST_LEASES;
  }

  void acquire() {
    acquisitions++;
    var unused =
        lock.acquireAsync()
            .whenComplete(
                (lease, failure) -> {
                  acquisitionsOver++;
                  if (lease != null) {
                    Holder next =
                        new Holder(lease, server.claimOf(lease.ownerId()), time, broken::add);
                    newest().ifPresent(before -> before.followedBy(next));
                    holders.add(next);
                    expect(!closed, "granted after the close");
                  } else {
                    expect(closed, "an acquisition has failed: " + failure);
                  }
                });
  }

  private Optional<Holder> newest() {
    return holders.isEmpty() ? Optional.empty() : Optional.of(holders.get(holders.size() - 1));
  }

  private Holder holder() {
    return newest().orElseThrow();
  }

  /** Whether the last lease was not released; it may be lost. */
  boolean isHeld() {
    return !holder().isReleased();
  }

  void release() {
    holder().release();
  }

  void extend() {
    Holder holder = holder();
    long least = time.nanos() + EXTENSION.minus(MARGIN).toNanos();
    holder.mayEndLater();
    var unused =
        holder
            .lease
            .extendAsync(EXTENSION)
            .whenComplete(
                (done, failure) ->
                    expect(
                        failure != null || holder.until() - least >= 0,
                        "said to be extended, and is not"));
  }

  boolean mayEndEarlier() {
    return fixed && isHeld();
  }

  void endEarlier() {
    Holder holder = holder();
    long most = time.nanos() + EARLIER.toNanos();
    boolean earlier = holder.until() - most > 0;
    if (earlier) {
      holder.endsBy(most);
    } else {
      holder.mayEndLater();
    }
    var unused =
        holder
            .lease
            .expireInAsync(EARLIER)
            .whenComplete(
                (done, failure) ->
                    expect(
                        failure != null || !earlier || holder.until() - most <= 0,
                        "said to end earlier, and does not"));
    // It counts before the server has answered.
    holder.look(closed, true);
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    client.close();
  }
}
