/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps work going in one of many processes: waits for a lock, starts the work when it has it,
 * stops the work before it may lose it, and begins anew. {@link WorkerState} says where it stands.
 *
 * <p>While it runs, it has one thread that waits and decides, one that does the work, and one for
 * its timer, if it is not given a clock. They are daemons. All methods may be called from any
 * thread, also from within the work.
 */
public final class LockWorker implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LockWorker.class);

  private final LockClient client;
  private final String lockName;
  private final Work work;
  private final WorkerOptions options;
  private final Consumer<? super WorkerState> observer;

  private final ReentrantLock monitor = new ReentrantLock();
  private final Condition changed = monitor.newCondition();
  private WorkerState state = WorkerState.IDLE;
  private boolean stopping;
  private boolean resigning;
  private @Nullable Thread decider;
  private @Nullable Lease lease;
  private @Nullable LeasedWork tenure;
  private CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);

  /**
   * A worker that is idle until it is started.
   *
   * @param client stays open for as long as the worker runs; never closed here
   * @param lockName the lock
   * @param work what to start and stop
   * @param options how
   */
  public LockWorker(LockClient client, String lockName, Work work, WorkerOptions options) {
    this(client, lockName, work, options, state -> {});
  }

  /**
   * A worker that is idle until it is started, and whose states are watched.
   *
   * @param client stays open for as long as the worker runs; never closed here
   * @param lockName the lock
   * @param work what to start and stop
   * @param options how
   * @param observer told of each state that is entered, in order, on the worker's thread; must not
   *     block
   */
  public LockWorker(
      LockClient client,
      String lockName,
      Work work,
      WorkerOptions options,
      Consumer<? super WorkerState> observer) {
    this.client = Objects.requireNonNull(client, "client");
    this.lockName = Objects.requireNonNull(lockName, "lockName");
    this.work = Objects.requireNonNull(work, "work");
    this.options = Objects.requireNonNull(options, "options");
    this.observer = Objects.requireNonNull(observer, "observer");
  }

  /**
   * Begins to ask for the lock. Returns at once.
   *
   * @throws IllegalStateException if it runs already, or has not ended yet
   */
  public void start() {
    monitor.lock();
    try {
      if (!ended.isDone()) {
        throw new IllegalStateException("The worker of lock '" + lockName + "' runs already");
      }
      CompletableFuture<Void> end = new CompletableFuture<>();
      Thread thread = new Thread(() -> live(end), options.name() + "-holdfast");
      thread.setDaemon(true);
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
   * Stops the work, gives the lock back, and ends. Idempotent.
   *
   * @return completes when the worker is idle: the work has stopped, and the lock was given back
   */
  public CompletableFuture<Void> stop() {
    monitor.lock();
    try {
      stopping = true;
      changed.signalAll();
      // Only where it waits for the lock or pauses; what is under way is waited for.
      if (decider != null && (state == WorkerState.ACQUIRING || state == WorkerState.WAITING)) {
        decider.interrupt();
      }
      return ended.copy();
    } finally {
      monitor.unlock();
    }
  }

  /** Stops the work, gives the lock back, and asks for it again after the pause. */
  public void resign() {
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

  /**
   * Where it stands.
   *
   * @return the state now
   */
  public WorkerState state() {
    monitor.lock();
    try {
      return state;
    } finally {
      monitor.unlock();
    }
  }

  /**
   * The lease under which the work goes on.
   *
   * @return empty if there is none that is valid
   */
  public Optional<Lease> lease() {
    monitor.lock();
    try {
      return Optional.ofNullable(lease).filter(Lease::isValid);
    } finally {
      monitor.unlock();
    }
  }

  /**
   * As {@link #stop()}, and waits for the end; an interrupt does not end it, and stays set. Does
   * not wait on the thread that {@link Work#start} or {@link Work#stop} runs on, nor in the
   * observer: the end waits for these.
   */
  @Override
  public void close() {
    CompletableFuture<Void> end = stop();
    if (!isWaitedFor(Thread.currentThread())) {
      end.join();
    }
  }

  private boolean isWaitedFor(Thread thread) {
    monitor.lock();
    try {
      return thread.equals(decider) || (tenure != null && tenure.isOn(thread));
    } finally {
      monitor.unlock();
    }
  }

  private void live(CompletableFuture<Void> end) {
    Thread hook = new Thread(this::close, options.name() + "-holdfast-shutdown");
    boolean hooked = options.stopAtShutdown() && Hooks.add(hook);
    TimeSource time = options.time().orElseGet(TimeSource::host);
    LockClient.Subscription subscription = client.addListener(this::heard);
    try {
      while (goesOnTo(WorkerState.ACQUIRING)) {
        tenure(time);
        if (goesOnTo(WorkerState.WAITING)) {
          pause(time);
        }
      }
    } catch (RuntimeException | Error e) {
      LOG.error("The worker of lock '{}' failed", lockName, e);
    } finally {
      subscription.close();
      if (options.time().isEmpty()) {
        time.close();
      }
      if (hooked) {
        Hooks.remove(hook);
      }
      enter(WorkerState.IDLE);
      end.complete(null);
    }
  }

  private void tenure(TimeSource time) {
    Lease granted;
    try {
      granted = client.lock(lockName, options.options()).acquire();
    } catch (InterruptedException e) {
      return;
    } catch (LockClosedException e) {
      LOG.info("The worker of lock '{}' ends with its client", lockName);
      stop();
      return;
    } catch (LockException e) {
      LOG.warn("Lock '{}' could not be acquired; asking again in {}", lockName, options.pause(), e);
      return;
    }
    LeasedWork begun = new LeasedWork(work, granted, options.name());
    granted.onLoss(loss -> signal());
    set(granted, begun);
    try {
      enter(WorkerState.WORKING);
      work(granted, begun, time);
    } finally {
      enter(WorkerState.RELEASING);
      granted.release();
      set(null, null);
    }
  }

  /** However it ends, the work has stopped when this returns. */
  private void work(Lease granted, LeasedWork begun, TimeSource time) {
    StopReason reason = StopReason.FAILED;
    try {
      begun.start(this::signal);
      reason = awaitReason(granted, begun, time);
    } finally {
      enter(
          reason == StopReason.LOST || reason == StopReason.ENDING
              ? WorkerState.PAUSING
              : WorkerState.CLEANING_UP);
      begun.stop(reason);
    }
  }

  private StopReason awaitReason(Lease granted, LeasedWork begun, TimeSource time) {
    monitor.lock();
    try {
      while (true) {
        Duration left = granted.remaining().minus(options.headStart());
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

  private void pause(TimeSource time) {
    long begin = time.nanos();
    monitor.lock();
    try {
      Duration left = options.pause();
      while (!stopping && !left.isNegative() && !left.isZero()) {
        awaitChange(left, time);
        left = options.pause().minusNanos(time.nanos() - begin);
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

  private void heard(LockEvent event) {
    if (event instanceof LockEvent.RenewalFailed failed) {
      move(failed.ownerId(), WorkerState.WORKING, WorkerState.RENEWING);
    } else if (event instanceof LockEvent.Renewed renewed) {
      move(renewed.ownerId(), WorkerState.RENEWING, WorkerState.WORKING);
    }
  }

  private void move(String ownerId, WorkerState from, WorkerState to) {
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
  private boolean goesOnTo(WorkerState next) {
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

  private void set(@Nullable Lease held, @Nullable LeasedWork begun) {
    monitor.lock();
    try {
      lease = held;
      tenure = begun;
      resigning = false;
    } finally {
      monitor.unlock();
    }
  }

  private void signal() {
    monitor.lock();
    try {
      changed.signalAll();
    } finally {
      monitor.unlock();
    }
  }

  private void enter(WorkerState next) {
    monitor.lock();
    try {
      if (state == next || !state.next().contains(next)) {
        LOG.error("The worker of lock '{}' went from {} to {}", lockName, state, next);
      }
      state = next;
      observer.accept(next);
    } catch (RuntimeException | Error e) {
      LOG.warn("The observer of the worker of lock '{}' failed on {}", lockName, next, e);
    } finally {
      monitor.unlock();
    }
  }
}
