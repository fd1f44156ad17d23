/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Retry;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Decides when one {@link Acquisition} asks: how many attempts it has made, how long it pauses
 * before the next, and when its time is over. Touched on the strand only, where its timers go on,
 * too.
 */
final class AttemptSchedule {

  /**
   * How long to leave another waiter that was told to ask, and up to as much again: longer than a
   * client has the lock that hands it over among its own threads, which is 50 ms if nothing else
   * was said. So there is a message about the next release before, unless that waiter is gone.
   */
  private static final Duration TURN = Duration.ofMillis(100);

  private final TimeSource time;
  private final Strand strand;
  private final Retry retry;

  private int made;
  private @Nullable Backoff backoff;
  private TimeSource.@Nullable Timer limit;
  private TimeSource.@Nullable Timer pause;

  AttemptSchedule(TimeSource time, Strand strand, Retry retry) {
    this.time = time;
    this.strand = strand;
    this.retry = retry;
  }

  /** How many attempts there were, the one that is under way included. */
  int made() {
    return made;
  }

  void countOne() {
    made++;
  }

  boolean isBounded() {
    return retry.maxAttempts().isPresent();
  }

  boolean isLast() {
    return isLast(made);
  }

  boolean isNextLast() {
    return isLast(made + 1);
  }

  private boolean isLast(int attempt) {
    OptionalInt maxAttempts = retry.maxAttempts();
    return maxAttempts.isPresent() && attempt >= maxAttempts.getAsInt();
  }

  void endAfter(Duration wait, Runnable outOfTime) {
    limit = time.schedule(wait, () -> strand.execute(outOfTime));
  }

  /** How long to pause now, as {@link Backoff#pause}. */
  Duration nextPause(Optional<Duration> askAgainIn) {
    if (backoff == null) {
      backoff = new Backoff(retry);
    }
    return backoff.pause(askAgainIn);
  }

  /**
   * How long to pause now, since another waiter is to ask first. Polls go on if there is a message
   * about another one again and again: no pause is longer than one without messages may be.
   *
   * @param sinceNanos the last attempt
   */
  Duration othersTurn(long sinceNanos) {
    long turn = TURN.toNanos() + ThreadLocalRandom.current().nextLong(TURN.toNanos());
    return Duration.ofNanos(Math.max(0, Math.min(turn, retry.max().toNanos() - sinceNanos)));
  }

  void pauseFor(Duration length, Runnable next) {
    pause = time.schedule(length, () -> strand.execute(next));
  }

  void endPause() {
    cancel(pause);
  }

  void end() {
    cancel(limit);
    cancel(pause);
  }

  private static void cancel(TimeSource.@Nullable Timer timer) {
    if (timer != null) {
      timer.cancel();
    }
  }
}
