/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;

/** OW: only the owner ends a lease. */
public final class OwnershipRules {

  private static final String NAME = "billing";
  private static final int SAME_NAME = 4;

  /**
   * Of the 22 characters of 128 random bits, hardly ever so few. A counter differs in one or two.
   */
  private static final int DIFFERENT = 12;

  @Rule("OW-1")
  public void ownerIdsAreUniqueAndReadable(Bench bench) throws InterruptedException {
    List<LockClient> clients = new ArrayList<>();
    for (int i = 0; i < SAME_NAME; i++) {
      clients.add(bench.client(ClientOptions.defaults().withClientName(NAME)));
    }
    Set<String> seen = new HashSet<>();
    List<String> firsts = new ArrayList<>();
    for (LockClient client : clients) {
      for (int i = 0; i < 10; i++) {
        try (Lease lease = client.lock(bench.name(), bench.options()).acquire()) {
          bench.check(
              seen.add(lease.ownerId()),
              "expected each lease to have an owner id of its own, but two have "
                  + lease.ownerId());
          bench.check(
              lease.ownerId().contains(NAME),
              "expected an owner id with the client's name, billing, but it is " + lease.ownerId());
          if (i == 0) {
            firsts.add(lease.ownerId());
          }
        }
      }
    }
    bench.fixture().settings().ifPresent(settings -> firsts.add(elsewhere(bench, settings)));
    for (int i = 1; i < firsts.size(); i++) {
      for (String other : firsts.subList(0, i)) {
        bench.check(
            differences(firsts.get(i), other) >= DIFFERENT,
            "one can be guessed from the other: " + firsts.get(i) + " and " + other);
      }
    }
  }

  /** The first of another process with a client of the same name. */
  private static String elsewhere(Bench bench, Map<String, String> settings) {
    Map<String, String> named = new HashMap<>(settings);
    named.put("client-name", NAME);
    Worker worker = bench.closing(Worker.start(named));
    String id =
        worker.ask("acquire " + bench.name() + " " + bench.ttl().toMillis()).split(" ", -1)[2];
    worker.ask("release");
    return id;
  }

  /** In how many places two texts differ. */
  private static int differences(String one, String other) {
    int common = Math.min(one.length(), other.length());
    return Math.max(one.length(), other.length())
        - (int) IntStream.range(0, common).filter(i -> one.charAt(i) == other.charAt(i)).count();
  }

  @Rule("OW-2")
  public void releaseOfAnExpiredLeaseLeavesTheNextOwner(Bench bench) throws InterruptedException {
    LockOptions fixed = bench.options().withRenewal(Renewal.none());
    Lease old = bench.client().lock(bench.name(), fixed).acquire();
    Lease next =
        bench.client().lock(bench.name(), bench.options()).acquire(bench.ttl().plus(Bench.SLACK));
    bench.checkEquals(ReleaseOutcome.ALREADY_LOST, old.release(), "release of an expired lease");
    Holders.refused(
        next,
        bench.client().lock(bench.name(), bench.options()).tryAcquire(),
        "the release of an expired lease freed the next owner's lock");
    Holders.released(next, "the next owner");
  }

  @Rule("OW-3")
  public void aSlowReleaseLeavesTheNextOwner(Bench bench) throws Exception {
    TcpProxy link = bench.link();
    LockOptions fixed = bench.options().withRenewal(Renewal.none());
    LockClient slow = bench.client(link);
    Lease old = slow.lock(bench.name(), fixed).acquire();
    // Another release on the same connection, so that nothing may depend on having it alone.
    Lease beside = slow.lock(bench.name() + "-beside", bench.longTtl()).acquire();
    Future<Lease> waiter =
        bench.start(
            () ->
                bench
                    .client()
                    .lock(bench.name(), bench.options())
                    .acquire(bench.freeAfterDeath().plus(Bench.SLACK)));
    // The release begins in time; every answer it waits for comes when the lock is another's.
    Duration late = bench.ttl().dividedBy(2);
    bench.await(
        "the last third of the lease",
        bench.ttl().plus(Bench.SLACK),
        () -> old.remaining().compareTo(bench.ttl().dividedBy(4)) < 0);
    link.delay(Direction.TO_CLIENT, late);
    beside.releaseAsync();
    bench.checkInTime(old.isValid(), "ended before its release began");
    old.releaseAsync();
    Lease next = bench.get(waiter, bench.freeAfterDeath().plus(Bench.SLACK));
    bench.letPass(late.multipliedBy(2));
    link.heal();
    Holders.refused(
        next,
        bench.client().lock(bench.name(), bench.options()).tryAcquire(),
        "a release that was slow freed the next owner's lock");
    Holders.released(next, "the next owner");
  }

  @Rule("OW-4")
  public void aSlowRenewalLeavesTheNextOwner(Bench bench) throws Exception {
    TcpProxy link = bench.link();
    LockClient slow = bench.client(link);
    Lease old = slow.lock(bench.name(), bench.options()).acquire();
    Duration late = bench.freeAfterDeath().plus(bench.ttl().dividedBy(2));
    link.delay(Direction.TO_CLIENT, late);
    // Who is deaf, but not mute, can ask for as long as a session lasts, and be alive to the
    // server.
    Lease next =
        bench
            .client()
            .lock(bench.name(), bench.options())
            .acquire(bench.freeAfterDeath().multipliedBy(2).plus(Bench.SLACK));
    Holders.over(old, "two are valid");
    link.heal();
    bench.letPass(bench.ttl());
    Holders.released(next, "the next owner");
    Optional<Lease> third = bench.client().lock(bench.name(), bench.options()).tryAcquire();
    bench.check(third.isPresent(), "a renewal that was slow took the lock anew");
    bench.letPass(bench.ttl().dividedBy(2));
    Holders.released(third.orElseThrow(), "the third owner");
  }

  @Rule("OW-5")
  public void aSecondReleaseDoesNothingAndSaysSo(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    Lease lease = client.lock(bench.name(), bench.options()).acquire();
    Holders.released(lease, "the first owner");
    Lease next = client.lock(bench.name(), bench.options()).acquire();
    bench.checkEquals(ReleaseOutcome.ALREADY_RELEASED, lease.release(), "the second release");
    lease.close();
    Holders.held(next, "a second release ended the next lease");
    Holders.released(next, "the next owner");
  }

  @Rule("OW-6")
  public void aLeaseMayBeUsedByAnyThread(Bench bench) throws Exception {
    LockClient client = bench.client();
    DistributedLock lock = client.lock(bench.name(), bench.options());
    Lease lease = onAnother(bench, lock::acquire);
    bench.check(onAnother(bench, lease::isValid), "not valid on another thread");
    bench.check(onAnother(bench, () -> !lease.remaining().isZero()), "nothing remains there");
    onAnother(
        bench,
        () -> {
          lease.ensureValid();
          lease.extend(bench.ttl());
          return true;
        });
    Holders.held(lease, "not valid on this thread");
    bench.checkEquals(
        ReleaseOutcome.RELEASED,
        onAnother(bench, lease::release),
        "release by a thread that has not acquired it");
    bench.check(!lease.isValid(), "valid after another thread has released it");
    Lease next =
        Holders.free(
            bench,
            bench.client().lock(bench.name(), bench.options()),
            Duration.ZERO,
            "after another thread has released it");
    Holders.released(next, "the next owner");
    Lease again = Holders.free(bench, lock, Duration.ZERO, "for the client that had it");
    onAnother(
        bench,
        () -> {
          again.close();
          return true;
        });
    Holders.free(
        bench,
        bench.client().lock(bench.name(), bench.options()),
        Duration.ZERO,
        "after another thread has closed its lease");
  }

  /** On a thread that has ended then. */
  private static <T> T onAnother(Bench bench, Callable<T> task) throws InterruptedException {
    FutureTask<T> work = new FutureTask<>(task);
    Thread thread = new Thread(work);
    thread.start();
    T answer = bench.get(work, Bench.SLACK);
    thread.join();
    return answer;
  }

  @Rule("OW-7")
  public void closeNeverHidesAnExceptionOfTheBody(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    Lease held = client.lock(bench.name(), bench.options()).acquire();
    IllegalStateException thrown =
        bench.expect(
            IllegalStateException.class,
            () -> {
              try {
                link.refuse();
                throw new IllegalStateException("the body's, with " + held.lockName());
              } finally {
                // Not by try-with-resources, which would put up with a close that throws.
                held.close();
              }
            });
    bench.check(
        Bench.message(thrown).startsWith("the body's"),
        "expected the exception of the body, but close hid it behind " + thrown);
    link.heal();
  }

  @Rule("OW-8")
  public void aReleaseWithoutAnAnswerIsMadeGood(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    Lease lease = client.lock(bench.name(), bench.longTtl()).acquire();
    link.refuse();
    ReleaseOutcome outcome = lease.release();
    bench.check(
        outcome == ReleaseOutcome.UNKNOWN || outcome == ReleaseOutcome.ALREADY_LOST,
        "expected the release of a client that is cut off to answer UNKNOWN or ALREADY_LOST, but it answered "
            + outcome);
    bench.check(
        !lease.isValid(),
        "expected a lease to have ended with its release, but it says that it is valid");
    link.heal();
    Optional<Lease> again =
        client
            .lock(bench.name(), bench.longTtl())
            .tryAcquire(bench.freeAfterDeath().plus(Bench.SLACK));
    bench.check(
        again.isPresent(),
        "expected the client to lock again after its release was made good, but it is refused"
            + bench.atTheServer());
    again.orElseThrow().release();
    bench.awaitNothingLeft(bench.freeAfterDeath().plus(Bench.SLACK));
  }
}
