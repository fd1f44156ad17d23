/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The host's monotonic clock, with the time added during which the host was suspended, and one
 * timer thread.
 *
 * <p>On Linux the clock behind {@link System#nanoTime()} stands still while the host is suspended,
 * and {@code /proc/uptime} does not (clock_gettime(2): CLOCK_MONOTONIC, CLOCK_BOOTTIME). Reading a
 * file at each look would be slow, so the wall clock serves as a hint: only when it has moved
 * against the monotonic clock by more than a jitter is the file read, and only the file decides. So
 * steps of the wall clock change nothing. Where there is no such file, suspension is not seen.
 */
final class HostTime implements TimeSource {

  private static final long HINT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long RESOLUTION_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final Duration LONGEST = Duration.ofDays(3650);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Of a file that cannot be read. */
  static final long UNKNOWN = Long.MIN_VALUE;

  private final LongSupplier monotonic;
  private final LongSupplier wall;
  private final LongSupplier uptime;
  private final long uptimeBase;
  private final AtomicLong suspended = new AtomicLong();
  private volatile long wallBase;

  /** After a look in vain, such as where no file can be opened for a while. */
  private volatile long nextLook;

  final ScheduledThreadPoolExecutor timer;

  HostTime() {
    this(
        System::nanoTime,
        () -> TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()),
        HostTime::readUptime);
  }

  HostTime(LongSupplier monotonic, LongSupplier wall, LongSupplier uptime) {
    this.monotonic = monotonic;
    this.wall = wall;
    this.uptime = uptime;
    long up = uptime.getAsLong();
    long now = monotonic.getAsLong();
    this.wallBase = wall.getAsLong() - now;
    this.uptimeBase = up == UNKNOWN ? UNKNOWN : up - now;
    this.nextLook = now;
    this.timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "holdfast-timer");
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy());
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    // Not with the first task: a machine that has no room for a thread then would renew nothing.
    timer.prestartCoreThread();
  }

  @Override
  public long nanos() {
    long now = monotonic.getAsLong();
    long drift = wall.getAsLong() - now;
    if (Math.abs(drift - wallBase) > HINT_NANOS && uptimeBase != UNKNOWN && now - nextLook >= 0) {
      if (lookAtUptime()) {
        wallBase = drift;
      } else {
        // The hint stays, but a file that is gone for good must not be tried at each look.
        nextLook = now + PAUSE_NANOS;
      }
    }
    return now + suspended.get();
  }

  /**
   * Tells whether the file could be read.
   *
   * <p>The order of the readings matters, here and in the constructor: a thread that stands still
   * between two of them then finds too long a suspension, never too short a one.
   */
  private boolean lookAtUptime() {
    long now = monotonic.getAsLong();
    long up = uptime.getAsLong();
    if (up == UNKNOWN) {
      return false;
    }
    long measured = up - now - uptimeBase;
    suspended.accumulateAndGet(
        measured, (known, seen) -> seen - known > RESOLUTION_NANOS ? seen : known);
    return true;
  }

  @Override
  public Timer schedule(Duration delay, Runnable task) {
    ScheduledFuture<?> future = timer.schedule(task, nanos(delay), TimeUnit.NANOSECONDS);
    return () -> future.cancel(false);
  }

  @Override
  public void close() {
    timer.shutdown();
  }

  /** Saturates instead of overflowing. */
  private static long nanos(Duration delay) {
    if (delay.isNegative()) {
      return 0;
    }
    return delay.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : delay.toNanos();
  }

  /** Not through a channel, which an interrupted thread would close. */
  private static long readUptime() {
    try (FileInputStream in = new FileInputStream("/proc/uptime")) {
      String text = new String(in.readNBytes(64), StandardCharsets.US_ASCII);
      return (long) (Double.parseDouble(text.substring(0, text.indexOf(' '))) * 1e9);
    } catch (IOException | RuntimeException e) {
      return UNKNOWN;
    }
  }
}
