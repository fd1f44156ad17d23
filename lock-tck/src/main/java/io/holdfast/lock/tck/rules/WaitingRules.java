/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

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
import io.holdfast.lock.spi.Capabilities.WakeUp;
import io.holdfast.lock.spi.TimeText;
import io.holdfast.lock.tck.Bound;
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
  private static final Duration SLOW_ANSWER = Duration.ofMillis(400);

  @Rule("WT-1")
  public void aLimitIsKept(Bench bench) throws InterruptedException {
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient client = bench.client();
    long begun = System.nanoTime();
    Optional<Lease> lease = client.lock(bench.name(), bench.options()).tryAcquire(LIMIT);
    long waited = System.nanoTime() - begun;
    Holders.refused(held, lease, "granted to another client");
    bench.check(
        waited >= LIMIT.toNanos(),
        "expected a wait of %s, but it ended after %s"
            .formatted(TimeText.of(LIMIT), TimeText.of(Duration.ofNanos(waited))));
    bench.checkInTime(
        waited < LIMIT.plus(Bench.SLACK).toNanos(),
        "expected a wait of %s, and %s more at most, but it ended after %s"
            .formatted(
                TimeText.of(LIMIT),
                TimeText.of(Bench.SLACK),
                TimeText.of(Duration.ofNanos(waited))));
  }

  @Rule("WT-2")
  public void whoInsistsIsToldOfTheTimeOut(Bench bench) throws InterruptedException {
    bench.closing(bench.client().lock(bench.name(), bench.options()).acquire());
    LockClient client = bench.client();
    LockTimeoutException told =
        bench.expect(
            LockTimeoutException.class,
            () -> client.lock(bench.name(), bench.options()).acquire(LIMIT));
    bench.check(
        Bench.message(told).contains(bench.name()),
        "expected the lock's name in the message, but it is " + told);
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
        waited < LIMIT.plus(Bench.SLACK).toNanos(),
        "expected a wait of %s, and %s more at most, but it ended after %s"
            .formatted(
                TimeText.of(LIMIT),
                TimeText.of(Bench.SLACK),
                TimeText.of(Duration.ofNanos(waited))));
    bench.awaitNothingLeft(bench.freeAfterDeath().plus(Bench.SLACK));
  }

  @Rule("WT-4")
  public void notWaitingMeansOneAttempt(Bench bench) throws InterruptedException {
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient client = bench.client();
    AtomicInteger attempts = Heard.count(client, LockEvent.Attempted.class);
    CompletableFuture<LockEvent> gaveUp = Heard.next(client, LockEvent.GaveUp.class);
    Holders.refused(
        held,
        client.lock(bench.name(), bench.options()).tryAcquire(Duration.ZERO),
        "granted to another client");
    bench.get(gaveUp, Bench.SLACK);
    bench.await("an attempt", Bench.SLACK, () -> attempts.get() >= 1);
    bench.letPass(Duration.ofMillis(50));
    bench.checkEquals(1, attempts.get(), "attempts");
  }

  @Rule("WT-5")
  public void aReleaseWakesTheWaiter(Bench bench) throws InterruptedException {
    LockClient holder = bench.client();
    LockClient waiter = bench.client();
    for (int i = 0; i < 6; i++) {
      Lease lease = holder.lock(bench.name(), bench.wakeable()).acquire();
      CompletableFuture<LockEvent> contended = Heard.next(waiter, LockEvent.Contended.class);
      CompletableFuture<Lease> waiting = waiter.lock(bench.name(), bench.wakeable()).acquireAsync();
      bench.get(contended, Bench.SLACK);
      bench.letPass(Duration.ofMillis(50));
      long released = System.nanoTime();
      // What is closed is undone, which a server may tell by itself, or not at all.
      if (i % 2 == 0) {
        lease.release();
      } else {
        lease.close();
      }
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
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient waiter = bench.client();
    CompletableFuture<LockEvent> contended = Heard.next(waiter, LockEvent.Contended.class);
    CompletableFuture<Lease> waiting = waiter.lock(bench.name(), bench.options()).acquireAsync();
    bench.get(contended, Bench.SLACK);
    bench.revoke(held);
    Holders.held(bench.get(waiting, Bench.SLACK), "granted after a poll");
  }

  @Rule(value = "WT-11", alone = true)
  public void aRestartOfTheServerEndsNoWait(Bench bench) throws InterruptedException {
    Server server = bench.server();
    Lease held = bench.client().lock(bench.name(), bench.options()).acquire();
    LockClient waiter = bench.client();
    CompletableFuture<LockEvent> contended = Heard.next(waiter, LockEvent.Contended.class);
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

  @Rule("WT-13")
  public void aLimitOfAttemptsIsKept(Bench bench) throws InterruptedException {
    bench.closing(bench.client().lock(bench.name(), bench.options()).acquire());
    LockClient client = bench.client();
    LockOptions three =
        bench
            .options()
            .withRetry(
                Retry.defaults()
                    .withPauses(Duration.ofMillis(10), Duration.ofMillis(10))
                    .withMaxAttempts(3));
    AtomicInteger attempts = Heard.count(client, LockEvent.Attempted.class);
    CompletableFuture<LockEvent> gaveUp = Heard.next(client, LockEvent.GaveUp.class);
    bench.expect(LockTimeoutException.class, () -> client.lock(bench.name(), three).acquire());
    bench.get(gaveUp, Bench.SLACK);
    bench.await("three attempts", Bench.SLACK, () -> attempts.get() >= 3);
    bench.letPass(Duration.ofMillis(50));
    bench.checkEquals(3, attempts.get(), "attempts");
  }

  @Rule("WT-14")
  public void whoWaitsUsesUpNoConnections(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    bench.closing(bench.client().lock(bench.name(), bench.longTtl()).acquire());
    LockClient client = bench.client(link);
    AtomicInteger attempts = Heard.count(client, LockEvent.Attempted.class);
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

  @Rule("WT-17")
  public void aLimitShorterThanAnAnswerIsALimit(Bench bench) throws InterruptedException {
    TcpProxy link = bench.link();
    LockClient client = bench.client(link);
    DistributedLock lock = client.lock(bench.name(), bench.longTtl());
    lock.run(lease -> Holders.held(lease, "in the body of run"));
    link.delay(Direction.TO_CLIENT, SLOW_ANSWER);
    bench.check(
        lock.tryAcquire(SHORT_LIMIT).isEmpty(),
        "expected no lease before the server has answered, but one was handed out");
    bench.expect(LockTimeoutException.class, () -> lock.acquire(SHORT_LIMIT));
    bench.check(
        bench.get(lock.tryAcquireAsync(SHORT_LIMIT), Bench.SLACK).isEmpty(),
        "expected no lease before the server has answered, but one was handed out");
    bench.check(
        !lock.asJavaLock().tryLock(SHORT_LIMIT.toMillis(), TimeUnit.MILLISECONDS),
        "expected no lease before the server has answered, but one was handed out");
    link.heal();
    bench.awaitNothingLeft(bench.freeAfterDeath().plus(Bench.SLACK));
  }
}
