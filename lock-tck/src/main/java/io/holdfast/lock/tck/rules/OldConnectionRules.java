/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.Bound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * CA, OW and WT, too: a single connection hangs, and new ones do not. A request that was sent on it
 * may be carried out long after later requests of its client on another; and the server may not
 * learn that its client has given it up.
 */
public final class OldConnectionRules {

  /** Nobody has more. */
  private static final int MOST_CONNECTIONS = 4;

  private static final long SLOW_BYTES_PER_SECOND = 10_000;

  @Rule(value = "CA-12", lookAt = "what makes late requests of an old connection harmless")
  public void anAttemptOnAConnectionThatHangsLeavesNothing(RuleContext context) {
    List<Future<Void>> trials = new ArrayList<>();
    for (Direction stalled : Direction.values()) {
      // One gives up before there is a new connection, and one asks again over it.
      for (Duration limit : List.of(context.ttl().dividedBy(2), patience(context))) {
        trials.add(context.start(() -> attemptOnAnOldConnection(context, stalled, limit)));
      }
    }
    trials.forEach(trial -> context.get(trial, patience(context).multipliedBy(3)));
  }

  private static Void attemptOnAnOldConnection(
      RuleContext context, Direction stalled, Duration limit) throws InterruptedException {
    String name = context.name() + "-" + stalled + "-" + limit.toMillis();
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    Holders.released(client.lock(name, context.longTtl()).acquire(), "the first");
    link.stallExisting(stalled);
    try {
      client.lock(name, context.longTtl()).tryAcquire(limit).ifPresent(Lease::release);
    } catch (LockUnavailableException e) {
      context.checkSays(e, name);
    }
    // The same client, so this is asked when the attempt has been undone, as far as that was tried.
    Optional<Lease> again = client.lock(name, context.longTtl()).tryAcquire(patience(context));
    if (again.isEmpty()) {
      checkUndone(context, name);
      throw new DeadlineMissed(
          "expected the client to lock again over a new connection, but it is refused");
    }
    again.get().release();
    context.letPass(context.ttl().dividedBy(2));
    awaitFree(context, name);
    deliverLate(context, link);
    checkFree(
        context, name, "an attempt on an old connection arrived (" + stalled + " was stalled)");
    return null;
  }

  @Rule(value = "OW-9", lookAt = "what makes late requests of an old connection harmless")
  public void aRenewalOnAConnectionThatHangsChangesNothingLater(RuleContext context) {
    Future<Void> free = context.start(() -> renewalOnAnOldConnection(context, Optional.empty()));
    Future<Void> taken =
        context.start(() -> renewalOnAnOldConnection(context, Optional.of(context.client())));
    context.get(free, patience(context).multipliedBy(3));
    context.get(taken, patience(context).multipliedBy(3));
  }

  /**
   * A renewal arrives when its lease has ended.
   *
   * @param other has the lock by then; empty if nobody has
   */
  private static Void renewalOnAnOldConnection(RuleContext context, Optional<LockClient> other)
      throws InterruptedException {
    String name = context.name() + (other.isPresent() ? "-taken" : "-free");
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    LockOptions often = context.longTtl().withRenewal(Renewal.every(context.ttl().dividedBy(20)));
    Lease old = client.lock(name, often).acquire();
    long made = link.connectionsMade();
    link.stallExisting(Direction.TO_SERVER);
    // Renewals are sent on the old connection, and the release on the new one: it is not behind
    // them.
    context.await(
        "a new connection in the place of one that hangs",
        patience(context),
        () -> link.connectionsMade() > made);
    context.letPass(context.ttl().dividedBy(5));
    old.release();
    Lease next = other.orElse(client).lock(name, context.longTtl()).acquire(patience(context));
    if (other.isEmpty()) {
      Holders.released(next, "the next owner, a client whose old connection hangs");
      awaitFree(context, name);
    }
    deliverLate(context, link);
    if (other.isPresent()) {
      Holders.held(
          next, "the next owner lost the lock when a renewal of the last one arrived late");
      Holders.released(next, "the next owner, after a renewal of the last one arrived late");
    }
    checkFree(context, name, "a renewal on an old connection arrived");
    return null;
  }

  @Rule(value = "OW-10", lookAt = "what makes late requests of an old connection harmless")
  public void aReleaseOnAConnectionThatHangsFreesNothingLater(RuleContext context)
      throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    Lease old = client.lock(context.name(), context.longTtl()).acquire();
    link.stallExisting(Direction.TO_SERVER);
    old.release();
    Lease next = client.lock(context.name(), context.longTtl()).acquire(patience(context));
    deliverLate(context, link);
    Holders.refused(
        next,
        context.client().lock(context.name(), context.options()).tryAcquire(),
        "a release that arrived late on an old connection freed the next lease of its client");
    Holders.released(next, "the next lease, after the release of the last one arrived late");
    checkFree(context, context.name(), "a release on an old connection arrived");
  }

  @Rule(value = "WT-18", lookAt = "how a connection that hangs is noticed and replaced")
  public void oneConnectionThatHangsKeepsNobodyWaiting(RuleContext context) {
    List<Future<Void>> trials = new ArrayList<>();
    for (int i = 0; i < MOST_CONNECTIONS; i++) {
      int place = i;
      trials.add(context.start(() -> waitBesideAConnectionThatHangs(context, place)));
    }
    trials.forEach(trial -> context.get(trial, patience(context).multipliedBy(3)));
  }

  private static Void waitBesideAConnectionThatHangs(RuleContext context, int place)
      throws InterruptedException {
    String name = context.name() + "-" + place;
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    Lease held = context.client().lock(name, context.longTtl()).acquire();
    CompletableFuture<Lease> waiting =
        RecordedEvents.contended(context, client, client.lock(name, context.options()));
    link.stallConnection(place, Direction.values());
    long released = System.nanoTime();
    Holders.released(held, "the holder");
    Lease next = context.get(waiting, patience(context));
    context.measured(Bound.HAND_OVER, released);
    link.heal();
    Holders.released(next, "one that waited while a connection hung");
    return null;
  }

  /**
   * Requests that were held back arrive piece by piece, so that the server has acted on a request
   * before it reads that it was cancelled.
   */
  private static void deliverLate(RuleContext context, TcpProxy link) {
    link.throttle(Direction.TO_SERVER, SLOW_BYTES_PER_SECOND);
    link.deliverButEnds();
    context.letPass(context.ttl().dividedBy(2));
  }

  /** For a client to find out that its connection hangs, and to go on over another. */
  private static Duration patience(RuleContext context) {
    return context.freeAfterDeath().multipliedBy(2).plus(Duration.ofSeconds(10));
  }

  private static void awaitFree(RuleContext context, String name) {
    if (context.fixture().seesResidue()) {
      context.await(
          "nothing left of " + name + ", before what is late arrives",
          context.freeAfterDeath().plus(RuleContext.SLACK),
          () -> residueOf(context, name).isEmpty());
    }
  }

  /** An attempt's remains would stand in the way of the next one; slowness does not. */
  private static void checkUndone(RuleContext context, String name) {
    Duration limit = context.freeAfterDeath().plus(RuleContext.SLACK);
    context.check(
        !context.fixture().seesResidue()
            || RuleContext.comesTrue(limit, () -> residueOf(context, name).isEmpty()),
        "expected an attempt on an old connection to be undone over a new one, but it is not"
            + context.atTheServer());
  }

  /** No slowness explains what was gone and is there again. */
  private static void checkFree(RuleContext context, String name, String when)
      throws InterruptedException {
    Holders.free(
            context,
            context.client().lock(name, context.longTtl()),
            RuleContext.SLACK,
            "after " + when)
        .release();
    context.check(
        !context.fixture().seesResidue()
            || RuleContext.comesTrue(RuleContext.SLACK, () -> residueOf(context, name).isEmpty()),
        "expected nothing of the lock to be left after %s, but something is".formatted(when)
            + context.atTheServer());
  }

  private static List<String> residueOf(RuleContext context, String name) {
    return context.residue().stream().filter(entry -> entry.contains(name)).toList();
  }
}
