/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what is to strike one target, on a thread of its own. */
final class FaultRunner {

  private static final Logger LOG = LoggerFactory.getLogger(FaultRunner.class);

  private final List<ScheduledFault> faultCounts;
  private final long begun;
  private final ProcessLog log;
  private final AtomicLong numbers;
  private final CountDownLatch stop;
  private final Thread thread;
  private final List<Struck> struck = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();

  /**
   * A fault that was injected.
   *
   * @param begunAt read before
   * @param endedAt read when all was as it was
   * @param done whether it was done as it was meant to be
   */
  record Struck(ScheduledFault scheduled, long begunAt, long endedAt, boolean done) {}

  /**
   * Begins.
   *
   * @param begun when the run did
   * @param stop what ends it early
   */
  FaultRunner(
      List<ScheduledFault> faultCounts,
      long begun,
      ProcessLog log,
      AtomicLong numbers,
      CountDownLatch stop) {
    this.faultCounts = faultCounts;
    this.begun = begun;
    this.log = log;
    this.numbers = numbers;
    this.stop = stop;
    thread = new Thread(this::run, "nemesis-faults");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    for (ScheduledFault scheduled : faultCounts) {
      if (isStoppedBefore(begun + scheduled.at().toNanos())) {
        return;
      }
      long number = numbers.incrementAndGet();
      long at = System.nanoTime();
      log.write(
          new Event.FaultBegun(
              at, log.process(), number, scheduled.fault().name(), scheduled.target()));
      LOG.debug("{}", scheduled);
      int before = troubles.size();
      try {
        scheduled.fault().begin().run();
        isStoppedBefore(System.nanoTime() + scheduled.length().toNanos());
      } catch (RuntimeException | Error e) {
        trouble(scheduled, "could not be begun", e);
      }
      try {
        scheduled.fault().end().run();
      } catch (RuntimeException | Error e) {
        trouble(scheduled, "could not be ended", e);
      }
      long ended = System.nanoTime();
      log.write(new Event.FaultEnded(ended, log.process(), number));
      struck.add(new Struck(scheduled, at, ended, troubles.size() == before));
    }
  }

  private void trouble(ScheduledFault scheduled, String what, Throwable thrown) {
    LOG.warn("{} {}", scheduled, what, thrown);
    troubles.add(scheduled + " " + what + ": " + thrown);
  }

  private boolean isStoppedBefore(long instant) {
    try {
      return stop.await(instant - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Returns when all of it is over. */
  void join() throws InterruptedException {
    thread.join();
  }

  /** The faults that were injected; when it has been joined. */
  List<Struck> struck() {
    return struck;
  }

  /** The faults that failed, in words; when it has been joined. */
  List<String> troubles() {
    return troubles;
  }
}
