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
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Notices when this machine stands still, as rules about time presume that it does not: a thread
 * that wants to run every few milliseconds, and writes down when it could not; or when so many
 * others want to run that a server, which is several threads one after the other, can not in time.
 * (The latter where Linux tells.)
 */
public final class MachineStalls implements AutoCloseable {

  private static final long EVERY_NANOS = Duration.ofMillis(10).toNanos();
  private static final long LONG_NANOS = Duration.ofMillis(200).toNanos();

  private static final Path LOAD = Path.of("/proc/loadavg");
  private static final int LOOK_EVERY = 5;
  private static final int LOOKS = 20;

  /** How many for each processor, over about a second, are a crowd. */
  private static final double CROWD = 6;

  private record Stall(long endedAt, String what) {}

  private final ConcurrentLinkedDeque<Stall> seen = new ConcurrentLinkedDeque<>();
  private final Deque<Integer> wanting = new ArrayDeque<>();
  private volatile long beat = System.nanoTime();
  private final Thread watcher = new Thread(this::watch, "tck-stalls");

  /** Watches from now on. */
  public MachineStalls() {
    watcher.setDaemon(true);
    watcher.start();
  }

  /**
   * What was noticed.
   *
   * @param nanos since when, by {@link System#nanoTime}
   * @return in words; empty if there was nothing worth a word
   */
  public Optional<String> since(long nanos) {
    // Whoever asks may run again before the watcher does.
    return Stream.concat(seen.stream(), standstill(beat, System.nanoTime()).stream())
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
    for (int turn = 0; !Thread.interrupted(); turn++) {
      LockSupport.parkNanos(EVERY_NANOS);
      long now = System.nanoTime();
      standstill(beat, now).ifPresent(seen::add);
      beat = now;
      if (turn % LOOK_EVERY == 0) {
        lookForACrowd(now);
      }
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
      seen.add(new Stall(now, what.formatted(mean, processors)));
      wanting.clear();
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
