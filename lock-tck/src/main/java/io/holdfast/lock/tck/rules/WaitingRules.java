/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.Retry;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Capabilities.Ordering;
import io.holdfast.lock.spi.Capabilities.WakeUp;
import io.holdfast.lock.tck.Bound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/** WT: waiting ends, is prompt, fair where promised, and bothers the server little. */
public final class WaitingRules {

  private static final Duration LIMIT = Duration.ofSeconds(1);

  /** Threads of each client, which ask again as soon as they have released. */
  private static final int BUSY = 4;

  private static final int TURNS = 3;
  private static final int MANY_ATTEMPTS = 40;
  private static final Duration STARVED_AFTER = Duration.ofSeconds(20);

  @Rule("WT-1")
  public void aLimitIsKept(Bench bench) throws InterruptedException {
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient client = bench.client();
    long begun = System.nanoTime();
    Optional<Lease> lease = client.lock(bench.name(), bench.options()).tryAcquire(LIMIT);
    long waited = System.nanoTime() - begun;
    Holders.refused(held, lease, "granted a lock that is held");
    bench.check(waited >= LIMIT.toNanos(), "gave up early, after " + waited + " ns");
    bench.checkInTime(
        waited < LIMIT.plus(Bench.SLACK).toNanos(), "gave up late, after " + waited + " ns");
  }

  @Rule("WT-2")
  public void whoInsistsIsToldOfTheTimeOut(Bench bench) throws InterruptedException {
    bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient client = bench.client();
    LockTimeoutException told =
        bench.expect(
            LockTimeoutException.class,
            () -> client.lock(bench.name(), bench.options()).acquire(LIMIT));
    bench.check(Bench.message(told).contains(bench.name()), "the lock is not named: " + told);
  }

  @Rule(value = "WT-3", alone = true)
  public void aLimitIsKeptThoughTheServerHangs(Bench bench) throws InterruptedException {
    Server server = bench.server();
    LockClient client = bench.client();
    long waited;
    server.suspend();
    try {
      long begun = System.nanoTime();
      bench.expect(
          LockException.class, () -> client.lock(bench.name(), bench.options()).acquire(LIMIT));
      waited = System.nanoTime() - begun;
    } finally {
      server.resume();
    }
    bench.checkInTime(
        waited < LIMIT.plus(Bench.SLACK).toNanos(), "gave up late, after " + waited + " ns");
    bench.awaitNothingLeft(bench.freeAfterDeath().plus(Bench.SLACK));
  }

  @Rule("WT-4")
  public void notWaitingMeansOneAttempt(Bench bench) throws InterruptedException {
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient client = bench.client();
    AtomicInteger attempts = countAttempts(client);
    CompletableFuture<Boolean> gaveUp = new CompletableFuture<>();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.GaveUp) {
            gaveUp.complete(true);
          }
        });
    Holders.refused(
        held,
        client.lock(bench.name(), bench.options()).tryAcquire(Duration.ZERO),
        "granted a lock that is held");
    bench.get(gaveUp, Bench.SLACK);
    bench.await("an attempt", Bench.SLACK, () -> attempts.get() >= 1);
    bench.letPass(Duration.ofMillis(50));
    bench.checkEquals(1, attempts.get(), "attempts");
  }

  @Rule("WT-5")
  public void aReleaseWakesTheWaiter(Bench bench) throws InterruptedException {
    LockClient holder = bench.client();
    LockClient waiter = bench.client();
    for (int i = 0; i < 5; i++) {
      Lease lease = holder.lock(bench.name(), bench.wakeable()).acquire();
      CompletableFuture<LockEvent> contended = next(waiter, LockEvent.Contended.class);
      CompletableFuture<Lease> waiting = waiter.lock(bench.name(), bench.wakeable()).acquireAsync();
      bench.get(contended, Bench.SLACK);
      bench.letPass(Duration.ofMillis(50));
      long released = System.nanoTime();
      lease.release();
      Lease next = bench.get(waiting, Bench.SLACK);
      bench.measured(Bound.HAND_OVER, released);
      next.release();
    }
    if (bench.promises().wakeUp() != WakeUp.MESSAGE) {
      throw bench.notPromised("waiters only poll");
    }
  }

  @Rule("WT-6")
  public void withoutAMessageAPollFindsTheLockFree(Bench bench) throws InterruptedException {
    bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient waiter = bench.client();
    CompletableFuture<LockEvent> contended = next(waiter, LockEvent.Contended.class);
    CompletableFuture<Lease> waiting = waiter.lock(bench.name(), bench.options()).acquireAsync();
    bench.get(contended, Bench.SLACK);
    if (!bench.fixture().revoke(bench.name())) {
      throw bench.skipped("no administrator can delete a lock");
    }
    Holders.held(bench.get(waiting, Bench.SLACK), "not valid");
  }

  @Rule("WT-7")
  public void nobodyStarves(Bench bench) {
    List<LockClient> clients = List.of(bench.client(), bench.client(), bench.client());
    LockOptions options = bench.options().withHandOver(new HandOver(BUSY, Duration.ofMillis(50)));
    AtomicIntegerArray turns = new AtomicIntegerArray(clients.size() * BUSY);
    AtomicInteger next = new AtomicInteger();
    long end = System.nanoTime() + STARVED_AFTER.toNanos();
    bench.together(
        turns.length(),
        () -> {
          int who = next.getAndIncrement();
          DistributedLock lock = clients.get(who % clients.size()).lock(bench.name(), options);
          // Who has had his turns asks on, so that the others have to get theirs beside him.
          while (fewest(turns) < TURNS && System.nanoTime() - end < 0) {
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            Optional<Lease> lease = lock.tryAcquire(left);
            if (lease.isPresent()) {
              turns.incrementAndGet(who);
              // So long that whoever was before him asks again meanwhile.
              bench.letPass(Duration.ofMillis(2));
              lease.get().release();
            }
          }
          return true;
        });
    bench.checkInTime(fewest(turns) >= TURNS, "some starve; turns of each: " + turns);
  }

  private static int fewest(AtomicIntegerArray turns) {
    return IntStream.range(0, turns.length()).map(turns::get).min().orElse(0);
  }

  @Rule("WT-8")
  public void processesAreServedInTheOrderOfTheirArrival(Bench bench) throws InterruptedException {
    if (bench.promises().ordering() != Ordering.FIRST_COME_FIRST_SERVED) {
      throw bench.notPromised("processes are served in no particular order");
    }
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    List<Integer> order = new CopyOnWriteArrayList<>();
    List<Future<Boolean>> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int place = i;
      LockClient client = bench.client();
      CompletableFuture<LockEvent> contended = next(client, LockEvent.Contended.class);
      waiters.add(
          bench.start(
              () -> {
                try (Lease lease = client.lock(bench.name(), bench.options()).acquire()) {
                  return order.add(place) && lease.isValid();
                }
              }));
      bench.get(contended, Bench.SLACK);
    }
    held.release();
    waiters.forEach(waiter -> bench.get(waiter, Duration.ofSeconds(20)));
    bench.checkEquals(List.of(0, 1, 2, 3, 4), order, "the order in which they were served");
  }

  @Rule("WT-9")
  public void theWaitersOfOneClientAreServedInTheOrderOfTheirArrival(Bench bench)
      throws InterruptedException {
    LockClient client = bench.client();
    Lease held = client.lock(bench.name(), bench.options()).acquire();
    List<Integer> order = new CopyOnWriteArrayList<>();
    List<CompletableFuture<Void>> waiters = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int place = i;
      waiters.add(
          client
              .lock(bench.name(), bench.options())
              .acquireAsync()
              .thenAccept(
                  lease -> {
                    order.add(place);
                    lease.release();
                  }));
    }
    held.release();
    waiters.forEach(waiter -> bench.get(waiter, Duration.ofSeconds(20)));
    bench.checkEquals(
        List.of(0, 1, 2, 3, 4, 5, 6, 7), order, "the order in which they were served");
  }

  @Rule("WT-10")
  public void aReleaseWakesNoHerd(Bench bench) throws InterruptedException {
    if (bench.promises().wakeUp() != WakeUp.MESSAGE) {
      throw bench.notPromised("nobody is woken: one waiter of each process polls");
    }
    Lease held = bench.client().lock(bench.name(), bench.slowPolls()).acquire();
    int processes = 4;
    AtomicInteger attempts = new AtomicInteger();
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      LockClient client = bench.client();
      CompletableFuture<LockEvent> contended = next(client, LockEvent.Contended.class);
      for (int thread = 0; thread < 10; thread++) {
        waiting.add(client.lock(bench.name(), bench.slowPolls()).acquireAsync());
      }
      bench.get(contended, Bench.SLACK);
      bench.letPass(Duration.ofMillis(200));
      client.addListener(
          event -> {
            if (event instanceof LockEvent.Attempted) {
              attempts.incrementAndGet();
            }
          });
    }
    held.release();
    bench.await(
        "somebody of many who wait",
        Bench.SLACK,
        () -> waiting.stream().anyMatch(CompletableFuture::isDone));
    bench.letPass(Duration.ofMillis(200));
    bench.check(
        attempts.get() <= 2 * processes,
        attempts + " attempts for one release, with " + processes + " processes");
    waiting.forEach(waiter -> waiter.cancel(false));
    bench.await(
        "all waiters to be gone",
        Bench.SLACK,
        () -> bench.residue().isEmpty() || waiting.stream().anyMatch(w -> release(w)));
  }

  @Rule(value = "WT-11", alone = true)
  public void aRestartOfTheServerEndsNoWait(Bench bench) throws InterruptedException {
    Server server = bench.server();
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient waiter = bench.client();
    CompletableFuture<LockEvent> contended = next(waiter, LockEvent.Contended.class);
    CompletableFuture<Lease> waiting = waiter.lock(bench.name(), bench.options()).acquireAsync();
    bench.get(contended, Bench.SLACK);
    server.stop();
    // For longer than any pause between two polls.
    bench.letPass(Duration.ofMillis(300));
    server.start();
    held.release();
    Lease lease = bench.get(waiting, bench.freeAfterDeath().plus(Duration.ofSeconds(15)));
    Holders.over(held, "two hold after a restart");
    Holders.held(lease, "the next holder lost it after a restart");
  }

  @Rule("WT-12")
  public void aKilledWaiterDelaysOthersForItsTimeOutAtTheMost(Bench bench)
      throws InterruptedException {
    Worker worker = bench.worker();
    LockClient holder = bench.client();
    Lease held = holder.lock(bench.name(), bench.options()).acquire();
    worker.tell("acquire " + bench.name() + " " + bench.ttl().toMillis());
    bench.letPass(Duration.ofMillis(300));
    LockClient client = bench.client();
    CompletableFuture<LockEvent> contended = next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> waiting = client.lock(bench.name(), bench.options()).acquireAsync();
    bench.get(contended, Bench.SLACK);
    worker.jvm().kill();
    held.release();
    Holders.held(bench.get(waiting, bench.freeAfterDeath().plus(Bench.SLACK)), "not valid");
  }

  @Rule("WT-13")
  public void aLimitOfAttemptsIsKept(Bench bench) throws InterruptedException {
    bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient client = bench.client();
    LockOptions three =
        bench
            .options()
            .withRetry(
                Retry.defaults()
                    .withPauses(Duration.ofMillis(10), Duration.ofMillis(10))
                    .withMaxAttempts(3));
    AtomicInteger attempts = countAttempts(client);
    CompletableFuture<LockEvent> gaveUp = next(client, LockEvent.GaveUp.class);
    bench.expect(LockTimeoutException.class, () -> client.lock(bench.name(), three).acquire());
    bench.get(gaveUp, Bench.SLACK);
    bench.await("three attempts", Bench.SLACK, () -> attempts.get() >= 3);
    bench.letPass(Duration.ofMillis(50));
    bench.checkEquals(3, attempts.get(), "attempts");
  }

  @Rule("WT-14")
  public void whoWaitsUsesUpNoConnections(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    bench.client().lock(bench.name(), bench.longTtl()).acquire();
    LockClient client = bench.client(link);
    AtomicInteger attempts = countAttempts(client);
    LockOptions often =
        bench
            .longTtl()
            .withRetry(Retry.defaults().withPauses(Duration.ofMillis(10), Duration.ofMillis(10)));
    CompletableFuture<Lease> waiting = client.lock(bench.name(), often).acquireAsync();
    bench.await("first attempts", Bench.SLACK, () -> attempts.get() >= 5);
    int connections = link.connections();
    int many = attempts.get() + MANY_ATTEMPTS;
    bench.await("many attempts", Bench.SLACK.multipliedBy(3), () -> attempts.get() >= many);
    bench.check(
        link.connections() < connections + MANY_ATTEMPTS / 2,
        "%d connections after so many attempts more, and %d before"
            .formatted(link.connections(), connections));
    waiting.cancel(true);
  }

  @Rule("WT-15")
  public void whoWaitedCutOffIsNotServedInHisOldPlace(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient cutOff = bench.client(link);
    CompletableFuture<LockEvent> contended = next(cutOff, LockEvent.Contended.class);
    CompletableFuture<Lease> waiting = cutOff.lock(bench.name(), bench.options()).acquireAsync();
    bench.get(contended, Bench.SLACK);
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    // Whatever kept its place at the server is over then.
    bench.letPass(bench.freeAfterDeath().plus(bench.ttl().dividedBy(2)));
    Holders.released(held, "the first");
    Lease next =
        bench
            .client()
            .lock(bench.name(), bench.options())
            .acquire(bench.freeAfterDeath().plus(Bench.SLACK));
    CompletableFuture<LockEvent> contendedAgain = next(cutOff, LockEvent.Contended.class);
    link.heal();
    bench.await(
        "whoever was cut off asks again",
        bench.freeAfterDeath().plus(Duration.ofSeconds(15)),
        () -> contendedAgain.isDone() || waiting.isDone());
    bench.letPass(bench.ttl());
    Holders.refused(
        next,
        Optional.ofNullable(waiting.getNow(null)),
        "whoever had waited is granted what another holds");
    Holders.released(next, "the next");
    Lease last = bench.get(waiting, bench.freeAfterDeath().plus(Duration.ofSeconds(15)));
    Holders.released(last, "whoever had waited");
  }

  private static boolean release(CompletableFuture<Lease> waiter) {
    if (waiter.isDone() && !waiter.isCompletedExceptionally()) {
      waiter.join().releaseAsync();
    }
    return false;
  }

  private static AtomicInteger countAttempts(LockClient client) {
    AtomicInteger attempts = new AtomicInteger();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.Attempted) {
            attempts.incrementAndGet();
          }
        });
    return attempts;
  }

  static CompletableFuture<LockEvent> next(LockClient client, Class<? extends LockEvent> type) {
    CompletableFuture<LockEvent> seen = new CompletableFuture<>();
    client.addListener(
        event -> {
          if (type.isInstance(event)) {
            seen.complete(event);
          }
        });
    return seen;
  }
}
