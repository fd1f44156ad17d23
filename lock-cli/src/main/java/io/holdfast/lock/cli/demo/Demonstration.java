/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.cli.common.Times;
import io.holdfast.lock.cli.demo.DemoOutput.State;
import io.holdfast.lock.cli.demo.DemoWorkers.Said;
import io.holdfast.lock.servers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Directs three workers through a kill, a suspension and a release, and shows every step. One
 * thread does all.
 */
final class Demonstration implements AutoCloseable {

  private static final String LOCK = "order:12345";
  private static final Duration START_LIMIT = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration PROMPT = Duration.ofMillis(500);
  private static final int RENEWALS_TO_SHOW = 2;

  private final DemoServers demoServers;
  private final Duration ttl;
  private final Duration slack;
  private final DemoOutput screen;
  private final OverlapCheck judge = new OverlapCheck();
  private final DemoWorkers demoWorkers = new DemoWorkers();
  private final Map<String, Report.Holds> grants = new LinkedHashMap<>();
  private final TakeOvers takeOvers;
  private final List<String> failures = new ArrayList<>();
  private int chapters;

  Demonstration(DemoServers demoServers, Duration ttl, Duration slack, DemoOutput screen) {
    this.demoServers = demoServers;
    this.ttl = ttl;
    this.slack = slack;
    this.screen = screen;
    this.takeOvers = new TakeOvers(slack, screen);
  }

  /** Plays to the end; true if nothing was seen that must not be. */
  boolean run() throws InterruptedException {
    startWorkers();
    String first = holder(await("the first grant", START_LIMIT, Demonstration::isGrant));
    for (String name : DemoWorkers.NAMES) {
      awaitState(name, name.equals(first) ? State.HOLDS : State.WAITS);
    }
    awaitRenewals(first);

    if (demoServers.dispensable() > 0) {
      chapter(
          "%d of %d servers are killed; the lock stays held."
              .formatted(demoServers.dispensable(), demoServers.servers().size()));
      killServers(first);
    }

    chapter("The holder is killed.");
    String second = kill(first);
    awaitRenewals(second);

    chapter("The holder is suspended, as by a long pause of its JVM or host.");
    String third = suspend(second);
    awaitRenewals(third);

    chapter("The holder releases.");
    String fourth = release(third);
    awaitRenewals(fourth);
    end(fourth);
    return verdict();
  }

  @Override
  public void close() {
    demoWorkers.close();
  }

  private void startWorkers() {
    screen.say(demoWorkers.start(LOCK, ttl, demoServers.settings()));
    screen.say("");
    screen.openLanes(DemoWorkers.NAMES);
  }

  private void chapter(String title) {
    chapters++;
    screen.chapter(chapters + ". " + title);
  }

  private void killServers(String holder) throws InterruptedException {
    for (Server server : demoServers.servers().subList(0, demoServers.dispensable())) {
      server.kill();
      screen.event(
          System.nanoTime(),
          "kill -9 a server, port " + server.port() + "; " + holder + " holds on");
    }
    awaitRenewals(holder);
    if (screen.state(holder) != State.HOLDS) {
      fail(holder + " lost the lock although a quorum of servers is alive");
    }
  }

  private String kill(String victim) throws InterruptedException {
    long at = takeOvers.because(victim + " killed", "the kill", demoServers.takeOver());
    demoWorkers.worker(victim).kill();
    judge.died(victim, at);
    screen.set(victim, State.DEAD);
    screen.event(at, "kill -9 " + victim + ", which holds the lock");
    return awaitTakeOver();
  }

  private String suspend(String victim) throws InterruptedException {
    long stale = grant(victim).token();
    long at = System.nanoTime();
    if (demoServers.freesFrozen()) {
      at = takeOvers.because(victim + " suspended", "the stop", demoServers.takeOver());
    }
    demoWorkers.worker(victim).suspend();
    screen.set(victim, State.SUSPENDED);
    screen.event(at, "SIGSTOP " + victim + ": it still believes that it holds the lock");
    if (demoServers.freesFrozen()) {
      awaitTakeOver();
    } else {
      screen.more("Its transaction stays open while it is suspended.");
      seeNoGrant(demoServers.takeOver());
      takeOvers.because(victim + " resumed", "it resumed", PROMPT);
    }

    long resumed = System.nanoTime();
    demoWorkers.worker(victim).resume();
    screen.event(resumed, "SIGCONT " + victim + ": its first check of its lease says");
    Said look =
        await(
            victim + " to check its lease",
            PATIENCE,
            its(victim, Report.Checked.class)
                .and(
                    one -> {
                      Report.Checked checked = (Report.Checked) one.report();
                      return !checked.valid() || checked.at() >= resumed;
                    }));
    if (((Report.Checked) look.report()).valid()) {
      fail(victim + " believed in its lease after the pause");
    }
    await(victim + " to be told of its loss", PATIENCE, its(victim, Report.Wants.class));
    if (takeOvers.isAwaited()) {
      awaitTakeOver();
    }
    // Where nobody could have it before, the first to ask may be the one that had it.
    String next = takeOvers.last();
    long current = grant(next).token();
    screen.more("%s's old token %d is smaller than".formatted(victim, stale));
    screen.more("%s's token %d: a store that compares".formatted(next, current));
    screen.more("them refuses what " + victim + " may still send.");
    if (stale >= current) {
      fail("the token of " + victim + " is not smaller than that of " + next);
    }
    if (!next.equals(victim)) {
      awaitState(victim, State.WAITS);
    }
    return next;
  }

  private String release(String owner) throws InterruptedException {
    takeOvers.because(owner + " released", "the release", PROMPT);
    screen.set(owner, State.DONE);
    screen.event(System.nanoTime(), owner + " is told to release");
    demoWorkers.worker(owner).send(Worker.RELEASE);
    return awaitTakeOver();
  }

  private void end(String owner) throws InterruptedException {
    screen.set(owner, State.DONE);
    screen.event(System.nanoTime(), owner + " releases, too; there are no more waiters");
    demoWorkers.worker(owner).send(Worker.RELEASE);
    for (String name : DemoWorkers.NAMES) {
      if (screen.state(name) == State.DONE) {
        demoWorkers.worker(name).awaitExit(PATIENCE);
      }
    }
    demoWorkers.rest().forEach(this::take);
  }

  private boolean verdict() {
    screen.chapter("Result");
    failures.addAll(takeOvers.show());
    failures.addAll(judge.findings());
    if (failures.isEmpty()) {
      screen.say(
          screen.good(
              "  OK: %d leases, never two at a time; every take-over in time; tokens grew."
                  .formatted(judge.grants())));
    } else {
      failures.forEach(failure -> screen.say(screen.bad("  FAILED: " + failure)));
    }
    return failures.isEmpty();
  }

  private String awaitTakeOver() throws InterruptedException {
    return holder(
        await(
            "a take-over",
            demoServers.takeOver().plus(slack).plus(PATIENCE),
            Demonstration::isGrant));
  }

  /** Shows what is said for a time, in which nobody may be given the lock. */
  private void seeNoGrant(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - end < 0) {
      demoWorkers
          .listen()
          .ifPresent(
              next -> {
                take(next);
                if (isGrant(next)) {
                  fail(
                      next.worker()
                          + " was granted the lock while another transaction that holds it is open");
                }
              });
    }
  }

  private void awaitRenewals(String owner) throws InterruptedException {
    for (int i = 0; i < RENEWALS_TO_SHOW; i++) {
      await("a renewal by " + owner, ttl.plus(PATIENCE), its(owner, Report.Renewed.class));
    }
  }

  private void awaitState(String name, State state) throws InterruptedException {
    if (screen.state(name) != state) {
      await("%s to be %s".formatted(name, state), START_LIMIT, one -> screen.state(name) == state);
    }
  }

  /** Shows and judges what is said, until what is awaited is said. */
  private Said await(String what, Duration limit, Predicate<? super Said> awaited)
      throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Optional<Said> next = demoWorkers.listen();
      if (next.isEmpty()) {
        for (String name : DemoWorkers.NAMES) {
          if (isExpectedAlive(name) && demoWorkers.hasEnded(name)) {
            throw new IllegalStateException(name + " ended by itself" + demoWorkers.lastWords());
          }
        }
      } else {
        take(next.get());
        if (awaited.test(next.get())) {
          return next.get();
        }
      }
      // Also while others have much to say.
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException(
            "Waited %s for %s without success%s"
                .formatted(Times.text(limit), what, demoWorkers.lastWords()));
      }
    }
  }

  private void take(Said next) {
    String name = next.worker();
    Report report = next.report();
    judge.accept(name, report);
    if (report instanceof Report.Wants) {
      screen.set(name, State.WANTS);
      screen.event(report.at(), name + " wants the lock");
    } else if (report instanceof Report.Waits && screen.state(name) == State.WANTS) {
      screen.set(name, State.WAITS);
      screen.event(report.at(), name + " has to wait");
    } else if (report instanceof Report.Holds holds) {
      grants.put(name, holds);
      screen.set(name, State.HOLDS);
      screen.event(holds.at(), "%s HOLDS, token %d".formatted(name, holds.token()));
      takeOvers.granted(name, holds);
    } else if (report instanceof Report.Renewed renewed && screen.state(name) == State.HOLDS) {
      screen.event(
          renewed.at(),
          "%s renewed, valid for %s more"
              .formatted(name, Times.text(Duration.ofNanos(renewed.until() - renewed.at()))));
    } else if (report instanceof Report.Checked checked && !checked.valid()) {
      screen.set(name, State.WANTS);
      screen.event(checked.at(), name + " isValid() = false");
    } else if (report instanceof Report.Lost lost) {
      screen.event(lost.at(), "%s onLoss: %s".formatted(name, lost.reason()));
    } else if (report instanceof Report.Released released) {
      screen.event(released.at(), "%s release() = %s".formatted(name, released.outcome()));
      if (released.outcome() != ReleaseOutcome.RELEASED) {
        fail("%s released what it held, and was told %s".formatted(name, released.outcome()));
      }
    }
  }

  private void fail(String why) {
    failures.add(why);
  }

  private boolean isExpectedAlive(String name) {
    State state = screen.state(name);
    return state != State.DEAD && state != State.DONE;
  }

  private Report.Holds grant(String name) {
    Report.Holds grant = grants.get(name);
    if (grant == null) {
      throw new IllegalStateException(name + " never held the lock");
    }
    return grant;
  }

  private static String holder(Said grant) {
    return grant.worker();
  }

  private static boolean isGrant(Said said) {
    return said.report() instanceof Report.Holds;
  }

  private static Predicate<Said> its(String worker, Class<? extends Report> kind) {
    return said -> said.worker().equals(worker) && kind.isInstance(said.report());
  }
}
