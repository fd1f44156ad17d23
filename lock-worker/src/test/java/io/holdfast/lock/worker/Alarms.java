/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A clock that tells for when it is asked to wake somebody, and what was closed and cancelled. */
final class Alarms implements TimeSource {

  private final TimeSource time;
  private final BlockingQueue<Duration> asked = new LinkedBlockingQueue<>();
  private final AtomicInteger open = new AtomicInteger();
  private volatile boolean closed;

  Alarms(TimeSource time) {
    this.time = time;
  }

  void awaitAlarm(Duration in) throws InterruptedException {
    assertEquals(in, Patience.next(asked));
  }

  /** How many were not cancelled, though what they were for has ended. */
  int open() {
    return open.get();
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public long nanos() {
    return time.nanos();
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    Timer timer = time.schedule(delay, task);
    open.incrementAndGet();
    asked.add(delay);
    return () -> {
      open.decrementAndGet();
      timer.cancel();
    };
  }

  @Override
  public void close() {
    closed = true;
  }
}
