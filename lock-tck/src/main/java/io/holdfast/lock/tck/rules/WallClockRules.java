/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Capabilities.ExpiryClock;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.servers.FakeClock;
import io.holdfast.lock.servers.Server;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** LT: leases while the wall clock of a holder or a server is set. */
public final class WallClockRules {

  private static final Duration HOUR = Duration.ofHours(1);

  @Rule(value = "LT-11", lookAt = "uses of the wall clock in the holder's process")
  public void theWallClockOfTheHolderMeansNothing(RuleContext context) throws InterruptedException {
    if (context.promises().expiryClock() == ExpiryClock.SERVER_WALL_CLOCK
        && context.fixture().server().isEmpty()) {
      throw context.notPromised("expiry is on a wall clock, which may be the holder's");
    }
    FakeClock clock = falseClock(context);
    Worker holder = context.worker(clock.environment());
    DistributedLock rival = context.client().lock(context.name(), context.options());
    for (Duration ahead : List.of(HOUR, HOUR.negated())) {
      set(context, clock, ahead, holder);
      holder.ask("acquire " + context.name() + " " + context.ttl().toMillis());
      set(context, clock, ahead.negated(), holder);
      context.letPass(context.freeAfterDeath());
      Optional<Lease> next = rival.tryAcquire();
      boolean held = Boolean.parseBoolean(holder.ask("valid"));
      if (next.isPresent() && held) {
        throw new Overlap(
            "expected one holder though its clock was set, but two leases are valid at once");
      }
      context.checkInTime(
          held, "expected the lease to be valid though its clock was set, but it is not");
      context.checkEquals(
          "Optional[RELEASED]",
          holder.ask("release"),
          "the answer to the release after the clock was set");
      rival.acquire(context.freeAfterDeath().plus(RuleContext.SLACK)).release();
    }
  }

  @Rule(value = "LT-12", alone = true, lookAt = "how expiry depends on the server's clock")
  public void aStepOfTheServersWallClockIsHarmlessOrLearnt(RuleContext context)
      throws InterruptedException {
    FakeClock clock = falseClock(context);
    Server server = context.server();
    if (!server.restartWith(clock)) {
      throw context.skipped(
          "this server cannot have a wall clock of its own: " + server.describe());
    }
    context.closing(
        () -> {
          server.stop();
          server.start();
        });
    boolean expires = context.promises().expiryClock() == ExpiryClock.SERVER_WALL_CLOCK;
    boolean ends = context.promises().lifetime() == Capabilities.Lifetime.CONNECTION;
    LockClient client = context.client();
    DistributedLock rival = context.client().lock(context.name(), context.options());
    for (Duration ahead : List.of(HOUR, HOUR.negated())) {
      Lease held = client.lock(context.name(), context.options()).acquire();
      clock.set(ahead);
      Optional<Lease> next = granted(rival, FakeClock.SET_WITHIN.plus(context.freeAfterDeath()));
      if (next.isPresent() && (expires || ends)) {
        context.await(
            "the loss of a lock that the server has given away",
            context.ttl().plus(RuleContext.SLACK),
            () -> !held.isValid());
        context.checkTokenGrows(held, next.get());
        next.get().release();
      } else {
        Holders.refused(held, next, "granted to another client when the server's clock was set");
        held.release();
      }
    }
    if (expires) {
      throw context.notPromised(
          "its wall clock decides, so a step gives locks away; it was learnt");
    }
    if (ends) {
      throw context.notPromised("a step may end a session, and with it its locks; it was learnt");
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

  private static FakeClock falseClock(RuleContext context) {
    return context.closing(
        FakeClock.create()
            .orElseThrow(() -> context.skipped("libfaketime is missing (package faketime)")));
  }

  private static void set(RuleContext context, FakeClock clock, Duration ahead, Worker holder) {
    clock.set(ahead);
    context.await(
        "a clock that is set",
        Duration.ofSeconds(20),
        () -> {
          long told = Long.parseLong(holder.ask("clock"));
          long apart = told - System.currentTimeMillis() - ahead.toMillis();
          return Math.abs(apart) < HOUR.toMillis() / 2;
        });
  }
}
