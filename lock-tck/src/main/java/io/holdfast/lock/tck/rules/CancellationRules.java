/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.text.TimeText;
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

  @Rule(value = "CA-1", lookAt = "release(): what it leaves of a claim that has waited")
  public void anInterruptEndsTheWait(RuleContext context) throws InterruptedException {
    Lease held = context.client().lock(context.name(), context.longTtl()).acquire();
    LockClient client = context.client();
    Throwable told =
        interruptedWait(context, client, client.lock(context.name(), context.longTtl()));
    context.check(
        told instanceof InterruptedException,
        "expected an interrupted wait to end with InterruptedException, but it ended with " + told);
    held.release();
    context.awaitNothingLeft(RuleContext.SLACK);
  }

  /** How the wait for a lock that another client has ends when its thread is interrupted. */
  static Throwable interruptedWait(RuleContext context, LockClient client, DistributedLock lock) {
    CompletableFuture<LockEvent> contended = RecordedEvents.next(client, LockEvent.Contended.class);
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                lock.acquire();
                thrown.complete(
                    new AssertionError(
                        "expected an interrupt to end the wait, but it got a lease"));
              } catch (Throwable t) {
                thrown.complete(t);
              }
            });
    waiter.start();
    context.get(contended, RuleContext.SLACK);
    waiter.interrupt();
    return context.get(thrown, RuleContext.SLACK);
  }

  @Rule(value = "CA-2", lookAt = "release(): what it leaves of a claim that has waited")
  public void aCancelledFutureLeavesNothing(RuleContext context) throws InterruptedException {
    Lease held = context.client().lock(context.name(), context.longTtl()).acquire();
    LockClient client = context.client();
    CompletableFuture<Lease> waiting =
        RecordedEvents.contended(context, client, client.lock(context.name(), context.longTtl()));
    waiting.cancel(true);
    held.release();
    context.awaitNothingLeft(RuleContext.SLACK);
    context.letPass(Duration.ofMillis(300));
    context.awaitNothingLeft(Duration.ZERO);
  }

  @Rule(value = "CA-3", lookAt = "release(): how it undoes an attempt that is under way")
  public void interruptsAtAnyMomentLeaveNothing(RuleContext context) throws Exception {
    Optional<TcpProxy> far = context.farLink();
    LockClient client = context.client(far);
    AtomicInteger asked = RecordedEvents.count(client, LockEvent.Attempted.class);
    RandomMoments moments = new RandomMoments();
    int granted = 0;
    for (int i = 0; i < ROUNDS || (moments.hits() < HITS && i < MOST_ROUNDS); i++) {
      PendingAcquisition acquisition =
          PendingAcquisition.interruptible(context, client, context.name());
      moments.await();
      boolean inTime = acquisition.end().getAsBoolean();
      granted += inTime ? 0 : 1;
      moments.was(inTime);
    }
    int inVain = granted;
    if (far.isPresent()) {
      checkTried(context, () -> asked.get() - inVain, "interrupts of what was asked for");
      PendingAcquisition.endWhenGranted(
          context, far.get(), name -> PendingAcquisition.interruptible(context, client, name));
    }
    context.awaitNothingLeft(RuleContext.SLACK);
    client.lock(context.name(), context.longTtl()).acquire(RuleContext.SLACK).release();
  }

  @Rule(value = "CA-4", lookAt = "release(): how it undoes an attempt that is under way")
  public void cancellingAtAnyMomentLeavesNothing(RuleContext context) throws InterruptedException {
    Optional<TcpProxy> far = context.farLink();
    LockClient client = context.client(far);
    RandomMoments moments = new RandomMoments();
    for (int i = 0; i < ROUNDS || (moments.hits() < HITS && i < MOST_ROUNDS); i++) {
      PendingAcquisition acquisition =
          PendingAcquisition.cancellable(context, client, context.name());
      moments.await();
      moments.was(acquisition.end().getAsBoolean());
    }
    if (far.isPresent()) {
      checkTried(context, moments::hits, "cancellations before the end");
      PendingAcquisition.endWhenGranted(
          context, far.get(), name -> PendingAcquisition.cancellable(context, client, name));
    }
    context.awaitNothingLeft(RuleContext.SLACK);
    client.lock(context.name(), context.longTtl()).acquire(RuleContext.SLACK).release();
  }

  private static void checkTried(RuleContext context, IntSupplier times, String what) {
    context.await(HITS / 2 + " " + what, RuleContext.SLACK, () -> times.getAsInt() >= HITS / 2);
  }

  @Rule(value = "CA-5", lookAt = "release(): whether an interrupt of the caller disturbs it")
  public void aReleaseIsCompleteThoughInterrupted(RuleContext context) throws Exception {
    Lease lease = context.client().lock(context.name(), context.longTtl()).acquire();
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
    ReleaseOutcome ended = context.get(outcome, RuleContext.SLACK);
    context.checkInTime(
        ended != ReleaseOutcome.UNKNOWN,
        "expected the release to be answered, but it answered " + ended);
    context.checkEquals(ReleaseOutcome.RELEASED, ended, "the answer to the release");
    context.check(
        context.get(flag, RuleContext.SLACK),
        "expected the thread to be interrupted still after its release, but the flag is clear");
    Holders.free(
        context,
        context.client().lock(context.name(), context.longTtl()),
        Duration.ZERO,
        "after a release that was interrupted");
  }

  @Rule(value = "CA-6", lookAt = Rule.ENGINE)
  public void anInterruptedThreadAsksForNothing(RuleContext context) throws Exception {
    LockClient client = context.client();
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              try {
                client.lock(context.name(), context.longTtl()).acquire();
                interrupted.complete(false);
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
            });
    thread.start();
    context.check(
        context.get(interrupted, RuleContext.SLACK),
        "expected InterruptedException of a thread that is interrupted already, but it was granted the lock");
    context.awaitNothingLeft(Duration.ofMillis(100));
  }

  @Rule(value = "CA-7", lookAt = "release(): what it leaves of a claim that has waited")
  public void aWaitThatTimedOutLeavesNothing(RuleContext context) throws InterruptedException {
    Lease held = context.client().lock(context.name(), context.longTtl()).acquire();
    LockClient client = context.client();
    AtomicInteger failed = RecordedEvents.count(client, LockEvent.AttemptFailed.class);
    for (int i = 0; i < 10; i++) {
      // The last has its place in any queue for sure when its time is over.
      int most = i < 9 ? 40 : 1_000;
      Duration limit = Duration.ofMillis(most - ThreadLocalRandom.current().nextInt(40));
      try {
        Optional<Lease> none = client.lock(context.name(), context.longTtl()).tryAcquire(limit);
        Holders.refused(held, none, "granted within a limit, by another client");
      } catch (LockUnavailableException e) {
        context.checkSays(e, context.name());
        // Also if it was over before the first answer.
        context.check(
            RuleContext.comesTrue(RuleContext.SLACK, () -> failed.get() > 0),
            "expected a limit of %s to be reported as a limit, as no attempt has failed, but %s was thrown"
                .formatted(TimeText.of(limit), e));
        throw new DeadlineMissed(
            "expected a server that is there to answer in time, but it did not", e);
      }
    }
    held.release();
    context.awaitNothingLeft(RuleContext.SLACK);
  }

  @Rule(value = "CA-8", lookAt = "release(): how it undoes an attempt without an answer")
  public void anAcquisitionWhoseAnswerIsLostLeavesNothing(RuleContext context)
      throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      TcpProxy link = context.link();
      LockClient client = context.client(link);
      warmUp(client, context);
      link.loseNextReply();
      try {
        client
            .lock(context.name(), context.longTtl())
            .tryAcquire()
            .ifPresent(
                lease -> {
                  Holders.held(lease, "just handed out");
                  lease.release();
                });
      } catch (LockUnavailableException e) {
        context.checkSays(e, context.name());
      }
      link.heal();
      context.awaitNothingLeft(context.freeAfterDeath().plus(RuleContext.SLACK));
    }
  }

  @Rule(value = "CA-9", lookAt = "release(): how it undoes an attempt that arrives later")
  public void aRequestThatArrivesLateLeavesNothing(RuleContext context)
      throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    warmUp(client, context);
    link.stall(Direction.TO_SERVER);
    try {
      Duration limit = context.ttl().dividedBy(2);
      context.check(
          client.lock(context.name(), context.longTtl()).tryAcquire(limit).isEmpty(),
          "expected no lease, as no request reaches the server, but one was handed out");
    } catch (LockUnavailableException e) {
      // Its command time-out was over before the limit.
      context.checkSays(e, context.name());
    }
    link.heal();
    context.awaitNothingLeft(context.freeAfterDeath().plus(RuleContext.SLACK));
    context.letPass(context.ttl().dividedBy(2));
    context.checkEquals(List.of(), context.residue(), "what is at the server after late requests");
  }

  /** A server that is asked for the first time may have to be told more than what it is asked. */
  private static void warmUp(LockClient client, RuleContext context) throws InterruptedException {
    Holders.released(client.lock(context.name(), context.longTtl()).acquire(), "the first");
  }

  @Rule(value = "CA-10", lookAt = "release(): whether it can be repeated")
  public void aReleaseWhoseAnswerIsLostFreesTheLock(RuleContext context)
      throws InterruptedException {
    TcpProxy link = context.link();
    Lease lease = context.client(link).lock(context.name(), context.longTtl()).acquire();
    link.loseNextReply();
    lease.release();
    link.heal();
    Holders.free(
        context,
        context.client().lock(context.name(), context.longTtl()),
        context.freeAfterDeath().plus(RuleContext.SLACK),
        "after a release whose answer was lost");
  }

  @Rule(value = "CA-11", lookAt = "release(): what it leaves of a claim that has waited")
  public void completingAFutureFromOutsideGivesTheLockBack(RuleContext context)
      throws InterruptedException {
    LockClient client = context.client();
    Lease held = context.client().lock(context.name(), context.longTtl()).acquire();
    CompletableFuture<LockEvent> contended = RecordedEvents.next(client, LockEvent.Contended.class);
    CompletableFuture<Lease> first = client.lock(context.name(), context.longTtl()).acquireAsync();
    CompletableFuture<Lease> behind = client.lock(context.name(), context.longTtl()).acquireAsync();
    context.get(contended, RuleContext.SLACK);
    for (CompletableFuture<Lease> waiting : List.of(behind, first)) {
      waiting.completeExceptionally(new IllegalStateException("somebody lost patience"));
    }
    held.release();
    context.awaitNothingLeft(RuleContext.SLACK);
    context.letPass(Duration.ofMillis(300));
    context.awaitNothingLeft(Duration.ZERO);
  }
}
