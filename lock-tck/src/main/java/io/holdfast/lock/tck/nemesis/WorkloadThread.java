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
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The loop of a thread: asks for a lock in one of many ways, holds it, and begins anew. */
final class WorkloadThread implements Runnable {

  private static final int LIMITED = 16;
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(10);

  private final WorkerConfig config;
  private final Workload workload;
  private final String thread;
  private final LockClient client;
  private final ProcessLog log;
  private final ClientThreads threads;
  private final Random random;

  WorkloadThread(
      WorkerConfig config,
      Workload workload,
      String thread,
      LockClient client,
      ProcessLog log,
      ClientThreads threads,
      long seed) {
    this.config = config;
    this.workload = workload;
    this.thread = thread;
    this.client = client;
    this.log = log;
    this.threads = threads;
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
    while (!threads.hasEnded()) {
      turn(way(), workload.isFixed(random));
      pause(workload.pause());
    }
  }

  /** The one without a limit is rare: a thread that waits for a stuck lock does nothing else. */
  private Way way() {
    if (workload.tries()) {
      return Way.TRY;
    }
    return random.nextInt(LIMITED) == 0
        ? Way.RUN
        : Way.values()[random.nextInt(Way.values().length - 1)];
  }

  private void turn(Way way, boolean fixed) {
    LockRequest wanted = workload.any(random);
    DistributedLock lock = wanted.of(client, workload.options(!fixed));
    Duration wait = way == Way.TRY ? Duration.ZERO : between(SHORTEST_WAIT, workload.longestWait());
    Duration told = way == Way.RUN ? Event.Asked.NO_LIMIT : wait;
    Attempts attempts = asking(wanted, told);
    Optional<Lease> got;
    try {
      got =
          switch (way) {
            case TRY -> lock.tryAcquire();
            case TIMED -> lock.tryAcquire(wait);
            case LIMITED -> Optional.of(lock.acquire(wait));
            case CANCELLED -> cancelled(lock, wait);
            case INTERRUPTED -> interrupted(lock, wait);
            case RUN -> run(lock, attempts);
          };
    } catch (LockException | IllegalStateException e) {
      notGranted(attempts, refusal(e), e.getClass().getName());
      return;
    } catch (InterruptedException e) {
      notGranted(attempts, Refusal.INTERRUPTED, e.getClass().getName());
      return;
    }
    if (got.isPresent()) {
      holding(got.get(), attempts, now()).hold(fixed);
    } else if (way != Way.RUN) {
      notGranted(attempts, way == Way.TRY ? Refusal.BUSY : Refusal.TIMED_OUT, "");
    }
  }

  private Attempts asking(LockRequest wanted, Duration maxWait) {
    Attempts attempts = new Attempts(wanted, threads::nextAttempt);
    long at = now();
    attempts.each(
        (name, attempt) ->
            log.write(
                new Event.Asked(
                    at, log.process(), attempt, thread, name, maxWait, wanted.share())));
    return attempts;
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
    Interrupter.Armed armed = threads.interrupter().arm(random(workload.patience()));
    try {
      return lock.tryAcquire(wait);
    } finally {
      armed.disarm();
    }
  }

  /** The release is a part of the call. */
  private Optional<Lease> run(DistributedLock lock, Attempts attempts) throws InterruptedException {
    AtomicLong granted = new AtomicLong();
    try {
      lock.run(
          lease -> {
            granted.set(now());
            holding(lease, attempts, granted.get()).use();
          });
      released(attempts, ReleaseOutcome.RELEASED);
    } catch (LockLostException e) {
      if (granted.get() == 0) {
        throw e;
      }
      released(attempts, ReleaseOutcome.ALREADY_LOST);
    }
    return Optional.empty();
  }

  private void released(Attempts attempts, ReleaseOutcome outcome) {
    long at = now();
    attempts.each(
        (name, attempt) -> log.write(new Event.Released(at, log.process(), attempt, outcome)));
  }

  private LeaseUse holding(Lease lease, Attempts attempts, long grantedAt) {
    return new LeaseUse(
        lease,
        attempts,
        grantedAt,
        config.fenced(),
        workload,
        log,
        attempts.wanted().isExclusive() ? threads.usable() : List.of(),
        random,
        threads::hasEnded);
  }

  private void notGranted(Attempts attempts, Refusal why, String exception) {
    long at = now();
    attempts.each(
        (name, attempt) ->
            log.write(new Event.NotGranted(at, log.process(), attempt, name, why, exception)));
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
