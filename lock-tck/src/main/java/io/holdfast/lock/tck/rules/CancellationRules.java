/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** CA: whatever ends an acquisition, it leaves nothing behind. */
public final class CancellationRules {

  private static final int ROUNDS = 80;
  private static final int MOST_ROUNDS = 400;

  /** So many have to be in time, or nothing was tried. */
  private static final int HITS = 20;

  @Rule("CA-1")
  public void anInterruptEndsTheWait(Bench bench) throws InterruptedException {
    Lease held = bench.client().lock(bench.name(), bench.longTtl()).acquire();
    LockClient client = bench.client();
    CompletableFuture<LockEvent> contended = Heard.next(client, LockEvent.Contended.class);
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                client.lock(bench.name(), bench.longTtl()).acquire();
                thrown.complete(new AssertionError("returned without the lock"));
              } catch (Throwable t) {
                thrown.complete(t);
              }
            });
    waiter.start();
    bench.get(contended, Bench.SLACK);
    waiter.interrupt();
    Throwable told = bench.get(thrown, Bench.SLACK);
    bench.check(
        told instanceof InterruptedException,
        "expected an interrupted wait to end with InterruptedException, but it ended with " + told);
    held.release();
    bench.awaitNothingLeft(Bench.SLACK);
  }

  @Rule("CA-2")
  public void aCancelledFutureLeavesNothing(Bench bench) throws InterruptedException {
    Lease held = bench.client().lock(bench.name(), bench.longTtl()).acquire();
    LockClient client = bench.client();
    CompletableFuture<LockEvent> contended = Heard.next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> waiting = client.lock(bench.name(), bench.longTtl()).acquireAsync();
    bench.get(contended, Bench.SLACK);
    waiting.cancel(true);
    held.release();
    bench.awaitNothingLeft(Bench.SLACK);
    bench.letPass(Duration.ofMillis(300));
    bench.awaitNothingLeft(Duration.ZERO);
  }

  @Rule("CA-3")
  public void interruptsAtAnyMomentLeaveNothing(Bench bench) throws Exception {
    Optional<TcpProxy> far = bench.farLink();
    LockClient client = bench.client(far);
    AtomicInteger asked = Heard.count(client, LockEvent.Attempted.class);
    Moments moments = new Moments();
    int granted = 0;
    for (int i = 0; i < ROUNDS || (moments.hits() < HITS && i < MOST_ROUNDS); i++) {
      CompletableFuture<Boolean> done = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  client.lock(bench.name(), bench.longTtl()).acquire().release();
                  done.complete(true);
                } catch (InterruptedException e) {
                  done.complete(false);
                }
              });
      thread.start();
      moments.await();
      thread.interrupt();
      boolean tooLate = bench.get(done, Duration.ofSeconds(10));
      granted += tooLate ? 1 : 0;
      moments.was(!tooLate);
    }
    int inVain = granted;
    if (far.isPresent()) {
      checkTried(bench, () -> asked.get() - inVain, "interrupts of what was asked for");
    }
    bench.awaitNothingLeft(Bench.SLACK);
    client.lock(bench.name(), bench.longTtl()).acquire(Bench.SLACK).release();
  }

  @Rule("CA-4")
  public void cancellingAtAnyMomentLeavesNothing(Bench bench) throws InterruptedException {
    Optional<TcpProxy> far = bench.farLink();
    LockClient client = bench.client(far);
    Moments moments = new Moments();
    for (int i = 0; i < ROUNDS || (moments.hits() < HITS && i < MOST_ROUNDS); i++) {
      CompletableFuture<Lease> waiting = client.lock(bench.name(), bench.longTtl()).acquireAsync();
      moments.await();
      boolean inTime = waiting.cancel(true);
      moments.was(inTime);
      if (!inTime) {
        waiting.join().releaseAsync();
      }
    }
    if (far.isPresent()) {
      checkTried(bench, moments::hits, "cancellations before the end");
    }
    bench.awaitNothingLeft(Bench.SLACK);
    client.lock(bench.name(), bench.longTtl()).acquire(Bench.SLACK).release();
  }

  private static void checkTried(Bench bench, IntSupplier times, String what) {
    bench.await(HITS / 2 + " " + what, Bench.SLACK, () -> times.getAsInt() >= HITS / 2);
  }

  @Rule("CA-5")
  public void aReleaseIsCompleteThoughInterrupted(Bench bench) throws Exception {
    Lease lease = bench.client().lock(bench.name(), bench.longTtl()).acquire();
    CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              outcome.complete(lease.release());
              flag.complete(Thread.interrupted());
            });
    thread.start();
    ReleaseOutcome ended = bench.get(outcome, Bench.SLACK);
    bench.checkInTime(ended != ReleaseOutcome.UNKNOWN, "release: " + ended);
    bench.checkEquals(ReleaseOutcome.RELEASED, ended, "release");
    bench.check(
        bench.get(flag, Bench.SLACK),
        "expected the thread to be interrupted still after its release, but the flag is clear");
    Holders.free(
        bench,
        bench.client().lock(bench.name(), bench.longTtl()),
        Duration.ZERO,
        "after a release that was interrupted");
  }

  @Rule("CA-6")
  public void whoIsInterruptedAlreadyAsksForNothing(Bench bench) throws Exception {
    LockClient client = bench.client();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              try {
                client.lock(bench.name(), bench.longTtl()).acquire();
                interrupted.complete(false);
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
            });
    thread.start();
    bench.check(
        bench.get(interrupted, Bench.SLACK),
        "expected InterruptedException of a thread that is interrupted already, but it was granted the lock");
    bench.awaitNothingLeft(Duration.ofMillis(100));
  }

  @Rule("CA-7")
  public void aWaitThatTimedOutLeavesNothing(Bench bench) throws InterruptedException {
    Lease held = bench.client().lock(bench.name(), bench.longTtl()).acquire();
    LockClient client = bench.client();
    for (int i = 0; i < 10; i++) {
      // The last has its place in any queue for sure when its time is over.
      int most = i < 9 ? 40 : 1_000;
      Duration limit = Duration.ofMillis(most - ThreadLocalRandom.current().nextInt(40));
      try {
        Optional<Lease> none = client.lock(bench.name(), bench.longTtl()).tryAcquire(limit);
        Holders.refused(held, none, "granted within a limit, by another client");
      } catch (LockUnavailableException e) {
        // The limit may be over before the first answer.
        bench.check(Bench.message(e).contains(bench.name()), "the lock is not named: " + e);
      }
    }
    held.release();
    bench.awaitNothingLeft(Bench.SLACK);
  }

  @Rule("CA-8")
  public void anAcquisitionWhoseAnswerIsLostLeavesNothing(Bench bench) throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      TcpProxy link = bench.link();
      LockClient client = bench.client(link);
      warmUp(client, bench);
      link.loseNextReply();
      try {
        client
            .lock(bench.name(), bench.longTtl())
            .tryAcquire()
            .ifPresent(
                lease -> {
                  Holders.held(lease, "just handed out");
                  lease.release();
                });
      } catch (LockUnavailableException e) {
        bench.check(Bench.message(e).contains(bench.name()), "the lock is not named: " + e);
      }
      link.heal();
      bench.awaitNothingLeft(bench.freeAfterDeath().plus(Bench.SLACK));
    }
  }

  @Rule("CA-9")
  public void aRequestThatArrivesLateLeavesNothing(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    warmUp(client, bench);
    link.stall(Direction.TO_SERVER);
    try {
      Duration limit = bench.ttl().dividedBy(2);
      bench.check(
          client.lock(bench.name(), bench.longTtl()).tryAcquire(limit).isEmpty(),
          "expected no lease, as no request reaches the server, but one was handed out");
    } catch (LockUnavailableException e) {
      // Its command time-out was over before the limit.
      bench.check(Bench.message(e).contains(bench.name()), "the lock is not named: " + e);
    }
    link.heal();
    bench.awaitNothingLeft(bench.freeAfterDeath().plus(Bench.SLACK));
    bench.letPass(bench.ttl().dividedBy(2));
    bench.checkEquals(List.of(), bench.residue(), "what came late to the server");
  }

  /** A server that is asked for the first time may have to be told more than what it is asked. */
  private static void warmUp(LockClient client, Bench bench) throws InterruptedException {
    Holders.released(client.lock(bench.name(), bench.longTtl()).acquire(), "the first");
  }

  @Rule("CA-10")
  public void aReleaseWhoseAnswerIsLostFreesTheLock(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    Lease lease = bench.client(link).lock(bench.name(), bench.longTtl()).acquire();
    link.loseNextReply();
    lease.release();
    link.heal();
    Holders.free(
        bench,
        bench.client().lock(bench.name(), bench.longTtl()),
        bench.freeAfterDeath().plus(Bench.SLACK),
        "after a release whose answer was lost");
  }

  @Rule("CA-11")
  public void completingAFutureFromOutsideGivesTheLockBack(Bench bench)
      throws InterruptedException {
    LockClient client = bench.client();
    Lease held = bench.client().lock(bench.name(), bench.longTtl()).acquire();
    CompletableFuture<LockEvent> contended = Heard.next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> first = client.lock(bench.name(), bench.longTtl()).acquireAsync();
    CompletableFuture<Lease> behind = client.lock(bench.name(), bench.longTtl()).acquireAsync();
    bench.get(contended, Bench.SLACK);
    for (CompletableFuture<Lease> waiting : List.of(behind, first)) {
      waiting.completeExceptionally(new IllegalStateException("somebody lost patience"));
    }
    held.release();
    bench.awaitNothingLeft(Bench.SLACK);
    bench.letPass(Duration.ofMillis(300));
    bench.awaitNothingLeft(Duration.ZERO);
  }
}
