/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.Ordering;
import io.holdfast.lock.Capabilities.WakeUp;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
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

/** WT, too: who of those that wait is served, and what becomes of the others. */
public final class QueueRules {

  /** Threads of each client, which ask again as soon as they have released. */
  private static final int BUSY = 4;

  private static final int TURNS = 3;
  private static final Duration STARVED_AFTER = Duration.ofSeconds(20);

  @Rule(value = "WT-7", lookAt = "ClaimSignals.wake(): whether the same are always woken first")
  public void nobodyStarves(RuleContext context) {
    List<LockClient> clients = List.of(context.client(), context.client(), context.client());
    LockOptions options = context.options().withHandOver(new HandOver(BUSY, Duration.ofMillis(50)));
    AtomicIntegerArray turns = new AtomicIntegerArray(clients.size() * BUSY);
    AtomicInteger next = new AtomicInteger();
    long end = System.nanoTime() + STARVED_AFTER.toNanos();
    context.together(
        turns.length(),
        () -> {
          int who = next.getAndIncrement();
          DistributedLock lock = clients.get(who % clients.size()).lock(context.name(), options);
          // One that has had its turns asks on, so that the others have to get theirs all the same.
          while (fewest(turns) < TURNS && System.nanoTime() - end < 0) {
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            Optional<Lease> lease = lock.tryAcquire(left);
            if (lease.isPresent()) {
              turns.incrementAndGet(who);
              // So long that the holder before it asks again meanwhile.
              context.letPass(Duration.ofMillis(2));
              lease.get().release();
            }
          }
          return true;
        });
    context.checkInTime(
        fewest(turns) >= TURNS,
        "expected %d turns for each thread at least, but they had %s".formatted(TURNS, turns));
  }

  private static int fewest(AtomicIntegerArray turns) {
    return IntStream.range(0, turns.length()).map(turns::get).min().orElse(0);
  }

  @Rule(value = "WT-8", lookAt = "the queue at the server: its order")
  public void processesAreServedInTheOrderOfTheirArrival(RuleContext context)
      throws InterruptedException {
    if (context.promises().ordering() != Ordering.FIRST_COME_FIRST_SERVED) {
      throw context.notPromised("processes are served in no particular order");
    }
    Lease held = context.client().lock(context.name(), context.longTtl()).acquire();
    List<Integer> order = new CopyOnWriteArrayList<>();
    List<Future<Boolean>> waiters = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      int place = i;
      LockClient client = context.client();
      CompletableFuture<LockEvent> contended =
          RecordedEvents.next(client, LockEvent.Contended.class);
      waiters.add(
          context.start(
              () -> {
                try (Lease lease = client.lock(context.name(), context.longTtl()).acquire()) {
                  return order.add(place) && lease.isValid();
                }
              }));
      context.get(contended, RuleContext.SLACK);
    }
    held.release();
    waiters.forEach(waiter -> context.get(waiter, Duration.ofSeconds(20)));
    context.checkEquals(List.of(0, 1, 2, 3, 4), order, "the order in which they were served");
  }

  @Rule(value = "WT-9", lookAt = Rule.ENGINE)
  public void theWaitersOfOneClientAreServedInTheOrderOfTheirArrival(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    Lease held = client.lock(context.name(), context.options()).acquire();
    List<Integer> order = new CopyOnWriteArrayList<>();
    List<CompletableFuture<Void>> waiters = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      int place = i;
      waiters.add(
          client
              .lock(context.name(), context.options())
              .acquireAsync()
              .thenAccept(
                  lease -> {
                    order.add(place);
                    lease.release();
                  }));
    }
    held.release();
    waiters.forEach(waiter -> context.get(waiter, Duration.ofSeconds(20)));
    context.checkEquals(
        List.of(0, 1, 2, 3, 4, 5, 6, 7), order, "the order in which they were served");
  }

  @Rule(value = "WT-10", lookAt = "ClaimSignals.wake(): how many are woken by one release")
  public void aReleaseWakesNoHerd(RuleContext context) throws InterruptedException {
    if (context.promises().wakeUp() != WakeUp.MESSAGE) {
      throw context.notPromised("nobody is woken: one waiter of each process polls");
    }
    Lease held = context.client().lock(context.name(), context.slowPolls()).acquire();
    int processes = 4;
    List<AtomicInteger> attempts = new ArrayList<>();
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      LockClient client = context.client();
      CompletableFuture<LockEvent> contended =
          RecordedEvents.next(client, LockEvent.Contended.class);
      for (int thread = 0; thread < 10; thread++) {
        waiting.add(client.lock(context.name(), context.slowPolls()).acquireAsync());
      }
      context.get(contended, RuleContext.SLACK);
      context.letPass(Duration.ofMillis(200));
      attempts.add(RecordedEvents.count(client, LockEvent.Attempted.class));
    }
    held.release();
    context.await(
        "somebody of many who wait",
        RuleContext.SLACK,
        () -> waiting.stream().anyMatch(CompletableFuture::isDone));
    context.letPass(Duration.ofMillis(200));
    // One for the release, and two where the votes of a quorum are split: who withdraws tells it.
    int most = 3 * processes;
    context.check(
        attempts.stream().mapToInt(AtomicInteger::get).sum() <= most,
        "expected %d attempts of all processes for one release at most, but they made %s"
            .formatted(most, attempts));
    waiting.forEach(waiter -> waiter.cancel(false));
    context.await(
        "all waiters to be gone",
        RuleContext.SLACK,
        () -> context.residue().isEmpty() || waiting.stream().anyMatch(w -> release(w)));
  }

  private static boolean release(CompletableFuture<Lease> waiter) {
    if (waiter.isDone() && !waiter.isCompletedExceptionally()) {
      waiter.join().releaseAsync();
    }
    return false;
  }

  @Rule(value = "WT-12", lookAt = "how a dead waiter leaves the queue at the server")
  public void aKilledWaiterDelaysOthersForItsTimeOutAtTheMost(RuleContext context)
      throws InterruptedException {
    Worker worker = context.worker();
    LockClient holder = context.client();
    Lease held = holder.lock(context.name(), context.options()).acquire();
    worker.tell("wait " + context.name() + " " + context.ttl().toMillis());
    worker.answer("contended");
    LockClient client = context.client();
    CompletableFuture<Lease> waiting =
        RecordedEvents.contended(context, client, client.lock(context.name(), context.options()));
    worker.jvm().kill();
    held.release();
    Holders.held(
        context.get(waiting, context.freeAfterDeath().plus(RuleContext.SLACK)),
        "granted after a wait");
  }

  @Rule(value = "WT-19", lookAt = "attempt(): what it leaves in the queue if it does not wait")
  public void anAttemptThatDoesNotWaitKeepsNobodyOut(RuleContext context)
      throws InterruptedException {
    TcpProxy link = context.link();
    LockClient far = context.client(link);
    LockClient next = context.client();
    for (LockClient one : List.of(far, next)) {
      one.lock(context.name() + "-before", context.longTtl()).acquire().release();
    }
    Lease held = context.client().lock(context.name(), context.longTtl()).acquire();
    refusedFarAway(context, link, held, far.lock(context.name(), context.longTtl()));
    Holders.released(held, "the first");
    Holders.free(
            context,
            next.lock(context.name(), context.longTtl()),
            Duration.ZERO,
            "though another client was refused it, did not wait, and cannot undo that yet")
        .release();
    link.heal();
  }

  /** Requests of the client after its answer do not arrive. */
  static void refusedFarAway(
      RuleContext context, TcpProxy link, Lease held, DistributedLock refused)
      throws InterruptedException {
    link.delay(Direction.TO_SERVER, context.ttl().dividedBy(8));
    Optional<Lease> answer;
    try {
      answer = refused.tryAcquire();
    } catch (LockUnavailableException e) {
      throw new DeadlineMissed(
          "expected an answer though each request takes an eighth of the TTL, but there is none",
          e);
    }
    link.stall(Direction.TO_SERVER);
    Holders.refused(held, answer, "by a client that does not wait");
  }

  @Rule(value = "WT-15", lookAt = "attempt(): whether an old place in the queue still counts")
  public void aWaiterThatWasCutOffIsNotServedInItsOldPlace(RuleContext context)
      throws InterruptedException {
    TcpProxy link = context.link();
    Lease held = context.client().lock(context.name(), context.options()).acquire();
    LockClient cutOff = context.client(link);
    CompletableFuture<Lease> waiting =
        RecordedEvents.contended(context, cutOff, cutOff.lock(context.name(), context.options()));
    link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
    // The session or TTL that kept its place at the server is over then.
    context.letPass(context.freeAfterDeath().plus(context.ttl().dividedBy(2)));
    Holders.released(held, "the first");
    Lease next =
        context
            .client()
            .lock(context.name(), context.options())
            .acquire(context.freeAfterDeath().plus(RuleContext.SLACK));
    CompletableFuture<LockEvent> contendedAgain =
        RecordedEvents.next(cutOff, LockEvent.Contended.class);
    link.heal();
    context.await(
        "the waiter that was cut off asks again",
        context.freeAfterDeath().plus(Duration.ofSeconds(15)),
        () -> contendedAgain.isDone() || waiting.isDone());
    context.letPass(context.ttl());
    Holders.refused(
        next,
        Optional.ofNullable(waiting.getNow(null)),
        "the waiter from before is granted what another holds");
    Holders.released(next, "the next");
    Lease last = context.get(waiting, context.freeAfterDeath().plus(Duration.ofSeconds(15)));
    Holders.released(last, "the waiter from before");
  }
}
