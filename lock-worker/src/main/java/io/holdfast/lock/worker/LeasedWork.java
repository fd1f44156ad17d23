/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import io.holdfast.lock.Lease;
import io.holdfast.lock.text.VisibleText;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The work under one lease: one thread that starts it, and later stops it. */
final class LeasedWork {

  private static final Logger LOG = LoggerFactory.getLogger(LeasedWork.class);

  private final Work work;
  private final Lease lease;
  private final Thread thread;
  private final CompletableFuture<StopReason> told = new CompletableFuture<>();
  private final CompletableFuture<Void> begun = new CompletableFuture<>();
  private Runnable failed = () -> {};
  private volatile boolean stopping;

  LeasedWork(Work work, Lease lease, ThreadFactory threads) {
    this.work = work;
    this.lease = lease;
    this.thread = threads.newThread(this::live);
  }

  /** Also fails, instead of throwing, if the JVM has no room for a thread now. */
  void start(Runnable onFailure) {
    failed = onFailure;
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      LOG.warn("There is no thread for the work under lock '{}'", lockName(), e);
      begun.completeExceptionally(e);
    }
  }

  boolean isOn(Thread other) {
    return thread.equals(other);
  }

  boolean endsProcess() {
    return ShutdownHooks.areWaitedForBy(thread);
  }

  boolean hasFailed() {
    return begun.isCompletedExceptionally();
  }

  /** Returns when the work has stopped, however long that takes. */
  void stop(StopReason reason) {
    stopping = true;
    if (!begun.isDone()) {
      thread.interrupt();
    }
    told.complete(reason);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void live() {
    try {
      work.start(lease);
      begun.complete(null);
    } catch (Exception | Error e) {
      begun.completeExceptionally(e);
      if (!stopping) {
        LOG.warn("Work under lock '{}' failed", lockName(), e);
      }
      failed.run();
    }
    StopReason reason = told.join();
    // An interrupt was for the start, and came before the reason.
    Thread.interrupted();
    try {
      work.stop(reason);
    } catch (Exception | Error e) {
      LOG.warn("Work under lock '{}' could not be stopped properly", lockName(), e);
    }
  }

  /** For messages. */
  private String lockName() {
    return VisibleText.of(lease.lockName());
  }
}
