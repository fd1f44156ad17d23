/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Fencing;
import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.ClientOptions;
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
import io.holdfast.lock.tck.Bound;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** LS: a holder knows first that it lost, and is told. */
public final class LossRules {

  private static final int FLAPS = 30;
  private static final Duration FLAP = Duration.ofMillis(100);

  /** Threads and connections that come and go, whatever else is done. */
  @Rule(value = "LS-1", lookAt = "whether the server frees a lock before its TTL has passed")
  public void aHolderThatIsCutOffStopsBeforeTheNextBegins(RuleContext context) throws Exception {
    TcpProxy link = context.link();
    Lease cutOff = context.client(link).lock(context.name(), context.options()).acquire();
    Future<Long> lastValid = context.lastValid(cutOff);
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    if (context.promises().lifetime() == Lifetime.TRANSACTION) {
      context.get(lastValid, context.freeAfterDeath().plus(RuleContext.SLACK));
      link.heal();
      context.client().lock(context.name(), context.options()).acquire(context.freeAfterDeath());
      throw context.notPromised(
          "it stops in time, but its transaction lasts for as long as its connection");
    }
    Lease next =
        context
            .client()
            .lock(context.name(), context.options())
            .acquire(context.freeAfterDeath().plus(RuleContext.SLACK));
    long granted = System.nanoTime();
    Holders.over(cutOff, "the holder that was cut off believes beside the next");
    long last = context.get(lastValid, RuleContext.SLACK);
    Holders.endedBefore(granted, last, "the lease of a holder that was cut off");
    link.heal();
    context.letPass(context.ttl());
    Holders.ended(cutOff, "for good, also when the link is back");
    Holders.held(next, "the next holder lost it to the old one");
    context.checkEquals(
        ReleaseOutcome.ALREADY_LOST, cutOff.release(), "the answer to the release by the old one");
    Holders.released(next, "the next");
  }

  @Rule(value = "LS-2", lookAt = "renew(): when its stage fails, or answers that it is lost")
  public void aLossIsToldOnceInTimeAndAfterTheValidity(RuleContext context)
      throws InterruptedException {
    TcpProxy link = context.link();
    Lease lease = context.client(link).lock(context.name(), context.options()).acquire();
    List<Loss> told = new CopyOnWriteArrayList<>();
    AtomicBoolean validWhenTold = new AtomicBoolean();
    lease.onLoss(
        loss -> {
          validWhenTold.set(lease.isValid());
          told.add(loss);
        });
    long cutOff = System.nanoTime();
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    Duration inTime = lease.remaining().plus(RuleContext.SLACK);
    LossReports.await(context, lease, inTime, () -> !told.isEmpty());
    context.measured(Bound.LOSS_WHEN_CUT_OFF, cutOff, context.freeAfterDeath());
    context.check(
        !validWhenTold.get(),
        "expected a lease to have ended when its loss is told, but it was valid then");
    link.heal();
    context.letPass(context.ttl());
    context.checkEquals(1, told.size(), "the number of times that the loss was told");
    context.checkEquals(lease.ownerId(), told.get(0).ownerId(), "the owner id in the loss");
  }

  @Rule(value = "LS-3", lookAt = "renew(): what it answers for a lock that is gone")
  public void aDeletedLockIsFoundOutAndToldWithItsReason(RuleContext context)
      throws InterruptedException {
    Lease lease = context.client().lock(context.name(), context.options()).acquire();
    Administrator.revoke(context, lease);
    long revoked = System.nanoTime();
    Administrator.awaitEnd(context, lease);
    Loss loss = LossReports.await(context, lease, context.ttl().plus(RuleContext.SLACK));
    context.measured(Bound.LOSS_WHEN_TAKEN_AWAY, revoked, context.ttl());
    LossReason expected =
        context.isBoundToConnection() ? LossReason.SESSION_ENDED : LossReason.REVOKED;
    LossReports.checkReason(Set.of(expected), loss);
    Holders.ended(lease, "when its loss is told");
  }

  @Rule(value = "LS-4", lookAt = "renew(): whether its stage fails when the server is away")
  public void anOutageIsToldWithItsReason(RuleContext context) throws InterruptedException {
    TcpProxy link = context.link();
    Lease lease = context.client(link).lock(context.name(), context.options()).acquire();
    long cutOff = System.nanoTime();
    link.refuse();
    Duration inTime = context.freeAfterDeath().plus(RuleContext.SLACK);
    Loss loss = LossReports.await(context, lease, inTime);
    context.measured(Bound.LOSS_WHEN_CUT_OFF, cutOff, context.freeAfterDeath());
    LossReports.checkReason(Set.of(LossReason.UNREACHABLE, LossReason.SESSION_ENDED), loss);
    link.heal();
  }

  @Rule(value = "LS-5", lookAt = "ClaimSignals.lost(): whether it is called after a release")
  public void aReleaseIsNoLoss(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    Lease lease = client.lock(context.name(), context.options()).acquire();
    AtomicBoolean told = new AtomicBoolean();
    lease.onLoss(loss -> told.set(true));
    CompletableFuture<Loss> future = lease.loss();
    Holders.released(lease, "its holder");
    context.letPass(context.freeAfterDeath());
    context.check(
        !told.get() && !future.isDone(),
        "expected no loss to be told after a release, but one was");
  }

  @Rule(value = "LS-6", lookAt = Rule.ENGINE)
  public void aLateListenerIsToldToo(RuleContext context) throws InterruptedException {
    ExecutorService single = Executors.newSingleThreadExecutor();
    context.closing(single::shutdownNow);
    Lease lease =
        context
            .client(ClientOptions.defaults().withCallbackExecutor(single))
            .lock(context.name(), context.options().withRenewal(Renewal.none()))
            .acquire();
    context.await("its end", context.ttl().plus(RuleContext.SLACK), () -> !lease.isValid());
    CompletableFuture<Boolean> told = new CompletableFuture<>();
    // The executor's only thread asks, so that it cannot complete the future afterwards.
    lease.onLoss(loss -> told.complete(lease.loss().isDone()));
    context.check(
        context.get(told, RuleContext.SLACK),
        "expected a loss that has been told to be known at once, but its future was not complete");
    context.get(lease.loss(), RuleContext.SLACK);
  }

  @Rule(value = "LS-7", lookAt = "release() and renew() of an owner that has lost the lock")
  public void theFirstLookAfterAPauseSaysNo(RuleContext context) throws InterruptedException {
    Worker paused = context.worker();
    String[] first =
        paused.ask("acquire " + context.name() + " " + context.ttl().toMillis()).split(" ", -1);
    paused.jvm().suspend();
    boolean free = context.promises().lifetime() != Lifetime.TRANSACTION;
    if (!free) {
      context.letPass(context.freeAfterDeath());
      paused.jvm().resume();
      context.checkEquals(
          "false", paused.ask("valid"), "isValid of the first look after the pause");
    }
    Lease next =
        context
            .client()
            .lock(context.name(), context.options())
            .acquire(context.freeAfterDeath().plus(RuleContext.SLACK));
    if (free) {
      paused.jvm().resume();
      context.checkEquals(
          "false", paused.ask("valid"), "isValid of the first look after the pause");
    }
    if (context.promises().fencing() != Fencing.NONE) {
      context.checkTokenGrows(Long.parseLong(first[1]), next.fencingToken());
    }
    String released = paused.ask("release");
    context.check(
        released.contains("ALREADY_LOST"),
        "expected the release by the paused holder to answer ALREADY_LOST, but found " + released);
    Holders.held(next, "the next holder lost it to the paused one");
    if (!free) {
      throw context.notPromised("its first look says no, but until then it keeps the lock");
    }
  }

  @Rule(value = "LS-8", lookAt = "renew(): what an answer changes that comes too late")
  public void aLeaseThatSaidNoNeverSaysYes(RuleContext context) throws Exception {
    TcpProxy link = context.link();
    Lease lease = context.client(link).lock(context.name(), context.options()).acquire();
    link.stall(Direction.TO_CLIENT);
    context.await(
        "the end of the validity",
        context.freeAfterDeath().plus(RuleContext.SLACK),
        () -> !lease.isValid());
    link.heal();
    long end = System.nanoTime() + context.ttl().toNanos();
    while (System.nanoTime() - end < 0) {
      Holders.ended(lease, "for good");
      context.letPass(Duration.ofMillis(1));
    }
  }

  @Rule(value = "LS-9", lookAt = "how connections are made again after an outage")
  public void afterAnOutageTheClientWorksAgain(RuleContext context) throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    Lease lease = client.lock(context.name(), context.options()).acquire();
    link.refuse();
    context.await("loss", context.freeAfterDeath().plus(RuleContext.SLACK), () -> !lease.isValid());
    link.heal();
    Lease again =
        client
            .lock(context.name(), context.options())
            .acquire(context.freeAfterDeath().plus(Duration.ofSeconds(10)));
    Holders.held(again, "granted after an outage");
    context.checkTokenGrows(lease, again);
  }

  @Rule(value = "LS-10", alone = true, lookAt = "operationTimeout(): whether each request has it")
  public void aServerThatHangsMeansLossInTime(RuleContext context) throws Exception {
    Server server = context.server();
    LockClient client = context.client();
    Lease lease = client.lock(context.name(), context.options()).acquire();
    Loss loss;
    server.suspend();
    try {
      loss = context.get(lease.loss(), context.freeAfterDeath().plus(RuleContext.SLACK));
    } finally {
      server.resume();
    }
    context.check(
        loss.reason() != LossReason.REVOKED,
        "expected another reason than REVOKED, as nobody took the lock away, but found " + loss);
    Lease again =
        client
            .lock(context.name(), context.options())
            .acquire(context.freeAfterDeath().plus(Duration.ofSeconds(10)));
    Holders.over(lease, "two are valid after the server went on");
    Holders.held(again, "granted after the server went on");
  }

  @Rule(value = "LS-11", alone = true, lookAt = "how soon a renewal is repeated without an answer")
  public void aServerThatHesitatesIsNoLoss(RuleContext context) throws InterruptedException {
    Server server = context.server();
    Lease lease = context.client().lock(context.name(), context.oftenRenewed()).acquire();
    server.suspend();
    context.letPass(context.ttl().dividedBy(4));
    server.resume();
    context.letPass(context.ttl().multipliedBy(2));
    Holders.held(lease, "lost because the server hesitated");
  }

  @Rule(value = "LS-12", lookAt = Rule.ENGINE)
  public void cancellingALossFutureConcernsNobodyElse(RuleContext context)
      throws InterruptedException {
    Lease lease =
        context
            .client()
            .lock(context.name(), context.options().withRenewal(Renewal.none()))
            .acquire();
    lease.loss().cancel(true);
    lease.loss().complete(new Loss("forged", "forged", LossReason.REVOKED));
    Loss loss = context.get(lease.loss(), context.ttl().plus(RuleContext.SLACK));
    context.checkEquals(context.name(), loss.lockName(), "the name of the lock that was lost");
  }

  @Rule(value = "LS-13", lookAt = "how a connection that hangs in one direction is noticed")
  public void aHolderCutOffInOneDirectionLosesInTimeAndWorksAgain(RuleContext context)
      throws InterruptedException {
    for (Direction stalled : Direction.values()) {
      TcpProxy link = context.link();
      LockClient client = context.client(link);
      Lease lease = client.lock(context.name(), context.options()).acquire();
      link.stall(stalled);
      context.await(
          "the end of validity with " + stalled + " stalled",
          context.freeAfterDeath().plus(RuleContext.SLACK),
          () -> !lease.isValid());
      link.heal();
      Lease again =
          client
              .lock(context.name(), context.options())
              .acquire(context.freeAfterDeath().plus(Duration.ofSeconds(10)));
      Holders.over(lease, "its client was cut off with " + stalled + " stalled");
      Holders.held(again, "granted after " + stalled + " was stalled");
      context.checkTokenGrows(lease, again);
      Holders.released(again, "the next");
      client.close();
    }
  }

  @Rule(value = "LS-14", alone = true, lookAt = "threads and timers of each new connection")
  public void aLinkThatComesAndGoesLeavesNothing(RuleContext context) throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    client.lock(context.name(), context.options()).acquire().release();
    int threads = threads();
    int connections = link.connections();
    for (int i = 0; i < FLAPS; i++) {
      link.refuse();
      context.letPass(FLAP);
      link.heal();
      try {
        client.lock(context.name(), context.options()).tryAcquire(FLAP).ifPresent(Lease::close);
      } catch (LockUnavailableException e) {
        // As it has to be while there is no link.
      }
    }
    Lease lease =
        client
            .lock(context.name(), context.options())
            .acquire(context.freeAfterDeath().plus(Duration.ofSeconds(20)));
    Holders.held(lease, "granted after the link of its client had come and gone");
    Holders.released(lease, "the last");
    // Some are only made when they are needed; what grows is what there is one more of each time.
    context.await(
        "about %d connections and %d threads, as before".formatted(connections, threads),
        Duration.ofSeconds(20),
        () -> link.connections() <= connections + FLAPS / 2 && threads() <= threads + FLAPS / 2);
    context.awaitNothingLeft(context.freeAfterDeath().plus(RuleContext.SLACK));
  }

  /** Without those of the link itself, which has some for each connection. */
  private static int threads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> !thread.getName().startsWith(TcpProxy.THREADS))
            .count();
  }
}
