/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The claims that wait at a channel, and are woken by its messages.
 *
 * <p><b>One waiter for each release.</b> A message may name one of those who wait, by its owner id
 * after a blank. That one asks at once. The others ask {@link #TURN} later (and up to as much
 * again), unless there was another message by then. So a release costs one attempt, however many
 * clients wait, and a client that was named and has died meanwhile costs a moment.
 */
final class ReleaseChannel {

  /**
   * Longer than a client has the lock that hands it over among its own threads, which is 50 ms if
   * nothing else was said, so that the next message comes before; and short for who waits.
   */
  private static final Duration TURN = Duration.ofMillis(100);

  /** What wakes them, by owner id. */
  final Map<String, Runnable> waiters = new ConcurrentHashMap<>();

  /** The connection to which the server has confirmed the subscription. */
  volatile @Nullable Object confirmedTo;

  /** Whether it will be looked whether nobody waits any more. Guarded by the map of channels. */
  boolean watched;

  private final TimeSource time;
  private final AtomicBoolean turnTaken = new AtomicBoolean();
  private volatile long turnEndsAt;

  ReleaseChannel(TimeSource time) {
    this.time = time;
  }

  /** A message has come: of a release, and perhaps of who is next. */
  void told(String message) {
    // No owner id has a blank.
    int blank = message.indexOf(' ');
    if (blank < 0) {
      wake();
      return;
    }
    Runnable named = waiters.get(message.substring(blank + 1));
    if (named != null) {
      named.run();
    } else {
      wakeAfterTurn();
    }
  }

  void wake() {
    waiters.values().forEach(Runnable::run);
  }

  private void wakeAfterTurn() {
    Duration turn = TURN.plusNanos(ThreadLocalRandom.current().nextLong(TURN.toNanos()));
    turnEndsAt = time.nanos() + turn.toNanos();
    // One timer is enough, however many messages come.
    if (turnTaken.compareAndSet(false, true)) {
      time.schedule(turn, this::endTurn);
    }
  }

  private void endTurn() {
    long left = turnEndsAt - time.nanos();
    if (left > 0) {
      time.schedule(Duration.ofNanos(left), this::endTurn);
    } else {
      turnTaken.set(false);
      wake();
    }
  }
}
