/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
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
 * CA, OW and WT, too: a single connection hangs, and new ones do not. What was sent on it may be
 * carried out long after what its client sent later on another; and the server may not learn that
 * its client has given it up.
 */
public final class OldConnectionRules {

  /** Nobody has more. */
  private static final int MOST_CONNECTIONS = 4;

  private static final long SLOW_BYTES_PER_SECOND = 10_000;

  @Rule("CA-12")
  public void anAttemptOnAConnectionThatHangsLeavesNothing(Bench bench) {
    List<Future<Void>> trials = new ArrayList<>();
    for (Direction stalled : Direction.values()) {
      // One gives up before there is a new connection, and one asks again over it.
      for (Duration limit : List.of(bench.ttl().dividedBy(2), patience(bench))) {
        trials.add(bench.start(() -> attemptOnAnOldConnection(bench, stalled, limit)));
      }
    }
    trials.forEach(trial -> bench.get(trial, patience(bench).multipliedBy(3)));
  }

  private static Void attemptOnAnOldConnection(Bench bench, Direction stalled, Duration limit)
      throws InterruptedException {
    String name = bench.name() + "-" + stalled + "-" + limit.toMillis();
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    Holders.released(client.lock(name, bench.longTtl()).acquire(), "the first");
    link.stallExisting(stalled);
    try {
      client.lock(name, bench.longTtl()).tryAcquire(limit).ifPresent(Lease::release);
    } catch (LockUnavailableException e) {
      bench.check(Bench.message(e).contains(name), "the lock is not named: " + e);
    }
    // The same client, so this is asked when the attempt has been undone, as far as that was tried.
    Optional<Lease> again = client.lock(name, bench.longTtl()).tryAcquire(patience(bench));
    if (again.isEmpty()) {
      checkUndone(bench, name);
      throw new Late("expected the client to lock again over a new connection, but it is refused");
    }
    again.get().release();
    bench.letPass(bench.ttl().dividedBy(2));
    awaitFree(bench, name);
    deliverLate(bench, link);
    checkFree(bench, name, "an attempt on an old connection arrived (" + stalled + " was stalled)");
    return null;
  }

  @Rule("OW-9")
  public void aRenewalOnAConnectionThatHangsChangesNothingLater(Bench bench) {
    Future<Void> free = bench.start(() -> renewalOnAnOldConnection(bench, Optional.empty()));
    Future<Void> taken =
        bench.start(() -> renewalOnAnOldConnection(bench, Optional.of(bench.client())));
    bench.get(free, patience(bench).multipliedBy(3));
    bench.get(taken, patience(bench).multipliedBy(3));
  }

  /**
   * A renewal arrives when its lease has ended.
   *
   * @param other has the lock by then; empty if nobody has
   */
  private static Void renewalOnAnOldConnection(Bench bench, Optional<LockClient> other)
      throws InterruptedException {
    String name = bench.name() + (other.isPresent() ? "-taken" : "-free");
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    LockOptions often = bench.longTtl().withRenewal(Renewal.every(bench.ttl().dividedBy(20)));
    Lease old = client.lock(name, often).acquire();
    long made = link.connectionsMade();
    link.stallExisting(Direction.TO_SERVER);
    // Renewals are sent on the old connection, and the release on the new one: it is not behind
    // them.
    bench.await(
        "a new connection in the place of one that hangs",
        patience(bench),
        () -> link.connectionsMade() > made);
    bench.letPass(bench.ttl().dividedBy(5));
    old.release();
    Lease next = other.orElse(client).lock(name, bench.longTtl()).acquire(patience(bench));
    if (other.isEmpty()) {
      Holders.released(next, "the next owner, a client whose old connection hangs");
      awaitFree(bench, name);
    }
    deliverLate(bench, link);
    if (other.isPresent()) {
      Holders.held(
          next, "the next owner lost the lock when a renewal of the last one arrived late");
      Holders.released(next, "the next owner, after a renewal of the last one arrived late");
    }
    checkFree(bench, name, "a renewal on an old connection arrived");
    return null;
  }

  @Rule("OW-10")
  public void aReleaseOnAConnectionThatHangsFreesNothingLater(Bench bench)
      throws InterruptedException {
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    Lease old = client.lock(bench.name(), bench.longTtl()).acquire();
    link.stallExisting(Direction.TO_SERVER);
    old.release();
    Lease next = client.lock(bench.name(), bench.longTtl()).acquire(patience(bench));
    deliverLate(bench, link);
    Holders.refused(
        next,
        bench.client().lock(bench.name(), bench.options()).tryAcquire(),
        "a release that arrived late on an old connection freed the next lease of its client");
    Holders.released(next, "the next lease, after the release of the last one arrived late");
    checkFree(bench, bench.name(), "a release on an old connection arrived");
  }

  @Rule("WT-18")
  public void oneConnectionThatHangsKeepsNobodyWaiting(Bench bench) {
    List<Future<Void>> trials = new ArrayList<>();
    for (int i = 0; i < MOST_CONNECTIONS; i++) {
      int place = i;
      trials.add(bench.start(() -> waitBesideAConnectionThatHangs(bench, place)));
    }
    trials.forEach(trial -> bench.get(trial, patience(bench).multipliedBy(3)));
  }

  private static Void waitBesideAConnectionThatHangs(Bench bench, int place)
      throws InterruptedException {
    String name = bench.name() + "-" + place;
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    Lease held = bench.client().lock(name, bench.longTtl()).acquire();
    CompletableFuture<LockEvent> contended = Heard.next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> waiting = client.lock(name, bench.options()).acquireAsync();
    bench.get(contended, Bench.SLACK);
    link.stallConnection(place, Direction.values());
    long released = System.nanoTime();
    Holders.released(held, "the holder");
    Lease next = bench.get(waiting, patience(bench));
    bench.measured(Bound.HAND_OVER, released);
    link.heal();
    Holders.released(next, "one that waited while a connection hung");
    return null;
  }

  /**
   * What was held back arrives piece by piece, so that the server has acted on a request before it
   * reads that it was cancelled.
   */
  private static void deliverLate(Bench bench, TcpProxy link) {
    link.throttle(Direction.TO_SERVER, SLOW_BYTES_PER_SECOND);
    link.deliverButEnds();
    bench.letPass(bench.ttl().dividedBy(2));
  }

  /** For a client to find out that its connection hangs, and to go on over another. */
  private static Duration patience(Bench bench) {
    return bench.freeAfterDeath().multipliedBy(2).plus(Duration.ofSeconds(10));
  }

  private static void awaitFree(Bench bench, String name) {
    if (bench.fixture().seesResidue()) {
      bench.await(
          "nothing left of " + name + ", before what is late arrives",
          bench.freeAfterDeath().plus(Bench.SLACK),
          () -> residueOf(bench, name).isEmpty());
    }
  }

  /** What an attempt has left stands in the way of the next one; slowness does not. */
  private static void checkUndone(Bench bench, String name) {
    Duration limit = bench.freeAfterDeath().plus(Bench.SLACK);
    bench.check(
        !bench.fixture().seesResidue()
            || Bench.comesTrue(limit, () -> residueOf(bench, name).isEmpty()),
        "expected an attempt on an old connection to be undone over a new one"
            + bench.atTheServer());
  }

  /** No slowness explains what was gone and is there again. */
  private static void checkFree(Bench bench, String name, String when) throws InterruptedException {
    Holders.free(bench, bench.client().lock(name, bench.longTtl()), Bench.SLACK, "after " + when)
        .release();
    bench.check(
        !bench.fixture().seesResidue()
            || Bench.comesTrue(Bench.SLACK, () -> residueOf(bench, name).isEmpty()),
        "expected nothing of the lock to be left after " + when + bench.atTheServer());
  }

  private static List<String> residueOf(Bench bench, String name) {
    return bench.residue().stream().filter(entry -> entry.contains(name)).toList();
  }
}
