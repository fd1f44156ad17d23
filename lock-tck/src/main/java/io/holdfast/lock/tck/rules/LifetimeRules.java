/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

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
import io.holdfast.lock.servers.FalseClock;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.spi.Capabilities.ExpiryClock;
import io.holdfast.lock.spi.TimeText;
import io.holdfast.lock.tck.Bound;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** LT: how long a lease lasts. */
public final class LifetimeRules {

  private static final Duration HOUR = Duration.ofHours(1);

  @Rule("LT-1")
  public void theLockOfAKilledHolderIsFreeInTime(Bench bench) throws InterruptedException {
    Worker worker = bench.worker();
    LockClient client = bench.client();
    worker.ask("acquire " + bench.name() + " " + bench.ttl().toMillis());
    freeInTimeOnceKilled(bench, worker, client, "a killed holder keeps the lock");
  }

  private static void freeInTimeOnceKilled(
      Bench bench, Worker holder, LockClient client, String otherwise) throws InterruptedException {
    long killed = System.nanoTime();
    holder.jvm().kill();
    Optional<Lease> next =
        client
            .lock(bench.name(), bench.options())
            .tryAcquire(bench.freeAfterDeath().plus(Bench.SLACK));
    bench.checkInTime(next.isPresent(), otherwise);
    bench.measured(Bound.FREE_AFTER_DEATH, killed, bench.freeAfterDeath());
  }

  @Rule("LT-2")
  public void nobodyIsGrantedTheLockBeforeTheLeaseHasEnded(Bench bench) throws Exception {
    LockOptions fixed = bench.options().withRenewal(Renewal.none());
    Lease first = bench.client().lock(bench.name(), fixed).acquire();
    Future<Long> lastValid = bench.lastValid(first);
    bench.client().lock(bench.name(), bench.options()).acquire(bench.ttl().plus(Bench.SLACK));
    long granted = System.nanoTime();
    long last = bench.get(lastValid, Bench.SLACK);
    if (last - granted >= 0) {
      throw new Overlap(
          "a lease that nobody renews was valid for %s beside the next"
              .formatted(TimeText.of(Duration.ofNanos(last - granted))));
    }
  }

  @Rule("LT-3")
  public void validityCountsFromBeforeTheRequest(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    AtomicInteger renewals = Heard.count(client, LockEvent.Renewed.class);
    Duration delay = bench.ttl().dividedBy(4);
    link.delay(Direction.TO_CLIENT, delay);
    Duration ttl = bench.ttl().multipliedBy(2);
    LockOptions options = bench.options().withTtl(ttl);
    Lease lease = acquireSlowly(bench, client, options, delay);
    // The server began to count before it answered, and the answer took this long at least.
    Duration longest = mostFor(bench, ttl).minus(delay);
    checkAtMost(bench, lease, longest, "a grant");
    bench.await(
        "two renewals",
        bench.freeAfterDeath().multipliedBy(2).plus(Bench.SLACK),
        () -> {
          checkAtMost(bench, lease, longest, "a renewal");
          return renewals.get() >= 2;
        });
    lease.release();
    Lease fixed = acquireSlowly(bench, client, options.withRenewal(Renewal.none()), delay);
    Duration longer = bench.ttl().multipliedBy(3);
    fixed.extend(longer);
    checkAtMost(bench, fixed, mostFor(bench, longer).minus(delay), "an extension");
    link.heal();
  }

  private static void checkAtMost(Bench bench, Lease lease, Duration most, String what) {
    Duration remaining = lease.remaining();
    bench.check(
        remaining.compareTo(most) <= 0,
        "after %s, whose answer was delayed, expected %s at most to remain, but %s do"
            .formatted(what, TimeText.of(most), TimeText.of(remaining)));
  }

  /** How long the server may keep a lock after it was asked to keep it for a TTL. */
  private static Duration mostFor(Bench bench, Duration ttl) {
    return bench.promises().lifetime() == Capabilities.Lifetime.TTL ? ttl : bench.freeAfterDeath();
  }

  private static Lease acquireSlowly(
      Bench bench, LockClient client, LockOptions options, Duration delay)
      throws InterruptedException {
    Duration limit = bench.ttl().multipliedBy(4).plus(Bench.SLACK);
    try {
      return client.lock(bench.name(), options).acquire(limit);
    } catch (LockUnavailableException | LockTimeoutException e) {
      throw new Late(
          "expected a lease within %s although each answer takes %s, but there is none: is 'command-timeout' too short for the round trips of an attempt?"
              .formatted(TimeText.of(limit), TimeText.of(delay)),
          e);
    }
  }

  @Rule("LT-4")
  public void aGrantThatComesTooLateIsNotHandedOut(Bench bench) throws InterruptedException {
    if (bench.promises().lifetime() != Capabilities.Lifetime.TTL) {
      throw bench.notPromised("a session has no TTL for each lock that could run out on the way");
    }
    TcpProxy link = bench.link();
    LockClient client = bench.patientClient(link);
    Holders.released(client.lock(bench.name(), bench.options()).acquire(), "the first");
    // The server grants for a whole TTL when the request comes; by then it is of no use any more.
    Duration delay = bench.freeAfterDeath().plus(bench.ttl().dividedBy(10));
    link.delay(Direction.TO_SERVER, delay);
    long asked = System.nanoTime();
    LockUnavailableException told =
        bench.expect(
            LockUnavailableException.class,
            () -> client.lock(bench.name(), bench.options()).tryAcquire());
    long answered = System.nanoTime();
    link.heal();
    bench.check(Bench.message(told).contains(bench.name()), "the lock is not named: " + told);
    bench.awaitNothingLeft(bench.ttl());
    // Where it was granted by the first request, it is known when it would have gone by itself.
    long goesAt = asked + delay.plus(bench.ttl()).toNanos();
    bench.checkInTime(
        answered - asked > 2 * delay.toNanos() || System.nanoTime() - goesAt < 0,
        "nothing is left, but it may have gone by itself");
  }

  @Rule("LT-5")
  public void aLeaseOfFixedTimeEndsThoughItsHolderLives(Bench bench) throws Exception {
    LockClient client = bench.client();
    long asked = System.nanoTime();
    Lease lease = client.lock(bench.name(), bench.options().withRenewal(Renewal.none())).acquire();
    Duration atMost = bench.ttl().plus(Bench.SLACK);
    bench.checkEquals(
        LossReason.EXPIRED, bench.get(lease.loss(), atMost).reason(), "the reason told");
    bench.check(
        System.nanoTime() - asked >= bench.ttl().toNanos() * 9 / 10, "ended long before its time");
    bench.check(
        !lease.isValid(),
        "expected a lease of fixed time to have ended, but it says that it is valid");
    Holders.free(
        bench, bench.client().lock(bench.name(), bench.options()), atMost, "after its end");
  }

  @Rule("LT-6")
  public void extendMovesTheEndOfALeaseOfFixedTime(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    // Not opened while the extension runs: on a busy machine that may take longer than it lasts.
    DistributedLock rival = bench.client().lock(bench.name(), bench.options());
    Lease lease = client.lock(bench.name(), bench.options().withRenewal(Renewal.none())).acquire();
    lease.extend(bench.ttl().multipliedBy(3));
    bench.letPass(bench.ttl().multipliedBy(2));
    Holders.held(lease, "an extended lease ended at its first end");
    Holders.refused(
        lease,
        rival.tryAcquire(),
        "granted to another client while the lease that was extended is valid");
    bench.await(
        "the end of the extension",
        bench.ttl().multipliedBy(2).plus(Bench.SLACK),
        () -> !lease.isValid());
  }

  @Rule("LT-7")
  public void extendNeverShortens(Bench bench) throws InterruptedException {
    Duration longTtl = bench.ttl().multipliedBy(10);
    Lease lease =
        bench
            .client()
            .lock(bench.name(), bench.options().withTtl(longTtl).withRenewal(Renewal.none()))
            .acquire();
    lease.extend(bench.ttl());
    bench.letPass(bench.ttl().plus(bench.ttl().dividedBy(2)));
    Holders.held(lease, "an extension shortened the lease");
    Holders.refused(
        lease,
        bench.client().lock(bench.name(), bench.options()).tryAcquire(),
        "an extension shortened the lease at the server");
  }

  @Rule("LT-8")
  public void remainingIsPositiveWhileValidAndZeroAfter(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    AtomicInteger renewals = Heard.count(client, LockEvent.Renewed.class);
    Lease lease = client.lock(bench.name(), bench.options()).acquire();
    bench.await(
        "three renewals",
        bench.freeAfterDeath().multipliedBy(2).plus(Bench.SLACK),
        () -> {
          Duration remaining = lease.remaining();
          bench.check(!remaining.isNegative(), "less than nothing remains: " + remaining);
          bench.checkInTime(!remaining.isZero(), "nothing remains of a lease that is renewed");
          bench.check(
              remaining.compareTo(bench.freeAfterDeath()) <= 0,
              "more remains than the server keeps: " + remaining);
          lease.ensureValid();
          return renewals.get() >= 3;
        });
    Holders.released(lease, "the first");
    checkOver(bench, lease, "release");
    Lease fixed = client.lock(bench.name(), bench.options().withRenewal(Renewal.none())).acquire();
    bench.await("its end", bench.ttl().plus(Bench.SLACK), () -> !fixed.isValid());
    checkOver(bench, fixed, "its end");
  }

  private static void checkOver(Bench bench, Lease lease, String what) {
    bench.checkEquals(Duration.ZERO, lease.remaining(), "what remains after " + what);
    bench.expect(
        LockLostException.class,
        () -> {
          lease.ensureValid();
          return "no exception";
        });
  }

  @Rule("LT-9")
  public void theLockOfAForgottenClientIsFreeInTime(Bench bench) throws InterruptedException {
    Worker worker = bench.worker();
    worker.ask("acquire " + bench.name() + " " + bench.ttl().toMillis());
    worker.ask("forget");
    bench.await(
        "the end of a JVM whose main has ended and whose client was not closed",
        Duration.ofSeconds(10),
        () -> worker.jvm().exitCode().isPresent());
    long ended = System.nanoTime();
    bench.checkInTime(
        bench
            .client()
            .lock(bench.name(), bench.options())
            .tryAcquire(bench.freeAfterDeath().plus(Bench.SLACK))
            .isPresent(),
        "a lock that was never released stays");
    bench.measured(Bound.FREE_AFTER_DEATH, ended, bench.freeAfterDeath());
  }

  @Rule("LT-10")
  public void theTermsOfOneAcquisitionAreNotThoseOfAnother(Bench bench)
      throws InterruptedException {
    DistributedLock lock = bench.client().lock(bench.name(), bench.options());
    DistributedLock rival = bench.client().lock(bench.name(), bench.options());
    lock.with(bench.longTtl().withRenewal(Renewal.none())).acquire().release();
    Lease renewed = lock.acquire();
    bench.check(
        renewed.remaining().compareTo(bench.freeAfterDeath()) <= 0,
        "the time of the lease before counts for the next: " + renewed.remaining());
    bench.letPass(bench.ttl().multipliedBy(2));
    Holders.held(
        renewed,
        "it asks for renewal, and the lease before it, of the same client and name, did not");
    Holders.released(renewed, "the one that is renewed");
    Lease fixed = lock.with(bench.options().withRenewal(Renewal.none())).acquire();
    bench.await(
        "the end of a fixed time after a renewed one",
        bench.ttl().plus(Bench.SLACK),
        () -> !fixed.isValid());
    rival.acquire(bench.freeAfterDeath().plus(Bench.SLACK)).release();
  }

  @Rule("LT-11")
  public void theWallClockOfTheHolderMeansNothing(Bench bench) throws InterruptedException {
    if (bench.promises().expiryClock() == ExpiryClock.SERVER_WALL_CLOCK
        && bench.fixture().server().isEmpty()) {
      throw bench.notPromised("expiry is on a wall clock, which may be the holder's");
    }
    FalseClock clock = falseClock(bench);
    Worker holder = bench.worker(clock.environment());
    DistributedLock rival = bench.client().lock(bench.name(), bench.options());
    for (Duration ahead : List.of(HOUR, HOUR.negated())) {
      set(bench, clock, ahead, holder);
      holder.ask("acquire " + bench.name() + " " + bench.ttl().toMillis());
      set(bench, clock, ahead.negated(), holder);
      bench.letPass(bench.freeAfterDeath());
      Optional<Lease> next = rival.tryAcquire();
      boolean held = Boolean.parseBoolean(holder.ask("valid"));
      if (next.isPresent() && held) {
        throw new Overlap("two hold, as the clock of one was set");
      }
      bench.checkInTime(held, "lost as its clock was set");
      bench.checkEquals(
          "Optional[RELEASED]", holder.ask("release"), "release after the clock was set");
      rival.acquire(bench.freeAfterDeath().plus(Bench.SLACK)).release();
    }
  }

  @Rule(value = "LT-12", alone = true)
  public void aStepOfTheServersWallClockIsHarmlessOrLearnt(Bench bench)
      throws InterruptedException {
    FalseClock clock = falseClock(bench);
    Server server = bench.server();
    if (!server.restartWith(clock)) {
      throw bench.skipped("this server cannot have a wall clock of its own: " + server.describe());
    }
    bench.closing(
        () -> {
          server.stop();
          server.start();
        });
    boolean expires = bench.promises().expiryClock() == ExpiryClock.SERVER_WALL_CLOCK;
    boolean ends = bench.promises().lifetime() == Capabilities.Lifetime.CONNECTION;
    LockClient client = bench.client();
    DistributedLock rival = bench.client().lock(bench.name(), bench.options());
    for (Duration ahead : List.of(HOUR, HOUR.negated())) {
      Lease held = client.lock(bench.name(), bench.options()).acquire();
      clock.set(ahead);
      Optional<Lease> next = granted(rival, FalseClock.SET_WITHIN.plus(bench.freeAfterDeath()));
      if (next.isPresent() && (expires || ends)) {
        bench.await(
            "the loss of a lock that the server has given away",
            bench.ttl().plus(Bench.SLACK),
            () -> !held.isValid());
        bench.checkTokenGrows(held, next.get());
        next.get().release();
      } else {
        Holders.refused(held, next, "granted to another client when the server's clock was set");
        held.release();
      }
    }
    if (expires) {
      throw bench.notPromised("its wall clock decides, so a step gives locks away; it was learnt");
    }
    if (ends) {
      throw bench.notPromised("a step may end a session, and with it its locks; it was learnt");
    }
  }

  @Rule("LT-13")
  public void aLockThatTheServerKeepsForTooLongIsSoonKeptForItsTtl(Bench bench)
      throws InterruptedException {
    Worker worker = bench.worker();
    LockClient client = bench.client();
    worker.ask("acquire " + bench.name() + " " + bench.ttl().toMillis());
    keptForAnHourLonger(bench);
    // For renewals, the second of which is told what the first has done.
    bench.letPass(bench.ttl());
    freeInTimeOnceKilled(bench, worker, client, "kept for longer than its holder has asked for");
  }

  static void keptForAnHourLonger(Bench bench) {
    if (!bench.fixture().prolong(bench.name(), HOUR)) {
      throw bench.skipped("the server keeps nothing by its wall clock, or cannot be made to");
    }
  }

  /** A step may end the connection that asks, and so be the last word. */
  private static Optional<Lease> granted(DistributedLock lock, Duration maxWait)
      throws InterruptedException {
    try {
      return lock.tryAcquire(maxWait);
    } catch (LockUnavailableException e) {
      return Optional.empty();
    }
  }

  private static FalseClock falseClock(Bench bench) {
    return bench.closing(
        FalseClock.create()
            .orElseThrow(() -> bench.skipped("libfaketime is missing (package faketime)")));
  }

  private static void set(Bench bench, FalseClock clock, Duration ahead, Worker holder) {
    clock.set(ahead);
    bench.await(
        "a clock that is set",
        Duration.ofSeconds(20),
        () -> {
          long told = Long.parseLong(holder.ask("clock"));
          long apart = told - System.currentTimeMillis() - ahead.toMillis();
          return Math.abs(apart) < HOUR.toMillis() / 2;
        });
  }
}
