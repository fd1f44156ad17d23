/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;

/** OW: only the owner ends a lease. */
public final class OwnershipRules {

  @Rule("OW-1")
  public void ownerIdsAreUniqueAndReadable(Bench bench) throws InterruptedException {
    LockClient one = bench.client(ClientOptions.defaults().withClientName("billing"));
    LockClient two = bench.client(ClientOptions.defaults().withClientName("billing"));
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      for (LockClient client : Set.of(one, two)) {
        try (Lease lease = client.lock(bench.name(), bench.options()).acquire()) {
          bench.check(
              seen.add(lease.ownerId()),
              "expected each lease to have an owner id of its own, but two have "
                  + lease.ownerId());
          bench.check(
              lease.ownerId().contains("billing"),
              "expected an owner id with the client's name, billing, but it is " + lease.ownerId());
          bench.check(
              lease.ownerId().length() >= 22,
              "expected an owner id of 22 characters or more, but it is " + lease.ownerId());
        }
      }
    }
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
    Lease lease = bench.client().lock(bench.name(), bench.options()).acquire();
    bench.check(
        bench.get(bench.start(lease::isValid), Bench.SLACK),
        "expected a lease to be valid on another thread, but it says that it is not");
    bench.checkEquals(
        ReleaseOutcome.RELEASED,
        bench.get(bench.start(lease::release), Bench.SLACK),
        "release on another thread");
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
