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

  @Rule(value = "OW-1", lookAt = "how owner ids are made, in the engine (lock-api)")
  public void ownerIdsAreUniqueAndReadable(RuleContext context) throws InterruptedException {
    List<LockClient> clients = new ArrayList<>();
    for (int i = 0; i < SAME_NAME; i++) {
      clients.add(context.client(ClientOptions.defaults().withClientName(NAME)));
    }
    Set<String> seen = new HashSet<>();
    List<String> firsts = new ArrayList<>();
    for (LockClient client : clients) {
      for (int i = 0; i < 10; i++) {
        try (Lease lease = client.lock(context.name(), context.options()).acquire()) {
          context.check(
              seen.add(lease.ownerId()),
              "expected each lease to have an owner id of its own, but two have "
                  + lease.ownerId());
          context.check(
              lease.ownerId().contains(NAME),
              "expected an owner id with the client's name, billing, but it is " + lease.ownerId());
          if (i == 0) {
            firsts.add(lease.ownerId());
          }
        }
      }
    }
    context.fixture().settings().ifPresent(settings -> firsts.add(elsewhere(context, settings)));
    for (int i = 1; i < firsts.size(); i++) {
      for (String other : firsts.subList(0, i)) {
        context.check(
            differences(firsts.get(i), other) >= DIFFERENT,
            "expected owner ids that differ in %d characters at least, but found %s and %s"
                .formatted(DIFFERENT, firsts.get(i), other));
      }
    }
  }

  /** The first of another process with a client of the same name. */
  private static String elsewhere(RuleContext context, Map<String, String> settings) {
    Map<String, String> named = new HashMap<>(settings);
    named.put("client-name", NAME);
    Worker worker = context.closing(Worker.start(named));
    String id =
        worker.ask("acquire " + context.name() + " " + context.ttl().toMillis()).split(" ", -1)[2];
    worker.ask("release");
    return id;
  }

  /** In how many places two texts differ. */
  private static int differences(String one, String other) {
    int common = Math.min(one.length(), other.length());
    return Math.max(one.length(), other.length())
        - (int) IntStream.range(0, common).filter(i -> one.charAt(i) == other.charAt(i)).count();
  }

  @Rule(value = "OW-2", lookAt = "release(): whether compare and delete are one atomic step")
  public void releaseOfAnExpiredLeaseLeavesTheNextOwner(RuleContext context)
      throws InterruptedException {
    LockOptions fixed = context.options().withRenewal(Renewal.none());
    Lease old = context.client().lock(context.name(), fixed).acquire();
    Lease next =
        context
            .client()
            .lock(context.name(), context.options())
            .acquire(context.ttl().plus(RuleContext.SLACK));
    context.checkEquals(
        ReleaseOutcome.ALREADY_LOST,
        old.release(),
        "the answer to the release of an expired lease");
    Holders.refused(
        next,
        context.client().lock(context.name(), context.options()).tryAcquire(),
        "the release of an expired lease freed the next owner's lock");
    Holders.released(next, "the next owner");
  }

  @Rule(value = "OW-3", lookAt = "release(): whether compare and delete are one atomic step")
  public void aSlowReleaseLeavesTheNextOwner(RuleContext context) throws Exception {
    TcpProxy link = context.link();
    LockOptions fixed = context.options().withRenewal(Renewal.none());
    LockClient slow = context.client(link);
    Lease old = slow.lock(context.name(), fixed).acquire();
    // Another release on the same connection, so that nothing may depend on having it alone.
    Lease beside = slow.lock(context.name() + "-beside", context.longTtl()).acquire();
    Future<Lease> waiter =
        context.start(
            () ->
                context
                    .client()
                    .lock(context.name(), context.options())
                    .acquire(context.freeAfterDeath().plus(RuleContext.SLACK)));
    // The release begins in time; every answer it waits for comes when the lock is another's.
    Duration late = context.ttl().dividedBy(2);
    context.await(
        "the last third of the lease",
        context.ttl().plus(RuleContext.SLACK),
        () -> old.remaining().compareTo(context.ttl().dividedBy(4)) < 0);
    link.delay(Direction.TO_CLIENT, late);
    beside.releaseAsync();
    context.checkInTime(
        old.isValid(), "expected the lease to be valid when its release begins, but it had ended");
    old.releaseAsync();
    Lease next = context.get(waiter, context.freeAfterDeath().plus(RuleContext.SLACK));
    context.letPass(late.multipliedBy(2));
    link.heal();
    Holders.refused(
        next,
        context.client().lock(context.name(), context.options()).tryAcquire(),
        "a release that was slow freed the next owner's lock");
    Holders.released(next, "the next owner");
  }

  @Rule(value = "OW-4", lookAt = "renew(): whether compare and extend are one atomic step")
  public void aSlowRenewalLeavesTheNextOwner(RuleContext context) throws Exception {
    TcpProxy link = context.link();
    LockClient slow = context.client(link);
    Lease old = slow.lock(context.name(), context.options()).acquire();
    Duration late = context.freeAfterDeath().plus(context.ttl().dividedBy(2));
    link.delay(Direction.TO_CLIENT, late);
    // A client that receives nothing, but can send, can ask for as long as a session lasts, and be
    // alive to the server.
    Lease next =
        context
            .client()
            .lock(context.name(), context.options())
            .acquire(context.freeAfterDeath().multipliedBy(2).plus(RuleContext.SLACK));
    Holders.over(old, "two are valid");
    link.heal();
    context.letPass(context.ttl());
    Holders.released(next, "the next owner");
    Optional<Lease> third = context.client().lock(context.name(), context.options()).tryAcquire();
    context.check(
        third.isPresent(),
        "expected the lock to be free after the next owner's release, but it is refused");
    context.letPass(context.ttl().dividedBy(2));
    Holders.released(third.orElseThrow(), "the third owner");
  }

  @Rule(value = "OW-5", lookAt = "release(): what it deletes for a claim that has ended")
  public void aSecondReleaseDoesNothingAndSaysSo(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    Lease lease = client.lock(context.name(), context.options()).acquire();
    Holders.released(lease, "the first owner");
    Lease next = client.lock(context.name(), context.options()).acquire();
    context.checkEquals(
        ReleaseOutcome.ALREADY_RELEASED, lease.release(), "the answer to the second release");
    lease.close();
    Holders.held(next, "a second release ended the next lease");
    Holders.released(next, "the next owner");
  }

  @Rule(value = "OW-6", lookAt = "attempt() and release(): state that is bound to a thread")
  public void aLeaseMayBeUsedByAnyThread(RuleContext context) throws Exception {
    LockClient client = context.client();
    DistributedLock lock = client.lock(context.name(), context.longTtl());
    Lease lease = onAnother(context, lock::acquire);
    context.check(
        onAnother(context, lease::isValid),
        "expected the lease to be valid on another thread, but it is not");
    context.check(
        onAnother(context, () -> !lease.remaining().isZero()),
        "expected some time to remain on another thread, but none does");
    onAnother(
        context,
        () -> {
          lease.ensureValid();
          lease.extend(context.ttl());
          return true;
        });
    Holders.held(lease, "not valid on this thread");
    context.checkEquals(
        ReleaseOutcome.RELEASED,
        onAnother(context, lease::release),
        "the answer to the release by another thread");
    Holders.ended(lease, "when another thread has released it");
    Lease next =
        Holders.free(
            context,
            context.client().lock(context.name(), context.options()),
            Duration.ZERO,
            "after another thread has released it");
    Holders.released(next, "the next owner");
    Lease again = Holders.free(context, lock, Duration.ZERO, "for the client that had it");
    onAnother(
        context,
        () -> {
          again.close();
          return true;
        });
    Holders.free(
        context,
        context.client().lock(context.name(), context.options()),
        Duration.ZERO,
        "after another thread has closed its lease");
  }

  /** On a thread that has ended then. */
  private static <T> T onAnother(RuleContext context, Callable<T> task)
      throws InterruptedException {
    FutureTask<T> work = new FutureTask<>(task);
    Thread thread = new Thread(work);
    thread.start();
    T answer = context.get(work, RuleContext.SLACK);
    thread.join();
    return answer;
  }

  @Rule(value = "OW-7", lookAt = "release(): whether it fails its stage instead of throwing")
  public void closeNeverHidesAnExceptionOfTheBody(RuleContext context) throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    Lease held = client.lock(context.name(), context.options()).acquire();
    IllegalStateException thrown =
        context.expect(
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
    context.check(
        RuleContext.message(thrown).startsWith("the body's"),
        "expected the exception of the body, but close hid it behind " + thrown);
    link.heal();
  }

  @Rule(value = "OW-8", lookAt = "release(): whether its stage fails when no answer comes")
  public void aReleaseWithoutAnAnswerIsMadeGood(RuleContext context) throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    Lease lease = client.lock(context.name(), context.longTtl()).acquire();
    link.refuse();
    ReleaseOutcome outcome = lease.release();
    context.check(
        outcome == ReleaseOutcome.UNKNOWN || outcome == ReleaseOutcome.ALREADY_LOST,
        "expected the release of a client that is cut off to answer UNKNOWN or ALREADY_LOST, but it answered "
            + outcome);
    Holders.ended(lease, "with its release");
    link.heal();
    Optional<Lease> again =
        client
            .lock(context.name(), context.longTtl())
            .tryAcquire(context.freeAfterDeath().plus(RuleContext.SLACK));
    context.check(
        again.isPresent(),
        "expected the client to lock again after its release was made good, but it is refused"
            + context.atTheServer());
    again.orElseThrow().release();
    context.awaitNothingLeft(context.freeAfterDeath().plus(RuleContext.SLACK));
  }
}
