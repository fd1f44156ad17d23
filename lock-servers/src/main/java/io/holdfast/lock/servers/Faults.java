/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.servers;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What is wrong with a proxy's links at present. One lock guards this and all queued bytes. */
final class Faults {

  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

  final ReentrantLock lock = new ReentrantLock();
  final Condition changed = lock.newCondition();

  private final Map<Direction, Long> delayNanos = new EnumMap<>(Direction.class);
  private final Map<Direction, Long> nanosPerByte = new EnumMap<>(Direction.class);
  private final EnumSet<Direction> stalled = EnumSet.noneOf(Direction.class);
  private boolean losesNextReply;

  void delay(Direction direction, Duration by) {
    change(() -> delayNanos.put(direction, by.toNanos()));
  }

  void throttle(Direction direction, long bytesPerSecond) {
    change(() -> nanosPerByte.put(direction, SECOND_NANOS / bytesPerSecond));
  }

  void stall(List<Direction> directions) {
    change(() -> stalled.addAll(directions));
  }

  void loseNextReply() {
    change(() -> losesNextReply = true);
  }

  void heal() {
    change(
        () -> {
          delayNanos.clear();
          nanosPerByte.clear();
          stalled.clear();
          losesNextReply = false;
        });
  }

  boolean isStalled(Direction direction) {
    return stalled.contains(direction);
  }

  long delayNanos(Direction direction) {
    return delayNanos.getOrDefault(direction, 0L);
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
