/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Notices when this machine stands still, as rules about time presume that it does not: a thread
 * that wants to run every few milliseconds, and writes down when it could not; when so many others
 * want to run that a server, which is several threads one after the other, can not in time; or when
 * the disk keeps other threads waiting. (The latter two where Linux tells.)
 */
public final class MachineStalls implements AutoCloseable {

  private static final long EVERY_NANOS = Duration.ofMillis(10).toNanos();
  private static final long LONG_NANOS = Duration.ofMillis(200).toNanos();

  private static final Path LOAD = Path.of("/proc/loadavg");

  /** How long somebody has waited for a disk, in microseconds; see the kernel's psi.rst. */
  private static final Path DISK = Path.of("/proc/pressure/io");

  private static final Pattern DISK_WAITS = Pattern.compile("some .*total=([0-9]+)");
  private static final long LOOK_EVERY_NANOS = Duration.ofMillis(50).toNanos();
  private static final int LOOKS = 10;

  /** How many for each processor, over about half a second, are a crowd. */
  private static final double CROWD = 4;

  private static final long DISK_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

  /** How long of that somebody waits for a disk that is too slow. */
  private static final Duration LONG_DISK_WAIT = Duration.ofMillis(500);

  private record Stall(long endedAt, String what) {}

  private final ConcurrentLinkedDeque<Stall> seen = new ConcurrentLinkedDeque<>();
  private final Deque<Integer> wanting = new ArrayDeque<>();

  /** The last that was seen. */
  private volatile Optional<Stall> crowd = Optional.empty();

  private final Path disk;
  private volatile long diskMicros;
  private volatile long beat = System.nanoTime();
  private final Thread watcher = new Thread(this::watch, "tck-stalls");

  /** Watches from now on. */
  public MachineStalls() {
    this(DISK);
  }

  MachineStalls(Path disk) {
    this.disk = disk;
    this.diskMicros = diskMicrosNow();
    watcher.setDaemon(true);
    watcher.start();
  }

  /**
   * Describes a stall of the machine, if one was noticed.
   *
   * @param nanos since when, by {@link System#nanoTime}
   * @return in words; empty if there was nothing worth a word
   */
  public Optional<String> since(long nanos) {
    // The calling thread may run again before the watcher does.
    long now = System.nanoTime();
    return Stream.concat(
            seen.stream(),
            Stream.of(standstill(beat, now), crowd, diskWait(now)).flatMap(Optional::stream))
        .filter(stall -> stall.endedAt() - nanos > 0)
        .map(Stall::what)
        .findFirst();
  }

  private static Optional<Stall> standstill(long before, long now) {
    if (now - before - EVERY_NANOS <= LONG_NANOS) {
      return Optional.empty();
    }
    long millis = Duration.ofNanos(now - before).toMillis();
    return Optional.of(new Stall(now, "this machine stood still for " + millis + " ms"));
  }

  private void watch() {
    long lookedAt = System.nanoTime();
    long diskLookedAt = lookedAt;
    while (!Thread.interrupted()) {
      LockSupport.parkNanos(EVERY_NANOS);
      long now = System.nanoTime();
      standstill(beat, now).ifPresent(seen::add);
      beat = now;
      // By the clock: under load, turns are rare.
      if (now - lookedAt >= LOOK_EVERY_NANOS) {
        lookForACrowd(now);
        lookedAt = now;
      }
      if (now - diskLookedAt >= DISK_EVERY_NANOS) {
        diskWait(now).ifPresent(seen::add);
        diskMicros = diskMicrosNow();
        diskLookedAt = now;
      }
    }
  }

  private Optional<Stall> diskWait(long now) {
    Duration waited = Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(diskMicrosNow() - diskMicros));
    return waited.compareTo(LONG_DISK_WAIT) < 0
        ? Optional.empty()
        : Optional.of(
            new Stall(
                now,
                "the disk of this machine kept others waiting for " + waited.toMillis() + " ms"));
  }

  private long diskMicrosNow() {
    try {
      Matcher waits = DISK_WAITS.matcher(Files.readString(disk));
      return waits.find() ? Long.parseLong(waits.group(1)) : 0;
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  private void lookForACrowd(long now) {
    wanting.add(wantingNow());
    if (wanting.size() <= LOOKS) {
      return;
    }
    wanting.remove();
    int processors = Runtime.getRuntime().availableProcessors();
    double mean = wanting.stream().mapToInt(Integer::intValue).average().orElse(0);
    if (mean > CROWD * processors) {
      String what = "%.0f threads wanted the %d processors of this machine";
      crowd = Optional.of(new Stall(now, what.formatted(mean, processors)));
    }
  }

  /** How many threads of the machine run or want to. */
  private static int wantingNow() {
    try {
      String running = Files.readString(LOAD).split(" ", -1)[3];
      return Integer.parseInt(running.substring(0, running.indexOf('/')));
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  @Override
  public void close() {
    watcher.interrupt();
  }
}
