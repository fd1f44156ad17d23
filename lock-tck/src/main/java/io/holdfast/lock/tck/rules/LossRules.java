/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Capabilities.Fencing;
import io.holdfast.lock.spi.Capabilities.Lifetime;
import io.holdfast.lock.spi.TimeText;
import io.holdfast.lock.tck.Bound;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** LS: a holder knows first that it lost, and is told. */
public final class LossRules {

  private static final int FLAPS = 30;
  private static final Duration FLAP = Duration.ofMillis(100);

  /** Threads and connections that come and go, whatever else is done. */
  @Rule("LS-1")
  public void aHolderThatIsCutOffStopsBeforeTheNextBegins(Bench bench) throws Exception {
    TcpProxy link = bench.link();
    Lease cutOff = bench.client(link).lock(bench.name(), bench.options()).acquire();
    Future<Long> lastValid = bench.lastValid(cutOff);
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    if (bench.promises().lifetime() == Lifetime.TRANSACTION) {
      bench.get(lastValid, bench.freeAfterDeath().plus(Bench.SLACK));
      link.heal();
      bench.client().lock(bench.name(), bench.options()).acquire(bench.freeAfterDeath());
      throw bench.notPromised(
          "it stops in time, but its transaction lasts for as long as its connection");
    }
    Lease next =
        bench
            .client()
            .lock(bench.name(), bench.options())
            .acquire(bench.freeAfterDeath().plus(Bench.SLACK));
    long granted = System.nanoTime();
    Holders.over(cutOff, "the holder that was cut off believes beside the next");
    long last = bench.get(lastValid, Bench.SLACK);
    if (last - granted >= 0) {
      throw new Overlap(
          "the lease of a holder that was cut off was valid for %s beside the next"
              .formatted(TimeText.of(Duration.ofNanos(last - granted))));
    }
    link.heal();
    bench.letPass(bench.ttl());
    bench.check(
        !cutOff.isValid(),
        "expected a lease that had ended to stay so, but it says that it is valid when the link is back");
    Holders.held(next, "the next holder lost it to the old one");
    bench.checkEquals(ReleaseOutcome.ALREADY_LOST, cutOff.release(), "release by the old one");
    Holders.released(next, "the next");
  }

  @Rule("LS-2")
  public void aLossIsToldOnceInTimeAndAfterTheValidity(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    Lease lease = bench.client(link).lock(bench.name(), bench.options()).acquire();
    List<Loss> told = new CopyOnWriteArrayList<>();
    AtomicBoolean validWhenTold = new AtomicBoolean();
    lease.onLoss(
        loss -> {
          validWhenTold.set(lease.isValid());
          told.add(loss);
        });
    long cutOff = System.nanoTime();
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    Duration inTime = lease.remaining().plus(Bench.SLACK);
    bench.await("the loss is told", inTime, () -> !told.isEmpty());
    bench.measured(Bound.LOSS_WHEN_CUT_OFF, cutOff, bench.freeAfterDeath());
    bench.check(
        !validWhenTold.get(),
        "expected a lease to have ended when its loss is told, but it was valid then");
    link.heal();
    bench.letPass(bench.ttl());
    bench.checkEquals(1, told.size(), "times that the loss was told");
    bench.checkEquals(lease.ownerId(), told.get(0).ownerId(), "who is told to have lost");
  }

  @Rule("LS-3")
  public void aDeletedLockIsFoundOutAndToldWithItsReason(Bench bench) throws InterruptedException {
    Lease lease = bench.client().lock(bench.name(), bench.options()).acquire();
    bench.revoke(lease);
    long revoked = System.nanoTime();
    bench.awaitEndOfRevoked(lease);
    Loss loss = bench.get(lease.loss(), bench.ttl().plus(Bench.SLACK));
    bench.measured(Bound.LOSS_WHEN_TAKEN_AWAY, revoked, bench.ttl());
    LossReason expected =
        bench.isBoundToConnection() ? LossReason.SESSION_ENDED : LossReason.REVOKED;
    bench.checkEquals(expected, loss.reason(), "the reason told");
    bench.check(
        !lease.isValid(),
        "expected a lease to have ended when its loss is told, but it says that it is valid");
  }

  @Rule("LS-4")
  public void anOutageIsToldWithItsReason(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    Lease lease = bench.client(link).lock(bench.name(), bench.options()).acquire();
    long cutOff = System.nanoTime();
    link.refuse();
    Loss loss = bench.get(lease.loss(), bench.freeAfterDeath().plus(Bench.SLACK));
    bench.measured(Bound.LOSS_WHEN_CUT_OFF, cutOff, bench.freeAfterDeath());
    bench.check(
        Set.of(LossReason.UNREACHABLE, LossReason.SESSION_ENDED).contains(loss.reason()),
        "expected the loss of a holder that is cut off to be told as UNREACHABLE or SESSION_ENDED, but it was told as "
            + loss.reason());
    link.heal();
  }

  @Rule("LS-5")
  public void aReleaseIsNoLoss(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    Lease lease = client.lock(bench.name(), bench.options()).acquire();
    AtomicBoolean told = new AtomicBoolean();
    lease.onLoss(loss -> told.set(true));
    CompletableFuture<Loss> future = lease.loss();
    lease.release();
    bench.letPass(bench.freeAfterDeath());
    bench.check(
        !told.get() && !future.isDone(),
        "expected no loss to be told after a release, but one was");
  }

  @Rule("LS-6")
  public void whoComesLateIsToldToo(Bench bench) throws InterruptedException {
    Lease lease =
        bench.client().lock(bench.name(), bench.options().withRenewal(Renewal.none())).acquire();
    bench.await("its end", bench.ttl().plus(Bench.SLACK), () -> !lease.isValid());
    CompletableFuture<Loss> told = new CompletableFuture<>();
    lease.onLoss(told::complete);
    bench.get(told, Bench.SLACK);
    bench.get(lease.loss(), Bench.SLACK);
  }

  @Rule("LS-7")
  public void theFirstLookAfterAPauseSaysNo(Bench bench) throws InterruptedException {
    Worker paused = bench.worker();
    String[] first =
        paused.ask("acquire " + bench.name() + " " + bench.ttl().toMillis()).split(" ", -1);
    paused.jvm().suspend();
    boolean free = bench.promises().lifetime() != Lifetime.TRANSACTION;
    if (!free) {
      bench.letPass(bench.freeAfterDeath());
      paused.jvm().resume();
      bench.checkEquals("false", paused.ask("valid"), "the first look after the pause");
    }
    Lease next =
        bench
            .client()
            .lock(bench.name(), bench.options())
            .acquire(bench.freeAfterDeath().plus(Bench.SLACK));
    if (free) {
      paused.jvm().resume();
      bench.checkEquals("false", paused.ask("valid"), "the first look after the pause");
    }
    bench.check(
        bench.promises().fencing() == Fencing.NONE
            || Long.parseLong(first[1]) < next.fencingToken(),
        "the token of the paused holder is not smaller than the next one's");
    bench.check(
        paused.ask("release").contains("ALREADY_LOST"), "the paused holder's release says so");
    Holders.held(next, "the next holder lost it to the paused one");
    if (!free) {
      throw bench.notPromised("its first look says no, but until then it keeps the lock");
    }
  }

  @Rule("LS-8")
  public void aLeaseThatSaidNoNeverSaysYes(Bench bench) throws Exception {
    TcpProxy link = bench.link();
    Lease lease = bench.client(link).lock(bench.name(), bench.options()).acquire();
    link.stall(Direction.TO_CLIENT);
    bench.await(
        "the end of the validity",
        bench.freeAfterDeath().plus(Bench.SLACK),
        () -> !lease.isValid());
    link.heal();
    long end = System.nanoTime() + bench.ttl().toNanos();
    while (System.nanoTime() - end < 0) {
      bench.check(
          !lease.isValid(),
          "expected a lease that was not valid to stay so, but it says that it is valid");
      bench.letPass(Duration.ofMillis(1));
    }
  }

  @Rule("LS-9")
  public void afterAnOutageTheClientWorksAgain(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    Lease lease = client.lock(bench.name(), bench.options()).acquire();
    link.refuse();
    bench.await("loss", bench.freeAfterDeath().plus(Bench.SLACK), () -> !lease.isValid());
    link.heal();
    Lease again =
        client
            .lock(bench.name(), bench.options())
            .acquire(bench.freeAfterDeath().plus(Duration.ofSeconds(10)));
    Holders.held(again, "granted after an outage");
    bench.checkTokenGrows(lease, again);
  }

  @Rule(value = "LS-10", alone = true)
  public void aServerThatHangsMeansLossInTime(Bench bench) throws Exception {
    Server server = bench.server();
    LockClient client = bench.client();
    Lease lease = client.lock(bench.name(), bench.options()).acquire();
    Loss loss;
    server.suspend();
    try {
      loss = bench.get(lease.loss(), bench.freeAfterDeath().plus(Bench.SLACK));
    } finally {
      server.resume();
    }
    bench.check(
        loss.reason() != LossReason.REVOKED,
        "expected another reason than REVOKED, as nobody took the lock away, but found " + loss);
    Lease again =
        client
            .lock(bench.name(), bench.options())
            .acquire(bench.freeAfterDeath().plus(Duration.ofSeconds(10)));
    Holders.over(lease, "two are valid after the server went on");
    Holders.held(again, "granted after the server went on");
  }

  @Rule(value = "LS-11", alone = true)
  public void aServerThatHesitatesIsNoLoss(Bench bench) throws InterruptedException {
    Server server = bench.server();
    Lease lease = bench.client().lock(bench.name(), bench.oftenRenewed()).acquire();
    server.suspend();
    bench.letPass(bench.ttl().dividedBy(4));
    server.resume();
    bench.letPass(bench.ttl().multipliedBy(2));
    Holders.held(lease, "lost because the server hesitated");
  }

  @Rule("LS-12")
  public void cancellingALossFutureConcernsNobodyElse(Bench bench) throws InterruptedException {
    Lease lease =
        bench.client().lock(bench.name(), bench.options().withRenewal(Renewal.none())).acquire();
    lease.loss().cancel(true);
    lease.loss().complete(new Loss("forged", "forged", LossReason.REVOKED));
    Loss loss = bench.get(lease.loss(), bench.ttl().plus(Bench.SLACK));
    bench.checkEquals(bench.name(), loss.lockName(), "the lock told");
  }

  @Rule("LS-13")
  public void whoIsCutOffInOneDirectionLosesInTimeAndWorksAgain(Bench bench)
      throws InterruptedException {
    for (Direction stalled : Direction.values()) {
      TcpProxy link = bench.link();
      LockClient client = bench.client(link);
      Lease lease = client.lock(bench.name(), bench.options()).acquire();
      link.stall(stalled);
      bench.await(
          "the end of validity with " + stalled + " stalled",
          bench.freeAfterDeath().plus(Bench.SLACK),
          () -> !lease.isValid());
      link.heal();
      Lease again =
          client
              .lock(bench.name(), bench.options())
              .acquire(bench.freeAfterDeath().plus(Duration.ofSeconds(10)));
      Holders.over(lease, "its client was cut off with " + stalled + " stalled");
      Holders.held(again, "granted after " + stalled + " was stalled");
      bench.checkTokenGrows(lease, again);
      Holders.released(again, "the next");
      client.close();
    }
  }

  @Rule(value = "LS-14", alone = true)
  public void aLinkThatComesAndGoesLeavesNothing(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    client.lock(bench.name(), bench.options()).acquire().release();
    int threads = threads();
    int connections = link.connections();
    for (int i = 0; i < FLAPS; i++) {
      link.refuse();
      bench.letPass(FLAP);
      link.heal();
      try {
        client.lock(bench.name(), bench.options()).tryAcquire(FLAP).ifPresent(Lease::close);
      } catch (LockUnavailableException e) {
        // As it has to be while there is no link.
      }
    }
    Lease lease =
        client
            .lock(bench.name(), bench.options())
            .acquire(bench.freeAfterDeath().plus(Duration.ofSeconds(20)));
    Holders.held(lease, "granted after the link of its client had come and gone");
    Holders.released(lease, "the last");
    // Some are only made when they are needed; what grows is what there is one more of each time.
    bench.await(
        "about %d connections and %d threads, as before".formatted(connections, threads),
        Duration.ofSeconds(20),
        () -> link.connections() <= connections + FLAPS / 2 && threads() <= threads + FLAPS / 2);
    bench.awaitNothingLeft(bench.freeAfterDeath().plus(Bench.SLACK));
  }

  /** Without those of the link itself, which has some for each connection. */
  private static int threads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> !thread.getName().startsWith(TcpProxy.THREADS))
            .count();
  }
}
