/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.text.TimeText;
import io.holdfast.lock.text.VisibleText;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
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

  /** How often a wait looks whether the process ends instead. */
  static final long LOOK_MILLIS = 100;

  private final LockClient client;

  /** For messages. */
  private final String lockName;

  private final DistributedLock lock;
  private final Work work;
  private final WorkerOptions options;
  private final WorkerProgress progress;

  /**
   * A worker that is idle until it is started.
   *
   * @param client stays open for as long as the worker runs; never closed here
   * @param lockName the lock; as for {@link LockClient#lock(String)}
   * @param work what to start and stop
   * @param options how
   * @throws IllegalArgumentException if there can be no lock of that name
   * @throws LockClosedException if the client is closed
   */
  public LockWorker(LockClient client, String lockName, Work work, WorkerOptions options) {
    this(client, lockName, work, options, state -> {});
  }

  /**
   * A worker that is idle until it is started, and whose states are watched.
   *
   * @param client stays open for as long as the worker runs; never closed here
   * @param lockName the lock; as for {@link LockClient#lock(String)}
   * @param work what to start and stop
   * @param options how
   * @param observer told of each state that is entered, in order, one at a time: on the worker's
   *     thread, or, of {@link WorkerState#RENEWING} and the {@link WorkerState#WORKING} after it,
   *     where the listeners of the client are called. Must not block
   * @throws IllegalArgumentException if there can be no lock of that name
   * @throws LockClosedException if the client is closed
   */
  public LockWorker(
      LockClient client,
      String lockName,
      Work work,
      WorkerOptions options,
      Consumer<? super WorkerState> observer) {
    this.client = Objects.requireNonNull(client, "client");
    this.lockName = VisibleText.of(Objects.requireNonNull(lockName, "lockName"));
    this.work = Objects.requireNonNull(work, "work");
    this.options = Objects.requireNonNull(options, "options");
    this.progress = new WorkerProgress(this.lockName, Objects.requireNonNull(observer, "observer"));
    this.lock = client.lock(lockName, options.options());
  }

  /**
   * Begins to ask for the lock. Returns at once.
   *
   * @throws IllegalStateException if it runs already, or has not ended yet
   */
  public void start() {
    progress.begin(end -> daemon(() -> live(end), "-holdfast"));
  }

  private Thread daemon(Runnable task, String nameSuffix) {
    Thread thread = new Thread(task, options.name() + nameSuffix);
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Stops the work, gives the lock back, and ends. Idempotent.
   *
   * @return completes when the worker is idle: the work has stopped, and the lock was given back;
   *     never, if the work or the observer has called {@link System#exit}
   */
  public CompletableFuture<Void> stop() {
    return progress.stop();
  }

  /** Stops the work, gives the lock back, and asks for it again after the pause. */
  public void resign() {
    progress.resign();
  }

  /**
   * Where it stands.
   *
   * @return the state now
   */
  public WorkerState state() {
    return progress.state();
  }

  /**
   * The lease under which the work goes on.
   *
   * @return empty if there is none that is valid
   */
  public Optional<Lease> lease() {
    return progress.lease();
  }

  /**
   * As {@link #stop()}, and waits for the end; an interrupt does not end it, and stays set. Does
   * not wait on the thread that {@link Work#start} or {@link Work#stop} runs on, nor in the
   * observer: the end waits for these. Nor does it wait for any of these that has called {@link
   * System#exit}, as that does not return: such work is not stopped, and its lease ends by its TTL.
   */
  @Override
  public void close() {
    if (progress.endsProcess()) {
      return;
    }
    CompletableFuture<Void> end = stop();
    if (!progress.isWaitedForHere()) {
      await(end);
    }
  }

  private void await(CompletableFuture<Void> end) {
    boolean interrupted = false;
    while (!end.isDone() && !progress.endsProcess()) {
      try {
        end.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (TimeoutException e) {
        // Work that is told to stop may end the process only now.
      } catch (ExecutionException e) {
        throw new AssertionError("An end does not fail", e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Completes the end, whatever fails. */
  private void live(CompletableFuture<Void> end) {
    try {
      watched();
    } catch (RuntimeException | Error e) {
      LOG.error("The worker of lock '{}' failed", lockName, e);
    } finally {
      // It may have been stopped, or failed, before it took its first step.
      if (progress.state() != WorkerState.IDLE) {
        progress.enter(WorkerState.IDLE);
      }
      end.complete(null);
    }
  }

  private void watched() {
    Thread hook = new Thread(this::close, options.name() + "-holdfast-shutdown");
    boolean hooked = options.stopAtShutdown() && ShutdownHooks.add(hook);
    try {
      LockClient.Subscription subscription = client.addListener(this::heard);
      try {
        timed();
      } finally {
        subscription.close();
      }
    } finally {
      if (hooked) {
        ShutdownHooks.remove(hook);
      }
    }
  }

  private void timed() {
    TimeSource time = options.time().orElseGet(TimeSource::host);
    try {
      while (progress.goesOnTo(WorkerState.ACQUIRING)) {
        tenure(time);
        if (progress.goesOnTo(WorkerState.WAITING)) {
          progress.pause(options.pause(), time);
        }
      }
    } finally {
      if (options.time().isEmpty()) {
        time.close();
      }
    }
  }

  private void tenure(TimeSource time) {
    Lease granted;
    try {
      granted = lock.acquire();
    } catch (InterruptedException e) {
      return;
    } catch (LockClosedException e) {
      LOG.info("The worker of lock '{}' ends with its client", lockName);
      stop();
      return;
    } catch (LockException e) {
      LOG.warn(
          "Lock '{}' could not be acquired; asking again in {}",
          lockName,
          TimeText.of(options.pause()),
          e);
      return;
    }
    LeasedWork begun = new LeasedWork(work, granted, task -> daemon(task, "-holdfast-work"));
    granted.onLoss(loss -> progress.signal());
    progress.set(granted, begun);
    try {
      progress.enter(WorkerState.WORKING);
      work(granted, begun, time);
    } finally {
      progress.enter(WorkerState.RELEASING);
      granted.release();
      progress.set(null, null);
    }
  }

  /** However it ends, the work has stopped when this returns. */
  private void work(Lease granted, LeasedWork begun, TimeSource time) {
    StopReason reason = StopReason.FAILED;
    try {
      begun.start(progress::signal);
      reason = progress.awaitReason(granted, begun, options, time);
    } finally {
      progress.enter(
          reason == StopReason.LOST || reason == StopReason.ENDING
              ? WorkerState.PAUSING
              : WorkerState.CLEANING_UP);
      begun.stop(reason);
    }
  }

  private void heard(LockEvent event) {
    if (event instanceof LockEvent.RenewalFailed failed) {
      progress.move(failed.ownerId(), WorkerState.WORKING, WorkerState.RENEWING);
    } else if (event instanceof LockEvent.Renewed renewed) {
      progress.move(renewed.ownerId(), WorkerState.RENEWING, WorkerState.WORKING);
    }
  }
}
