/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.tck.NamedFault;
import io.holdfast.lock.tck.NamedFault.Loss;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The faults of a link. */
final class LinkFaults {

  private static final Duration MOMENT = Duration.ofMillis(50);
  private static final Duration SHORT = Duration.ofMillis(200);
  private static final Duration FLAP = Duration.ofMillis(100);
  private static final long SLOW_BYTES_PER_SECOND = 4_000;

  private LinkFaults() {}

  /**
   * All of it. Lost replies are soon over, and what they do wrong depends on whose reply it was;
   * and late ones show which process takes its time from the answer: so there are more of them.
   *
   * @param ttl how long a lease lasts that cannot be renewed
   * @param loss what it means to locks that a connection breaks: {@link Loss#NONE}, or {@link
   *     Loss#POSSIBLE} where they live as long as one, and the server hears of it at the same time
   */
  static List<NamedFault> of(TcpProxy link, Duration ttl, Loss loss) {
    Duration longest = ttl.multipliedBy(3).dividedBy(2);
    NamedFault lost = breaking("lost reply", SHORT, loss, link, link::loseNextReply);
    NamedFault late =
        fault("delay of replies", longest, link, () -> delay(link, Direction.TO_CLIENT, ttl));
    return List.of(
        lost,
        lost,
        lost,
        late,
        dying(link, ttl),
        dying(link, ttl),
        fault("delay of requests", longest, link, () -> delay(link, Direction.TO_SERVER, ttl)),
        fault("throttle", longest, link, () -> throttle(link)),
        breaking("cut", MOMENT, loss, link, link::cut),
        fault("stall of requests", longest, link, () -> link.stall(Direction.TO_SERVER)),
        fault("stall of replies", longest, link, () -> link.stall(Direction.TO_CLIENT)),
        fault("stall", longest, link, () -> link.stall(Direction.values())),
        overtaken(link, longest, Direction.TO_SERVER),
        overtaken(link, longest, Direction.TO_CLIENT),
        halfOpen(link, ttl),
        breaking("cut, then slow", longest, loss, link, () -> cutThenSlow(link, ttl)),
        breaking("refusal", longest, loss, link, link::refuse),
        flapping(link, longest, loss));
  }

  private static NamedFault fault(String name, Duration longest, TcpProxy link, Runnable begin) {
    return breaking(name, longest, Loss.NONE, link, begin);
  }

  private static NamedFault breaking(
      String name, Duration longest, Loss loss, TcpProxy link, Runnable begin) {
    return new NamedFault(name, MOMENT, longest, loss, begin, link::heal);
  }

  private static NamedFault overtaken(TcpProxy link, Duration longest, Direction direction) {
    String what = direction == Direction.TO_SERVER ? "requests" : "replies";
    return fault(
        "stall of " + what + " on old connections",
        longest,
        link,
        () -> link.stallExisting(direction));
  }

  /**
   * Requests on connections that were given up meanwhile arrive, and the ends of these connections
   * do not.
   */
  private static NamedFault halfOpen(TcpProxy link, Duration ttl) {
    return restless(
        "late requests on half-open connections",
        ttl,
        ttl.multipliedBy(9).dividedBy(5),
        Loss.NONE,
        link,
        ended -> {
          link.stallExisting(Direction.TO_SERVER);
          ended.await(ttl.toNanos() * 4 / 5, TimeUnit.NANOSECONDS);
          link.deliverButEnds();
          ended.await();
        });
  }

  private static void cutThenSlow(TcpProxy link, Duration ttl) {
    for (Direction direction : Direction.values()) {
      link.delayNew(direction, ttl.dividedBy(10));
    }
    link.cut();
  }

  private static void delay(TcpProxy link, Direction direction, Duration ttl) {
    link.delay(direction, ttl.dividedBy(6));
  }

  private static void throttle(TcpProxy link) {
    for (Direction direction : Direction.values()) {
      link.throttle(direction, SLOW_BYTES_PER_SECOND);
    }
  }

  private static NamedFault flapping(TcpProxy link, Duration longest, Loss loss) {
    return restless(
        "flapping",
        FLAP.multipliedBy(4),
        longest,
        loss,
        link,
        ended -> {
          do {
            link.refuse();
            ended.await(FLAP.toNanos(), TimeUnit.NANOSECONDS);
            link.heal();
          } while (!ended.await(FLAP.toNanos(), TimeUnit.NANOSECONDS));
        });
  }

  /** Locks that are held then were renewed by late answers, and are not renewed any more. */
  static NamedFault dying(TcpProxy link, Duration ttl) {
    return restless(
        "delay of replies, then stall",
        ttl.multipliedBy(8).dividedBy(5),
        ttl.multipliedBy(9).dividedBy(5),
        Loss.NONE,
        link,
        ended -> {
          delay(link, Direction.TO_CLIENT, ttl);
          if (!ended.await(ttl.toNanos() / 2, TimeUnit.NANOSECONDS)) {
            link.stall(Direction.values());
            ended.await();
          }
        });
  }

  private static NamedFault restless(
      String name,
      Duration shortest,
      Duration longest,
      Loss loss,
      TcpProxy link,
      Unrest.Steps steps) {
    Unrest[] now = new Unrest[1];
    return new NamedFault(
        name,
        shortest,
        longest,
        loss,
        () -> now[0] = new Unrest(steps),
        () -> {
          now[0].end();
          link.heal();
        });
  }

  /** Something that goes on by itself, on a thread of its own. */
  private static final class Unrest {

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;

    interface Steps {
      void until(CountDownLatch ended) throws InterruptedException;
    }

    Unrest(Steps steps) {
      thread = new Thread(() -> run(steps), "nemesis-unrest");
      thread.setDaemon(true);
      thread.start();
    }

    private void run(Steps steps) {
      try {
        steps.until(ended);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void end() {
      ended.countDown();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
