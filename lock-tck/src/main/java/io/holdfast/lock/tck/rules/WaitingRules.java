/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import io.holdfast.lock.Capabilities.WakeUp;
import io.holdfast.lock.DistributedLock;
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
import io.holdfast.lock.tck.Bound;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** WT: waiting ends, is prompt, and bothers the server little. See also {@link QueueRules}. */
public final class WaitingRules {

  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final int MANY_ATTEMPTS = 40;
  private static final Duration SHORT_LIMIT = Duration.ofMillis(20);

  /** Nobody waits for it, so it may be long enough for a limit that is noticed late. */
  private static final Duration SLOW_ANSWER = Duration.ofSeconds(3);

  @Rule(value = "WT-1", lookAt = "attempt(): whether it answers without waiting")
  public void aLimitIsKept(RuleContext context) throws InterruptedException {
    Lease held = context.client().lock(context.name(), context.options()).acquire();
    LockClient client = context.client();
    long begun = System.nanoTime();
    Optional<Lease> lease = client.lock(context.name(), context.options()).tryAcquire(LIMIT);
    long waited = System.nanoTime() - begun;
    Holders.refused(held, lease, "granted to another client");
    context.check(
        waited >= LIMIT.toNanos(),
        "expected a wait of %s, but it ended after %s"
            .formatted(TimeText.of(LIMIT), TimeText.of(Duration.ofNanos(waited))));
    context.checkInTime(
        waited < LIMIT.plus(RuleContext.SLACK).toNanos(),
        "expected a wait of %s, and %s more at most, but it ended after %s"
            .formatted(
                TimeText.of(LIMIT),
                TimeText.of(RuleContext.SLACK),
                TimeText.of(Duration.ofNanos(waited))));
  }

  @Rule(value = "WT-2", lookAt = "attempt(): whether it fails where it has to answer Contended")
  public void acquireTellsOfTheTimeOut(RuleContext context) throws InterruptedException {
    context.closing(context.client().lock(context.name(), context.longTtl()).acquire());
    LockClient client = context.client();
    LockTimeoutException told =
        context.expect(
            LockTimeoutException.class,
            () -> client.lock(context.name(), context.options()).acquire(LIMIT));
    context.checkSays(told, context.name());
  }

  @Rule(value = "WT-3", alone = true, lookAt = "operationTimeout(); release() with no answer")
  public void aLimitIsKeptThoughTheServerHangs(RuleContext context) throws InterruptedException {
    Server server = context.server();
    LockClient client = context.client();
    long waited;
    server.suspend();
    try {
      long begun = System.nanoTime();
      context.expect(
          LockException.class, () -> client.lock(context.name(), context.options()).acquire(LIMIT));
      waited = System.nanoTime() - begun;
    } finally {
      server.resume();
    }
    context.checkInTime(
        waited < LIMIT.plus(RuleContext.SLACK).toNanos(),
        "expected a wait of %s, and %s more at most, but it ended after %s"
            .formatted(
                TimeText.of(LIMIT),
                TimeText.of(RuleContext.SLACK),
                TimeText.of(Duration.ofNanos(waited))));
    context.awaitNothingLeft(context.freeAfterDeath().plus(RuleContext.SLACK));
  }

  @Rule(value = "WT-4", lookAt = "attempt(): whether it asks again by itself")
  public void notWaitingMeansOneAttempt(RuleContext context) throws InterruptedException {
    Lease held = context.client().lock(context.name(), context.options()).acquire();
    LockClient client = context.client();
    AtomicInteger attempts = RecordedEvents.count(client, LockEvent.Attempted.class);
    CompletableFuture<LockEvent> gaveUp = RecordedEvents.next(client, LockEvent.GaveUp.class);
    Holders.refused(
        held,
        client.lock(context.name(), context.options()).tryAcquire(Duration.ZERO),
        "granted to another client");
    context.get(gaveUp, RuleContext.SLACK);
    context.await("an attempt", RuleContext.SLACK, () -> attempts.get() >= 1);
    context.letPass(Duration.ofMillis(50));
    context.checkEquals(1, attempts.get(), "the number of attempts");
  }

  @Rule(value = "WT-5", lookAt = "ClaimSignals.wake(): whether each release leads to it")
  public void aReleaseWakesTheWaiter(RuleContext context) throws InterruptedException {
    LockClient holder = context.client();
    LockClient waiter = context.client();
    for (int i = 0; i < 6; i++) {
      Lease lease = holder.lock(context.name(), context.wakeable()).acquire();
      CompletableFuture<Lease> waiting =
          RecordedEvents.contended(
              context, waiter, waiter.lock(context.name(), context.wakeable()));
      context.letPass(Duration.ofMillis(50));
      long released = System.nanoTime();
      // A closed lease is undone, which a server may announce by itself, or not at all.
      if (i % 2 == 0) {
        lease.release();
      } else {
        lease.close();
      }
      Lease next = context.get(waiting, RuleContext.SLACK);
      context.measured(Bound.HAND_OVER, released);
      next.release();
    }
    if (context.promises().wakeUp() != WakeUp.MESSAGE) {
      throw context.notPromised("waiters only poll");
    }
  }

  @Rule(value = "WT-6", lookAt = "attempt(): whether it sees that a lock is gone")
  public void withoutAMessageAPollFindsTheLockFree(RuleContext context)
      throws InterruptedException {
    Lease held = context.client().lock(context.name(), context.options()).acquire();
    LockClient waiter = context.client();
    CompletableFuture<Lease> waiting =
        RecordedEvents.contended(context, waiter, waiter.lock(context.name(), context.options()));
    Administrator.revoke(context, held);
    Holders.held(context.get(waiting, RuleContext.SLACK), "granted after a poll");
  }

  @Rule(value = "WT-11", alone = true, lookAt = "how waiters connect again after a restart")
  public void aRestartOfTheServerEndsNoWait(RuleContext context) throws InterruptedException {
    Server server = context.server();
    Lease held = context.client().lock(context.name(), context.options()).acquire();
    LockClient waiter = context.client();
    CompletableFuture<Lease> waiting =
        RecordedEvents.contended(context, waiter, waiter.lock(context.name(), context.options()));
    server.stop();
    // For longer than any pause between two polls.
    context.letPass(Duration.ofMillis(300));
    server.start();
    held.release();
    Lease lease = context.get(waiting, context.freeAfterDeath().plus(Duration.ofSeconds(15)));
    Holders.over(held, "two hold after a restart");
    Holders.held(lease, "the next holder lost it after a restart");
  }

  @Rule(value = "WT-13", lookAt = "attempt(): whether it asks again by itself")
  public void aLimitOfAttemptsIsKept(RuleContext context) throws InterruptedException {
    context.closing(context.client().lock(context.name(), context.longTtl()).acquire());
    LockClient client = context.client();
    LockOptions three =
        context
            .options()
            .withRetry(
                Retry.defaults()
                    .withPauses(Duration.ofMillis(10), Duration.ofMillis(10))
                    .withMaxAttempts(3));
    AtomicInteger attempts = RecordedEvents.count(client, LockEvent.Attempted.class);
    CompletableFuture<LockEvent> gaveUp = RecordedEvents.next(client, LockEvent.GaveUp.class);
    context.expect(LockTimeoutException.class, () -> client.lock(context.name(), three).acquire());
    context.get(gaveUp, RuleContext.SLACK);
    context.await("three attempts", RuleContext.SLACK, () -> attempts.get() >= 3);
    context.letPass(Duration.ofMillis(50));
    context.checkEquals(3, attempts.get(), "the number of attempts");
  }

  @Rule(value = "WT-14", lookAt = "attempt(): connections that it opens and does not close")
  public void waitersUseUpNoConnections(RuleContext context) throws InterruptedException {
    TcpProxy link = context.link();
    context.closing(context.client().lock(context.name(), context.longTtl()).acquire());
    LockClient client = context.client(link);
    AtomicInteger attempts = RecordedEvents.count(client, LockEvent.Attempted.class);
    LockOptions often =
        context
            .longTtl()
            .withRetry(Retry.defaults().withPauses(Duration.ofMillis(10), Duration.ofMillis(10)));
    CompletableFuture<Lease> waiting = client.lock(context.name(), often).acquireAsync();
    context.await("first attempts", RuleContext.SLACK, () -> attempts.get() >= 5);
    int connections = link.connections();
    int many = attempts.get() + MANY_ATTEMPTS;
    context.await("many attempts", RuleContext.SLACK.multipliedBy(3), () -> attempts.get() >= many);
    context.check(
        link.connections() < connections + MANY_ATTEMPTS / 2,
        "expected fewer than %d connections after %d more attempts, but found %d"
            .formatted(connections + MANY_ATTEMPTS / 2, MANY_ATTEMPTS, link.connections()));
    waiting.cancel(true);
  }

  @Rule(value = "WT-17", lookAt = "release(): how it undoes an attempt without an answer")
  public void aLimitShorterThanAnAnswerIsALimit(RuleContext context) throws InterruptedException {
    TcpProxy link = context.link();
    LockClient client = context.client(link);
    DistributedLock lock = client.lock(context.name(), context.longTtl());
    lock.run(lease -> Holders.held(lease, "in the body of run"));
    link.delay(Direction.TO_CLIENT, SLOW_ANSWER);
    context.check(
        lock.tryAcquire(SHORT_LIMIT).isEmpty(),
        "expected no lease before the server has answered, but one was handed out");
    context.expect(LockTimeoutException.class, () -> lock.acquire(SHORT_LIMIT));
    context.check(
        context.get(lock.tryAcquireAsync(SHORT_LIMIT), RuleContext.SLACK).isEmpty(),
        "expected no lease before the server has answered, but one was handed out");
    context.check(
        !lock.asJavaLock().tryLock(SHORT_LIMIT.toMillis(), TimeUnit.MILLISECONDS),
        "expected no lease before the server has answered, but one was handed out");
    link.heal();
    context.awaitNothingLeft(context.freeAfterDeath().plus(RuleContext.SLACK));
  }
}
