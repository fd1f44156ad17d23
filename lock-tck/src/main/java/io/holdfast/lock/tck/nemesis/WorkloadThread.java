/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.Refusal;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** What a thread does: asks for a lock in one of many ways, holds it, and begins anew. */
final class WorkloadThread implements Runnable {

  private static final int LIMITED = 16;
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(10);

  private final WorkerConfig config;
  private final Workload workload;
  private final String thread;
  private final LockClient client;
  private final Log log;
  private final Contender contender;
  private final Random random;

  WorkloadThread(
      WorkerConfig config,
      Workload workload,
      String thread,
      LockClient client,
      Log log,
      Contender contender,
      long seed) {
    this.config = config;
    this.workload = workload;
    this.thread = thread;
    this.client = client;
    this.log = log;
    this.contender = contender;
    this.random = new Random(seed);
  }

  /** How a lock is asked for; the last of them without a limit. */
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
      turn(way(), workload.isFixed(random));
      pause(workload.pause());
    }
  }

  /** The one without a limit is rare: whoever waits for a lock that is stuck does nothing else. */
  private Way way() {
    if (workload.tries()) {
      return Way.TRY;
    }
    return random.nextInt(LIMITED) == 0
        ? Way.RUN
        : Way.values()[random.nextInt(Way.values().length - 1)];
  }

  private void turn(Way way, boolean fixed) {
    String name = workload.lock(random);
    DistributedLock lock = client.lock(name, workload.options(!fixed));
    Duration wait = way == Way.TRY ? Duration.ZERO : between(SHORTEST_WAIT, workload.longestWait());
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
      holding(got.get(), attempt, now()).hold(fixed);
    } else if (way != Way.RUN) {
      notGranted(attempt, name, way == Way.TRY ? Refusal.BUSY : Refusal.TIMED_OUT, "");
    }
  }

  private Optional<Lease> cancelled(DistributedLock lock, Duration wait) {
    CompletableFuture<Lease> future = lock.acquireAsync(wait);
    pause(workload.patience());
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
    Interrupter.Armed armed = contender.interrupter().arm(random(workload.patience()));
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
            holding(lease, attempt, granted.get()).use();
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

  private LeaseUse holding(Lease lease, long attempt, long grantedAt) {
    return new LeaseUse(
        lease,
        attempt,
        grantedAt,
        config.fenced(),
        workload,
        log,
        contender.usable(),
        random,
        contender::hasEnded);
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
