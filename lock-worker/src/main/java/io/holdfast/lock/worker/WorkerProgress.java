/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import io.holdfast.lock.Lease;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a {@link LockWorker}, and the requests to it: all that its threads tell each other.
 * Its thread waits here for what happens next. For any number of threads, under one monitor.
 */
final class WorkerProgress {

  private static final Logger LOG = LoggerFactory.getLogger(LockWorker.class);

  /** For messages. */
  private final String lockName;

  private final Consumer<? super WorkerState> observer;

  private final ReentrantLock monitor = new ReentrantLock();
  private final Condition changed = monitor.newCondition();
  private WorkerState state = WorkerState.IDLE;
  private boolean stopping;
  private boolean resigning;
  private volatile @Nullable Thread decider;

  /** On which the observer is being told of a state: that of the worker, or one of the client. */
  private volatile @Nullable Thread observing;

  private @Nullable Lease lease;
  private volatile @Nullable LeasedWork tenure;
  private volatile CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

  /**
   * That of a worker that is idle.
   *
   * @param lockName as it is shown, {@linkplain io.holdfast.lock.text.VisibleText escaped}
   * @param observer told of each state that is entered
   */
  WorkerProgress(String lockName, Consumer<? super WorkerState> observer) {
    this.lockName = lockName;
    this.observer = observer;
  }

  /**
   * Starts the thread of the worker.
   *
   * @param newThread makes one, which completes what it is given when it ends
   */
  void begin(Function<CompletableFuture<Void>, Thread> newThread) {
    monitor.lock();
    try {
      if (!ended.isDone()) {
        throw new IllegalStateException("The worker of lock '" + lockName + "' runs already");
      }
      CompletableFuture<Void> end = new CompletableFuture<>();
      Thread thread = newThread.apply(end);
      // First, as it may find no room; its first step waits for the monitor.
      thread.start();
      stopping = false;
      resigning = false;
      ended = end;
      decider = thread;
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Asks the worker to stop; the answer completes when it has ended. Does not wait for an observer
   * that has called {@link System#exit}, nor is the worker asked then.
   */
  CompletableFuture<Void> stop() {
    if (!lockUnlessProcessEnds()) {
      return ended.copy();
    }
    try {
      stopping = true;
      changed.signalAll();
      // Only where it waits for the lock or pauses; what is under way is waited for.
      Thread waiting = decider;
      if (waiting != null && (state == WorkerState.ACQUIRING || state == WorkerState.WAITING)) {
        waiting.interrupt();
      }
      return ended.copy();
    } finally {
      monitor.unlock();
    }
  }

  /** Takes the monitor, unless an observer that has called {@link System#exit} keeps it. */
  private boolean lockUnlessProcessEnds() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          if (monitor.tryLock(LockWorker.LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            return true;
          } else if (endsProcess()) {
            return false;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Asks the worker to give its lease back, if it has one. */
  void resign() {
    monitor.lock();
    try {
      if (lease != null) {
        resigning = true;
        changed.signalAll();
      }
    } finally {
      monitor.unlock();
    }
  }

  WorkerState state() {
    monitor.lock();
    try {
      return state;
    } finally {
      monitor.unlock();
    }
  }

  /** Empty if there is none that is valid. */
  Optional<Lease> lease() {
    monitor.lock();
    try {
      return Optional.ofNullable(lease).filter(Lease::isValid);
    } finally {
      monitor.unlock();
    }
  }

  /** Whether the end of the worker waits for the thread that asks, also in the observer. */
  boolean isWaitedForHere() {
    // An observer runs within the monitor, on whichever thread enters a state.
    if (monitor.isHeldByCurrentThread()) {
      return true;
    }
    Thread thread = Thread.currentThread();
    LeasedWork begun = tenure;
    return thread.equals(decider) || (begun != null && begun.isOn(thread));
  }

  /**
   * Whether the work or the observer has called {@link System#exit}, which does not return. Not
   * under the monitor, which that observer has.
   */
  boolean endsProcess() {
    LeasedWork begun = tenure;
    return ShutdownHooks.areWaitedForBy(decider)
        || ShutdownHooks.areWaitedForBy(observing)
        || (begun != null && begun.endsProcess());
  }

  /** Waits until the work has to stop, and says why. */
  StopReason awaitReason(Lease granted, LeasedWork begun, WorkerOptions options, TimeSource time) {
    // The first look may come late: the answer took its time, or the session is an old one.
    Duration longest = Duration.ZERO;
    monitor.lock();
    try {
      while (true) {
        Duration remaining = granted.remaining();
        longest = remaining.compareTo(longest) > 0 ? remaining : longest;
        Duration left = remaining.minus(options.headStart(longest));
        if (!granted.isValid()) {
          return StopReason.LOST;
        } else if (stopping) {
          return StopReason.STOPPED;
        } else if (resigning) {
          return StopReason.RESIGNED;
        } else if (begun.hasFailed()) {
          return StopReason.FAILED;
        } else if (left.isNegative() || left.isZero()) {
          return StopReason.ENDING;
        }
        try {
          awaitChange(left, time);
        } catch (InterruptedException e) {
          // Meant for a wait for the lock that has ended meanwhile; the flags say what to do.
        }
      }
    } finally {
      monitor.unlock();
    }
  }

  /** Waits for that long, or until the worker has to stop. */
  void pause(Duration length, TimeSource time) {
    long begin = time.nanos();
    monitor.lock();
    try {
      Duration left = length;
      while (!stopping && !left.isNegative() && !left.isZero()) {
        awaitChange(left, time);
        left = length.minusNanos(time.nanos() - begin);
      }
    } catch (InterruptedException e) {
      // Only stop() interrupts.
    } finally {
      monitor.unlock();
    }
  }

  /**
   * Within the monitor, so that no signal comes between the look and the wait; and within a loop,
   * as it may end early.
   */
  @SuppressWarnings("WaitNotInLoop")
  private void awaitChange(Duration limit, TimeSource time) throws InterruptedException {
    TimeSource.Timer timer = time.schedule(limit, this::signal);
    try {
      changed.await();
    } finally {
      timer.cancel();
    }
  }

  /** Has the thread of the worker look again. */
  void signal() {
    monitor.lock();
    try {
      changed.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  /** If it is in one state, and of the lease with that owner id: enters another. */
  void move(String ownerId, WorkerState from, WorkerState to) {
    monitor.lock();
    try {
      if (lease != null && lease.ownerId().equals(ownerId) && state == from) {
        enter(to);
      }
    } finally {
      monitor.unlock();
    }
  }

  /** In one step, because a stop interrupts by the state: one that comes between is not heard. */
  boolean goesOnTo(WorkerState next) {
    monitor.lock();
    try {
      if (!stopping) {
        enter(next);
      }
      return !stopping;
    } finally {
      monitor.unlock();
    }
  }

  /** The lease under which it works from now on; nothing if it has given that back. */
  void set(@Nullable Lease held, @Nullable LeasedWork begun) {
    monitor.lock();
    try {
      lease = held;
      tenure = begun;
      resigning = false;
    } finally {
      monitor.unlock();
    }
  }

  void enter(WorkerState next) {
    monitor.lock();
    try {
      if (state == next || !state.next().contains(next)) {
        LOG.error("The worker of lock '{}' went from {} to {}", lockName, state, next);
      }
      state = next;
      observing = Thread.currentThread();
      observer.accept(next);
    } catch (RuntimeException | Error e) {
      LOG.warn("The observer of the worker of lock '{}' failed on {}", lockName, next, e);
    } finally {
      observing = null;
      monitor.unlock();
    }
  }
}
