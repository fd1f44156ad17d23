/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/** HO: a client passes a lock on among its own waiters. */
public final class HandOverRules {

  private static final HandOver LONG = new HandOver(1024, Duration.ofMinutes(1));
  private static final int WAITERS = 8;

  @Rule(value = "HO-1", lookAt = "attempt(): the tokens that it leaves free for a hand-over")
  public void aLockIsPassedOnWithGrowingTokens(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    LockOptions options = context.options().withHandOver(LONG);
    Lease before = client.lock(context.name(), options).acquire();
    List<CompletableFuture<Lease>> waiting = waiters(client, context, options);
    for (CompletableFuture<Lease> next : waiting) {
      boolean atOnce = next.isDone();
      if (atOnce) {
        Holders.held(before, "one of its waiters has the lock");
      }
      context.check(
          !atOnce,
          "expected the waiters of a client to be granted the lock one after another, but one has it while another lease is valid");
      Holders.released(before, "a lease that was passed on");
      Lease lease = context.get(next, RuleContext.SLACK);
      Holders.ended(before, "with its release");
      Holders.held(lease, "it was passed on just now");
      context.checkEquals(
          isPassedOn(context),
          lease.ownerId().equals(before.ownerId()),
          "whether both leases have one owner id");
      context.checkTokenGrows(before, lease);
      before = lease;
    }
    Holders.released(before, "the last");
    Lease other = context.client().lock(context.name(), options).acquire(RuleContext.SLACK);
    context.checkTokenGrows(before, other);
    Holders.released(other, "another client");
    if (!isPassedOn(context)) {
      throw context.notPromised("each lease is a transaction of its own");
    }
    tokensGrowFromTenureToTenure(context, client);
  }

  /** A tenure has a number of tokens, and the next one begins behind them. */
  private static void tokensGrowFromTenureToTenure(RuleContext context, LockClient client)
      throws InterruptedException {
    DistributedLock lock = client.lock(context.name(), context.longTtl().withHandOver(LONG));
    Lease before = lock.acquire();
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 0; i < LONG.maxLeases() + WAITERS; i++) {
      waiting.add(lock.acquireAsync());
    }
    Set<String> tenures = new HashSet<>(Set.of(before.ownerId()));
    for (CompletableFuture<Lease> next : waiting) {
      Holders.released(before, "one of many");
      Lease lease = context.get(next, RuleContext.SLACK);
      tenures.add(lease.ownerId());
      context.checkTokenGrows(before, lease);
      before = lease;
    }
    Holders.released(before, "the last of many");
    context.check(
        tenures.size() > 1,
        "expected a new owner id after %d leases, but all of them have one"
            .formatted(LONG.maxLeases()));
  }

  @Rule(value = "HO-2", lookAt = Rule.ENGINE)
  public void otherTermsAreAskedForAtTheBackend(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    LockOptions options = context.options().withHandOver(LONG);
    for (LockOptions other :
        List.of(
            options.withRenewal(Renewal.none()),
            options.withTtl(options.ttl().multipliedBy(2)),
            options.withHandOver(HandOver.none()))) {
      Lease before = client.lock(context.name(), options).acquire();
      CompletableFuture<Lease> waiting = client.lock(context.name(), other).acquireAsync();
      before.release();
      Lease lease = context.get(waiting, RuleContext.SLACK);
      context.check(
          !lease.ownerId().equals(before.ownerId()),
          "expected other terms to be asked for at the backend, but the lease was passed on: "
              + RuleChecks.text(other));
      lease.release();
    }
  }

  @Rule(value = "HO-3", lookAt = "ClaimSignals.othersFirst(), and how others are woken")
  public void othersGetTheirTurn(RuleContext context) throws InterruptedException {
    LockOptions options = context.options().withHandOver(new HandOver(20, Duration.ofMillis(50)));
    LockClient busy = context.client();
    AtomicBoolean enough = new AtomicBoolean();
    AtomicIntegerArray times = new AtomicIntegerArray(4);
    List<Future<Boolean>> threads = new ArrayList<>();
    for (int i = 0; i < times.length(); i++) {
      int mine = i;
      threads.add(
          context.start(
              () -> {
                while (!enough.get()) {
                  Lease lease = busy.lock(context.name(), options).acquire();
                  context.letPass(Duration.ofMillis(1));
                  lease.release();
                  times.incrementAndGet(mine);
                }
                return true;
              }));
    }
    LockClient other = context.client();
    try {
      // A thread may begin later than it takes the other to have its turns: then it has more.
      long end = System.nanoTime() + RuleContext.SLACK.multipliedBy(3).toNanos();
      for (int turns = 0; turns < 5 || !allAtLeastOnce(times); turns++) {
        context.check(
            turns < 5 || System.nanoTime() - end < 0,
            "expected each thread to have the lock once at least, but they had it " + times);
        other.lock(context.name(), options).acquire(RuleContext.SLACK.multipliedBy(3)).release();
      }
    } finally {
      enough.set(true);
    }
    for (Future<Boolean> thread : threads) {
      context.get(thread, RuleContext.SLACK);
    }
  }

  private static boolean allAtLeastOnce(AtomicIntegerArray times) {
    return IntStream.range(0, times.length()).allMatch(i -> times.get(i) > 0);
  }

  @Rule(value = "HO-4", lookAt = Rule.ENGINE)
  public void aLossIsToldToWhoeverHasTheLockThen(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    LockOptions options = context.options().withHandOver(LONG);
    Lease first = client.lock(context.name(), options).acquire();
    AtomicBoolean told = new AtomicBoolean();
    first.onLoss(loss -> told.set(true));
    CompletableFuture<Lease> waiting = client.lock(context.name(), options).acquireAsync();
    Holders.released(first, "the first");
    Lease second = context.get(waiting, RuleContext.SLACK);
    Administrator.revoke(context, second);
    LossReports.await(context, second, context.ttl().plus(RuleContext.SLACK));
    Holders.ended(second, "when its loss is told");
    context.check(
        !told.get(),
        "expected the loss to be told to the lease that is held, but one that had been released was told");
    Lease next = client.lock(context.name(), options).acquire(RuleContext.SLACK);
    Holders.released(next, "the lease after the loss");
  }

  @Rule(value = "HO-8", lookAt = Rule.ENGINE)
  public void listenersAreToldWhichGrantsWerePassedOn(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    LockOptions options = context.options().withHandOver(LONG);
    List<Boolean> passedOn = new CopyOnWriteArrayList<>();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.Granted granted) {
            passedOn.add(granted.handedOver());
          }
        });
    Lease first = client.lock(context.name(), options).acquire();
    CompletableFuture<Lease> waiting = client.lock(context.name(), options).acquireAsync();
    first.release();
    Lease second = context.get(waiting, RuleContext.SLACK);
    second.release();
    context.await("both grants", RuleContext.SLACK, () -> passedOn.size() == 2);
    context.checkEquals(
        List.of(false, second.ownerId().equals(first.ownerId())),
        passedOn,
        "which grants were passed on");
  }

  @Rule(value = "HO-5", lookAt = Rule.ENGINE)
  public void passingOnCanBeTurnedOff(RuleContext context) throws InterruptedException {
    LockClient client = context.client();
    LockOptions options = context.options().withHandOver(HandOver.none());
    Lease before = client.lock(context.name(), options).acquire();
    for (CompletableFuture<Lease> next : waiters(client, context, options)) {
      before.release();
      Lease lease = context.get(next, RuleContext.SLACK);
      context.check(
          !lease.ownerId().equals(before.ownerId()),
          "expected an owner id of its own for each lease, but one was passed on");
      before = lease;
    }
    before.release();
  }

  @Rule(value = "HO-6", lookAt = "whether the server frees a lock before its TTL has passed")
  public void anHeirOfAHolderThatIsCutOffStopsBeforeTheNextBegins(RuleContext context)
      throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    LockOptions options = context.options().withHandOver(LONG);
    Lease first = client.lock(context.name(), options).acquire();
    CompletableFuture<Lease> waiting = client.lock(context.name(), options).acquireAsync();
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    CompletableFuture<?> releasing = first.releaseAsync();
    if (!isPassedOn(context)) {
      link.heal();
      context.get(releasing, context.freeAfterDeath().plus(RuleContext.SLACK));
      throw context.notPromised("each lease is a transaction of its own");
    }
    Lease heir = context.get(waiting, RuleContext.SLACK);
    Future<Long> lastValid = context.lastValid(heir);
    context
        .client()
        .lock(context.name(), options)
        .acquire(context.freeAfterDeath().plus(RuleContext.SLACK));
    long granted = System.nanoTime();
    long last = context.get(lastValid, RuleContext.SLACK);
    Holders.endedBefore(granted, last, "a lease that was passed on");
    link.heal();
  }

  private static List<CompletableFuture<Lease>> waiters(
      LockClient client, RuleContext context, LockOptions options) {
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      waiting.add(client.lock(context.name(), options).acquireAsync());
    }
    return waiting;
  }

  private static boolean isPassedOn(RuleContext context) {
    return context.promises().lifetime() != Lifetime.TRANSACTION;
  }
}
