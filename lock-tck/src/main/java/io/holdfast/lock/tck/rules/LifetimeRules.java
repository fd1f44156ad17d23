/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.Bound;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** LT: how long a lease lasts. */
public final class LifetimeRules {

  private static final Duration HOUR = Duration.ofHours(1);

  @Rule(value = "LT-1", lookAt = "the TTL or session that frees the lock of a dead holder")
  public void theLockOfAKilledHolderIsFreeInTime(RuleContext context) throws InterruptedException {
    Worker worker = context.worker();
    LockClient client = context.client();
    worker.ask("acquire " + context.name() + " " + context.ttl().toMillis());
    freeInTimeOnceKilled(context, worker, client, "of a holder that was killed");
  }

  private static void freeInTimeOnceKilled(
      RuleContext context, Worker holder, LockClient client, String whose)
      throws InterruptedException {
    long killed = System.nanoTime();
    holder.jvm().kill();
    Optional<Lease> next =
        client
            .lock(context.name(), context.options())
            .tryAcquire(context.freeAfterDeath().plus(RuleContext.SLACK));
    context.checkInTime(
        next.isPresent(),
        "expected the lock %s to be free within %s, but it is refused"
            .formatted(whose, TimeText.of(context.freeAfterDeath())));
    context.measured(Bound.FREE_AFTER_DEATH, killed, context.freeAfterDeath());
  }

  @Rule(value = "LT-2", lookAt = "attempt(): the TTL that it sets at the server")
  public void nobodyIsGrantedTheLockBeforeTheLeaseHasEnded(RuleContext context) throws Exception {
    LockOptions fixed = context.options().withRenewal(Renewal.none());
    Lease first = context.client().lock(context.name(), fixed).acquire();
    Future<Long> lastValid = context.lastValid(first);
    context
        .client()
        .lock(context.name(), context.options())
        .acquire(context.ttl().plus(RuleContext.SLACK));
    long granted = System.nanoTime();
    long last = context.get(lastValid, RuleContext.SLACK);
    Holders.endedBefore(granted, last, "a lease that is not renewed");
  }

  @Rule(value = "LT-3", lookAt = "the lease time that attempt() and renew() answer")
  public void validityCountsFromBeforeTheRequest(RuleContext context) throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    AtomicInteger renewals = RecordedEvents.count(client, LockEvent.Renewed.class);
    Duration delay = context.ttl().dividedBy(4);
    link.delay(Direction.TO_CLIENT, delay);
    Duration ttl = context.ttl().multipliedBy(2);
    LockOptions options = context.options().withTtl(ttl);
    Lease lease = acquireSlowly(context, client, options, delay);
    // The server began to count before it answered, and the answer took this long at least.
    Duration longest = mostFor(context, ttl).minus(delay);
    checkAtMost(context, lease, longest, "a grant");
    context.await(
        "two renewals",
        context.freeAfterDeath().multipliedBy(2).plus(RuleContext.SLACK),
        () -> {
          checkAtMost(context, lease, longest, "a renewal");
          return renewals.get() >= 2;
        });
    lease.release();
    Lease fixed = acquireSlowly(context, client, options.withRenewal(Renewal.none()), delay);
    Duration longer = context.ttl().multipliedBy(3);
    fixed.extend(longer);
    checkAtMost(context, fixed, mostFor(context, longer).minus(delay), "an extension");
    link.heal();
  }

  private static void checkAtMost(RuleContext context, Lease lease, Duration most, String what) {
    context.checkAtMost(
        most, lease.remaining(), "what remains after " + what + ", whose answer was delayed");
  }

  /** How long the server may keep a lock after it was asked to keep it for a TTL. */
  private static Duration mostFor(RuleContext context, Duration ttl) {
    return context.promises().lifetime() == Capabilities.Lifetime.TTL
        ? ttl
        : context.freeAfterDeath();
  }

  private static Lease acquireSlowly(
      RuleContext context, LockClient client, LockOptions options, Duration delay)
      throws InterruptedException {
    Duration limit = context.ttl().multipliedBy(4).plus(RuleContext.SLACK);
    try {
      return client.lock(context.name(), options).acquire(limit);
    } catch (LockUnavailableException | LockTimeoutException e) {
      throw new DeadlineMissed(
          "expected a lease within %s although each answer takes %s, but there is none: is 'command-timeout' too short for the round trips of an attempt?"
              .formatted(TimeText.of(limit), TimeText.of(delay)),
          e);
    }
  }

  @Rule(value = "LT-4", lookAt = "release(): how it undoes a grant that came too late")
  public void aGrantThatComesTooLateIsNotHandedOut(RuleContext context)
      throws InterruptedException {
    if (context.promises().lifetime() != Capabilities.Lifetime.TTL) {
      throw context.notPromised("a session has no TTL for each lock that could run out on the way");
    }
    TcpProxy link = context.link();
    LockClient client = context.patientClient(link);
    Holders.released(client.lock(context.name(), context.options()).acquire(), "the first");
    // The server grants for a whole TTL when the request comes; by then it is of no use any more.
    Duration delay = context.freeAfterDeath().plus(context.ttl().dividedBy(10));
    link.delay(Direction.TO_SERVER, delay);
    long asked = System.nanoTime();
    LockUnavailableException told =
        context.expect(
            LockUnavailableException.class,
            () -> client.lock(context.name(), context.options()).tryAcquire());
    long answered = System.nanoTime();
    link.heal();
    context.checkSays(told, context.name());
    context.awaitNothingLeft(context.ttl());
    // Where it was granted by the first request, it is known when it would have gone by itself.
    long goesAt = asked + delay.plus(context.ttl()).toNanos();
    context.checkInTime(
        answered - asked > 2 * delay.toNanos() || System.nanoTime() - goesAt < 0,
        "expected the grant to be undone before its TTL ends, but the check came too late to tell");
  }

  @Rule(value = "LT-5", lookAt = "attempt(): the TTL that it sets at the server")
  public void aLeaseOfFixedTimeEndsThoughItsHolderLives(RuleContext context) throws Exception {
    LockClient client = context.client();
    long asked = System.nanoTime();
    Lease lease =
        client.lock(context.name(), context.options().withRenewal(Renewal.none())).acquire();
    Duration atMost = context.ttl().plus(RuleContext.SLACK);
    context.checkEquals(
        LossReason.EXPIRED, context.get(lease.loss(), atMost).reason(), "the reason of the loss");
    Duration lasted = Duration.ofNanos(System.nanoTime() - asked);
    context.check(
        lasted.toNanos() >= context.ttl().toNanos() * 9 / 10,
        "expected the lease to last for %s, but it ended after %s"
            .formatted(TimeText.of(context.ttl()), TimeText.of(lasted)));
    Holders.ended(lease, "by itself");
    Holders.free(
        context, context.client().lock(context.name(), context.options()), atMost, "after its end");
  }

  @Rule(value = "LT-6", lookAt = "renew(): whether it moves the end at the server")
  public void extendMovesTheEndOfALeaseOfFixedTime(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    // Not opened while the extension runs: on a busy machine that may take longer than it lasts.
    DistributedLock rival = context.client().lock(context.name(), context.options());
    Lease lease =
        client.lock(context.name(), context.options().withRenewal(Renewal.none())).acquire();
    lease.extend(context.ttl().multipliedBy(3));
    context.letPass(context.ttl().multipliedBy(2));
    Holders.held(lease, "an extended lease ended at its first end");
    Holders.refused(
        lease,
        rival.tryAcquire(),
        "granted to another client while the lease that was extended is valid");
    context.await(
        "the end of the extension",
        context.ttl().multipliedBy(2).plus(RuleContext.SLACK),
        () -> !lease.isValid());
  }

  @Rule(value = "LT-7", lookAt = "renew(): whether it can set an earlier end than there is")
  public void extendNeverShortens(RuleContext context) throws InterruptedException {
    Duration longTtl = context.ttl().multipliedBy(10);
    Lease lease =
        context
            .client()
            .lock(context.name(), context.options().withTtl(longTtl).withRenewal(Renewal.none()))
            .acquire();
    lease.extend(context.ttl());
    context.letPass(context.ttl().plus(context.ttl().dividedBy(2)));
    Holders.held(lease, "an extension shortened the lease");
    Holders.refused(
        lease,
        context.client().lock(context.name(), context.options()).tryAcquire(),
        "an extension shortened the lease at the server");
  }

  @Rule(value = "LT-8", lookAt = "the lease time that attempt() and renew() answer")
  public void remainingIsPositiveWhileValidAndZeroAfter(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    AtomicInteger renewals = RecordedEvents.count(client, LockEvent.Renewed.class);
    Lease lease = client.lock(context.name(), context.options()).acquire();
    context.await(
        "three renewals",
        context.freeAfterDeath().multipliedBy(2).plus(RuleContext.SLACK),
        () -> {
          Duration remaining = lease.remaining();
          context.check(
              !remaining.isNegative(),
              "expected some time to remain, but found " + TimeText.of(remaining));
          context.checkInTime(
              !remaining.isZero(), "expected some time to remain while renewed, but none does");
          context.checkAtMost(context.freeAfterDeath(), remaining, "what remains of a lease");
          lease.ensureValid();
          return renewals.get() >= 3;
        });
    Holders.released(lease, "the first");
    checkOver(context, lease, "release");
    Lease fixed =
        client.lock(context.name(), context.options().withRenewal(Renewal.none())).acquire();
    context.await("its end", context.ttl().plus(RuleContext.SLACK), () -> !fixed.isValid());
    checkOver(context, fixed, "its end");
  }

  private static void checkOver(RuleContext context, Lease lease, String what) {
    context.checkEquals(Duration.ZERO, lease.remaining(), "what remains after " + what);
    context.expect(
        LockLostException.class,
        () -> {
          lease.ensureValid();
          return "no exception";
        });
  }

  @Rule(value = "LT-9", lookAt = "threads that are not daemons, and the TTL or session")
  public void theLockOfAForgottenClientIsFreeInTime(RuleContext context)
      throws InterruptedException {
    Worker worker = context.worker();
    worker.ask("acquire " + context.name() + " " + context.ttl().toMillis());
    worker.ask("forget");
    context.await(
        "the end of a JVM whose main has ended and whose client was not closed",
        Duration.ofSeconds(10),
        () -> worker.jvm().exitCode().isPresent());
    long ended = System.nanoTime();
    context.checkInTime(
        context
            .client()
            .lock(context.name(), context.options())
            .tryAcquire(context.freeAfterDeath().plus(RuleContext.SLACK))
            .isPresent(),
        "expected the lock of a client that was not closed to be free within %s, but it is refused"
            .formatted(TimeText.of(context.freeAfterDeath())));
    context.measured(Bound.FREE_AFTER_DEATH, ended, context.freeAfterDeath());
  }

  @Rule(value = "LT-10", lookAt = "claim() and attempt(): what they keep of an earlier claim")
  public void theTermsOfOneAcquisitionAreNotThoseOfAnother(RuleContext context)
      throws InterruptedException {
    DistributedLock lock = context.client().lock(context.name(), context.options());
    DistributedLock rival = context.client().lock(context.name(), context.options());
    lock.with(context.longTtl().withRenewal(Renewal.none())).acquire().release();
    Lease renewed = lock.acquire();
    Duration remaining = renewed.remaining();
    context.checkAtMost(
        context.freeAfterDeath(), remaining, "what remains of a lease after a longer one");
    context.letPass(context.ttl().multipliedBy(2));
    Holders.held(
        renewed,
        "it asks for renewal, and the lease before it, of the same client and name, did not");
    Holders.released(renewed, "the one that is renewed");
    Lease fixed = lock.with(context.options().withRenewal(Renewal.none())).acquire();
    context.await(
        "the end of a fixed time after a renewed one",
        context.ttl().plus(RuleContext.SLACK),
        () -> !fixed.isValid());
    rival.acquire(context.freeAfterDeath().plus(RuleContext.SLACK)).release();
  }

  @Rule(value = "LT-13", lookAt = "renew(): whether it sets the TTL anew where more is left")
  public void aLockThatTheServerKeepsForTooLongIsSoonKeptForItsTtl(RuleContext context)
      throws InterruptedException {
    Worker worker = context.worker();
    LockClient client = context.client();
    worker.ask("acquire " + context.name() + " " + context.ttl().toMillis());
    keptForAnHourLonger(context);
    // For renewals, the second of which is told what the first has done.
    context.letPass(context.ttl());
    freeInTimeOnceKilled(
        context,
        worker,
        client,
        "of a holder that was killed, though the server kept it for longer than asked,");
  }

  static void keptForAnHourLonger(RuleContext context) {
    if (!context.fixture().prolong(context.name(), HOUR)) {
      throw context.skipped("the server keeps nothing by its wall clock, or cannot be made to");
    }
  }
}
