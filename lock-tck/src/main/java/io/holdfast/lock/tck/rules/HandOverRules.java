/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Capabilities.Lifetime;
import io.holdfast.lock.spi.TimeText;
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

  @Rule("HO-1")
  public void aLockIsPassedOnWithGrowingTokens(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    LockOptions options = bench.options().withHandOver(LONG);
    Lease before = client.lock(bench.name(), options).acquire();
    List<CompletableFuture<Lease>> waiting = waiters(client, bench, options);
    for (CompletableFuture<Lease> next : waiting) {
      bench.check(
          !next.isDone(),
          "expected the waiters of a client to be granted the lock one after another, but one has it while another lease is valid");
      Holders.released(before, "a lease that was passed on");
      Lease lease = bench.get(next, Bench.SLACK);
      bench.check(!before.isValid(), "the lease that was released is valid");
      bench.check(lease.isValid(), "the lease that was passed on is not valid");
      bench.checkEquals(
          isPassedOn(bench), lease.ownerId().equals(before.ownerId()), "one tenure for both");
      bench.checkTokenGrows(before, lease);
      before = lease;
    }
    Holders.released(before, "the last");
    Lease other = bench.client().lock(bench.name(), options).acquire(Bench.SLACK);
    bench.checkTokenGrows(before, other);
    Holders.released(other, "another client");
    if (!isPassedOn(bench)) {
      throw bench.notPromised("each lease is a transaction of its own");
    }
    tokensGrowFromTenureToTenure(bench, client);
  }

  /** A tenure has a number of tokens, and the next one begins behind them. */
  private static void tokensGrowFromTenureToTenure(Bench bench, LockClient client)
      throws InterruptedException {
    DistributedLock lock = client.lock(bench.name(), bench.longTtl().withHandOver(LONG));
    Lease before = lock.acquire();
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 0; i < LONG.most() + WAITERS; i++) {
      waiting.add(lock.acquireAsync());
    }
    Set<String> tenures = new HashSet<>(Set.of(before.ownerId()));
    for (CompletableFuture<Lease> next : waiting) {
      Holders.released(before, "one of many");
      Lease lease = bench.get(next, Bench.SLACK);
      tenures.add(lease.ownerId());
      bench.checkTokenGrows(before, lease);
      before = lease;
    }
    Holders.released(before, "the last of many");
    bench.check(tenures.size() > 1, "one tenure for more leases than it may have");
  }

  @Rule("HO-2")
  public void otherTermsAreAskedForAtTheBackend(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    LockOptions options = bench.options().withHandOver(LONG);
    for (LockOptions other :
        List.of(
            options.withRenewal(Renewal.none()),
            options.withTtl(options.ttl().multipliedBy(2)),
            options.withHandOver(HandOver.none()))) {
      Lease before = client.lock(bench.name(), options).acquire();
      CompletableFuture<Lease> waiting = client.lock(bench.name(), other).acquireAsync();
      before.release();
      Lease lease = bench.get(waiting, Bench.SLACK);
      bench.check(!lease.ownerId().equals(before.ownerId()), "passed on in spite of " + other);
      lease.release();
    }
  }

  @Rule("HO-3")
  public void othersGetTheirTurn(Bench bench) throws InterruptedException {
    LockOptions options = bench.options().withHandOver(new HandOver(20, Duration.ofMillis(50)));
    LockClient busy = bench.client();
    AtomicBoolean enough = new AtomicBoolean();
    AtomicIntegerArray times = new AtomicIntegerArray(4);
    List<Future<Boolean>> threads = new ArrayList<>();
    for (int i = 0; i < times.length(); i++) {
      int mine = i;
      threads.add(
          bench.start(
              () -> {
                while (!enough.get()) {
                  Lease lease = busy.lock(bench.name(), options).acquire();
                  bench.letPass(Duration.ofMillis(1));
                  lease.release();
                  times.incrementAndGet(mine);
                }
                return true;
              }));
    }
    LockClient other = bench.client();
    try {
      // A thread may begin later than it takes the other to have its turns: then it has more.
      long end = System.nanoTime() + Bench.SLACK.multipliedBy(3).toNanos();
      for (int turns = 0; turns < 5 || !allAtLeastOnce(times); turns++) {
        bench.check(turns < 5 || System.nanoTime() - end < 0, "a thread that never had the lock");
        other.lock(bench.name(), options).acquire(Bench.SLACK.multipliedBy(3)).release();
      }
    } finally {
      enough.set(true);
    }
    for (Future<Boolean> thread : threads) {
      bench.get(thread, Bench.SLACK);
    }
  }

  private static boolean allAtLeastOnce(AtomicIntegerArray times) {
    return IntStream.range(0, times.length()).allMatch(i -> times.get(i) > 0);
  }

  @Rule("HO-4")
  public void aLossIsToldToWhoeverHasTheLockThen(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    LockOptions options = bench.options().withHandOver(LONG);
    Lease first = client.lock(bench.name(), options).acquire();
    AtomicBoolean told = new AtomicBoolean();
    first.onLoss(loss -> told.set(true));
    CompletableFuture<Lease> waiting = client.lock(bench.name(), options).acquireAsync();
    first.release();
    Lease second = bench.get(waiting, Bench.SLACK);
    bench.revoke(second);
    bench.get(second.loss(), bench.ttl().plus(Bench.SLACK));
    bench.check(
        !second.isValid(),
        "expected a lease to have ended when its loss is told, but it says that it is valid");
    bench.check(
        !told.get(),
        "expected the loss to be told to the lease that is held, but one that had been released was told");
    Lease next = client.lock(bench.name(), options).acquire(Bench.SLACK);
    Holders.released(next, "the lease after the loss");
  }

  @Rule("HO-8")
  public void listenersAreToldWhichGrantsWerePassedOn(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    LockOptions options = bench.options().withHandOver(LONG);
    List<Boolean> passedOn = new CopyOnWriteArrayList<>();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.Granted granted) {
            passedOn.add(granted.handedOver());
          }
        });
    Lease first = client.lock(bench.name(), options).acquire();
    CompletableFuture<Lease> waiting = client.lock(bench.name(), options).acquireAsync();
    first.release();
    Lease second = bench.get(waiting, Bench.SLACK);
    second.release();
    bench.await("both grants", Bench.SLACK, () -> passedOn.size() == 2);
    bench.checkEquals(
        List.of(false, second.ownerId().equals(first.ownerId())), passedOn, "passed on");
  }

  @Rule("HO-5")
  public void passingOnCanBeTurnedOff(Bench bench) throws InterruptedException {
    LockClient client = bench.client();
    LockOptions options = bench.options().withHandOver(HandOver.none());
    Lease before = client.lock(bench.name(), options).acquire();
    for (CompletableFuture<Lease> next : waiters(client, bench, options)) {
      before.release();
      Lease lease = bench.get(next, Bench.SLACK);
      bench.check(!lease.ownerId().equals(before.ownerId()), "passed on though that is off");
      before = lease;
    }
    before.release();
  }

  @Rule("HO-6")
  public void whoInheritsFromOneThatIsCutOffStopsBeforeTheNextBegins(Bench bench)
      throws InterruptedException {
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    LockOptions options = bench.options().withHandOver(LONG);
    Lease first = client.lock(bench.name(), options).acquire();
    CompletableFuture<Lease> waiting = client.lock(bench.name(), options).acquireAsync();
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    CompletableFuture<?> releasing = first.releaseAsync();
    if (!isPassedOn(bench)) {
      link.heal();
      bench.get(releasing, bench.freeAfterDeath().plus(Bench.SLACK));
      throw bench.notPromised("each lease is a transaction of its own");
    }
    Lease heir = bench.get(waiting, Bench.SLACK);
    Future<Long> lastValid = bench.lastValid(heir);
    bench.client().lock(bench.name(), options).acquire(bench.freeAfterDeath().plus(Bench.SLACK));
    long granted = System.nanoTime();
    long last = bench.get(lastValid, Bench.SLACK);
    if (last - granted >= 0) {
      throw new Overlap(
          "the lease that was passed on was valid for %s beside the next client's"
              .formatted(TimeText.of(Duration.ofNanos(last - granted))));
    }
    link.heal();
  }

  private static List<CompletableFuture<Lease>> waiters(
      LockClient client, Bench bench, LockOptions options) {
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 0; i < WAITERS; i++) {
      waiting.add(client.lock(bench.name(), options).acquireAsync());
    }
    return waiting;
  }

  private static boolean isPassedOn(Bench bench) {
    return bench.promises().lifetime() != Lifetime.TRANSACTION;
  }
}
