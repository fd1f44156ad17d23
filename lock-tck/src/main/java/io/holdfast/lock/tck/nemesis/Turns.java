/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.Event.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** What a thread does: asks for a lock in one of many ways, holds it, and begins anew. */
final class Turns implements Runnable {

  private static final Duration SHORTEST_WAIT = Duration.ofMillis(20);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofMillis(80);
  private static final Duration PAUSE = Duration.ofMillis(12);

  private final Orders orders;
  private final String thread;
  private final LockClient client;
  private final Log log;
  private final Contender contender;
  private final Random random;
  private final LockOptions options;

  Turns(Orders orders, String thread, LockClient client, Log log, Contender contender, long seed) {
    this.orders = orders;
    this.thread = thread;
    this.client = client;
    this.log = log;
    this.contender = contender;
    this.random = new Random(seed);
    this.options =
        LockOptions.defaults()
            .withTtl(orders.ttl())
            .withRetry(Retry.defaults().withPauses(Duration.ofMillis(20), Duration.ofMillis(200)));
  }

  /** How a lock is asked for. */
  private enum Way {
    TRY,
    TIMED,
    LIMITED,
    CANCELLED,
    INTERRUPTED,
    RUN
  }

  @Override
  public void run() {
    while (!contender.hasEnded()) {
      Way way = Way.values()[random.nextInt(Way.values().length)];
      boolean fixed = random.nextInt(5) == 0;
      turn(way, fixed);
      pause(PAUSE);
    }
  }

  private void turn(Way way, boolean fixed) {
    String name = orders.locks().get(random.nextInt(orders.locks().size()));
    DistributedLock lock = client.lock(name, fixed ? options.withRenewal(Renewal.none()) : options);
    Duration wait = way == Way.TRY ? Duration.ZERO : between(SHORTEST_WAIT, LONGEST_WAIT);
    long attempt = contender.nextAttempt();
    Duration told = way == Way.RUN ? Event.Asked.NO_LIMIT : wait;
    log.write(new Event.Asked(now(), log.process(), attempt, thread, name, told));
    Optional<Lease> got;
    try {
      got =
          switch (way) {
            case TRY -> lock.tryAcquire();
            case TIMED -> lock.tryAcquire(wait);
            case LIMITED -> Optional.of(lock.acquire(wait));
            case CANCELLED -> cancelled(lock, wait);
            case INTERRUPTED -> interrupted(lock, wait);
            case RUN -> run(lock, attempt);
          };
    } catch (LockException | IllegalStateException e) {
      notGranted(attempt, name, refusal(e), e.getClass().getName());
      return;
    } catch (InterruptedException e) {
      notGranted(attempt, name, Refusal.INTERRUPTED, e.getClass().getName());
      return;
    }
    if (got.isPresent()) {
      new Holding(got.get(), attempt, now(), orders, log, contender.usable(), random).hold(fixed);
    } else if (way != Way.RUN) {
      notGranted(attempt, name, way == Way.TRY ? Refusal.BUSY : Refusal.TIMED_OUT, "");
    }
  }

  private Optional<Lease> cancelled(DistributedLock lock, Duration wait) {
    CompletableFuture<Lease> future = lock.acquireAsync(wait);
    pause(PATIENCE);
    future.cancel(true);
    try {
      return Optional.of(future.join());
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private Optional<Lease> interrupted(DistributedLock lock, Duration wait)
      throws InterruptedException {
    Interrupter.Armed armed = contender.interrupter().arm(random(PATIENCE));
    try {
      return lock.tryAcquire(wait);
    } finally {
      armed.disarm();
    }
  }

  /** The release is a part of the call. */
  private Optional<Lease> run(DistributedLock lock, long attempt) throws InterruptedException {
    AtomicLong granted = new AtomicLong();
    try {
      lock.run(
          lease -> {
            granted.set(now());
            new Holding(lease, attempt, granted.get(), orders, log, contender.usable(), random)
                .use();
          });
      log.write(new Event.Released(now(), log.process(), attempt, ReleaseOutcome.RELEASED));
    } catch (LockLostException e) {
      if (granted.get() == 0) {
        throw e;
      }
      log.write(new Event.Released(now(), log.process(), attempt, ReleaseOutcome.ALREADY_LOST));
    }
    return Optional.empty();
  }

  private void notGranted(long attempt, String lock, Refusal why, String exception) {
    log.write(new Event.NotGranted(now(), log.process(), attempt, lock, why, exception));
  }

  private static Refusal refusal(RuntimeException thrown) {
    if (thrown instanceof LockTimeoutException) {
      return Refusal.TIMED_OUT;
    }
    if (thrown instanceof LockUnavailableException) {
      return Refusal.UNAVAILABLE;
    }
    if (thrown instanceof LockClosedException) {
      return Refusal.CLOSED;
    }
    return thrown instanceof CancellationException ? Refusal.CANCELLED : Refusal.FAILED;
  }

  private static long now() {
    return System.nanoTime();
  }

  private void pause(Duration most) {
    LockSupport.parkNanos(random(most).toNanos());
  }

  private Duration random(Duration most) {
    return Duration.ofNanos((long) (random.nextDouble() * most.toNanos()));
  }

  /** Short ones are more likely. */
  private Duration between(Duration least, Duration most) {
    double share = random.nextDouble();
    return least.plus(random(most.minus(least)).dividedBy(share < 0.7 ? 10 : 1));
  }
}
