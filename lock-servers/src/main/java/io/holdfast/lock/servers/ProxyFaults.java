/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The present faults of a proxy's links. One lock guards this and all queued bytes. */
final class ProxyFaults {

  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

  final ReentrantLock lock = new ReentrantLock();
  final Condition changed = lock.newCondition();

  /** Of connections with numbers from the first on, and below the second. */
  private record Stall(Direction direction, long from, long below) {

    boolean holds(Direction way, long connection) {
      return direction == way && connection >= from && connection < below;
    }
  }

  /** Of connections with this number and greater ones. */
  private record Delay(long nanos, long from) {}

  private final Map<Direction, Delay> delays = new EnumMap<>(Direction.class);
  private final Map<Direction, Long> nanosPerByte = new EnumMap<>(Direction.class);
  private final List<Stall> stalls = new ArrayList<>();
  private long endsHeldBelow;
  private boolean losesNextReply;

  void delay(Direction direction, Duration by, long from) {
    change(() -> delays.put(direction, new Delay(by.toNanos(), from)));
  }

  void throttle(Direction direction, long bytesPerSecond) {
    change(() -> nanosPerByte.put(direction, SECOND_NANOS / bytesPerSecond));
  }

  void stall(List<Direction> directions, long from, long below) {
    change(() -> directions.forEach(way -> stalls.add(new Stall(way, from, below))));
  }

  void loseNextReply() {
    change(() -> losesNextReply = true);
  }

  void heal() {
    change(
        () -> {
          delays.clear();
          nanosPerByte.clear();
          stalls.clear();
          endsHeldBelow = 0;
          losesNextReply = false;
        });
  }

  /** Ends stalls, and holds the ends of connections with smaller numbers. */
  void deliver(long endsOfThoseBelow) {
    change(
        () -> {
          stalls.clear();
          endsHeldBelow = endsOfThoseBelow;
        });
  }

  boolean isStalled(Direction direction, long connection) {
    return stalls.stream().anyMatch(stall -> stall.holds(direction, connection));
  }

  /** Whether the server is not told that the client has gone. */
  boolean holdsEnd(Direction direction, long connection) {
    return direction == Direction.TO_SERVER && connection < endsHeldBelow;
  }

  long delayNanos(Direction direction, long connection) {
    Delay delay = delays.get(direction);
    return delay == null || connection < delay.from() ? 0 : delay.nanos();
  }

  long nanosPerByte(Direction direction) {
    return nanosPerByte.getOrDefault(direction, 0L);
  }

  boolean losesNextReply() {
    return losesNextReply;
  }

  /** Whether this caller is the one whose reply gets lost; there is one for each order. */
  boolean takeLoss() {
    boolean taken = losesNextReply;
    losesNextReply = false;
    return taken;
  }

  private void change(Runnable action) {
    lock.lock();
    try {
      action.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
