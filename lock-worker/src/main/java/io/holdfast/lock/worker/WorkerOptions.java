/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The options of a {@link LockWorker}.
 *
 * @param name the beginning of its threads' names
 * @param options the lock's terms; renewal is automatic unless they say otherwise
 * @param headStart how long before the end of the lease's validity work is told to stop: the time
 *     that it needs to stop. Shorter than the TTL. Of a lease that is renewed, at most a third of
 *     what the backend grants (on ZooKeeper the session decides on that, not the TTL), so that it
 *     does not begin before a renewal that is due has been missed; with {@link Renewal#every} also
 *     what two intervals leave, if that is more
 * @param pause between the end of one tenure, or a failure, and the next attempt
 * @param stopAtShutdown whether a JVM that shuts down stops the worker first, so that the lock is
 *     free at once, and not after its TTL
 * @param time the clock, which has to be that of the client; the system's if empty
 */
public record WorkerOptions(
    String name,
    LockOptions options,
    Duration headStart,
    Duration pause,
    boolean stopAtShutdown,
    Optional<TimeSource> time) {

  private static final WorkerOptions DEFAULT =
      new WorkerOptions(
          "worker",
          LockOptions.defaults(),
          LockOptions.defaults().ttl().dividedBy(5),
          Duration.ofSeconds(1),
          true,
          Optional.empty());

  /** Checks that the numbers make sense. */
  public WorkerOptions {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(options, "options");
    Objects.requireNonNull(time, "time");
    if (headStart.isNegative()) {
      throw new IllegalArgumentException(
          "headStart must not be negative, and is " + TimeText.of(headStart));
    }
    if (pause.isNegative() || pause.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("pause must be 0 to 1 day, and is " + TimeText.of(pause));
    }
    if (headStart.compareTo(options.ttl()) >= 0) {
      throw new IllegalArgumentException(
          "headStart must be shorter than the TTL of %s, and is %s"
              .formatted(TimeText.of(options.ttl()), TimeText.of(headStart)));
    }
  }

  /**
   * The default lock options, a fifth of their TTL as head start, a pause of one second, stopped
   * when the JVM shuts down.
   *
   * @return the default
   */
  public static WorkerOptions defaults() {
    return DEFAULT;
  }

  /**
   * The same with a name.
   *
   * @param newName the beginning of its threads' names
   * @return a copy
   */
  public WorkerOptions withName(String newName) {
    return new WorkerOptions(newName, options, headStart, pause, stopAtShutdown, time);
  }

  /**
   * The same for other terms; the head start becomes a fifth of their TTL.
   *
   * @param newOptions as for {@link LockClient#lock(String, LockOptions)}
   * @return a copy
   */
  public WorkerOptions withOptions(LockOptions newOptions) {
    return new WorkerOptions(
        name, newOptions, newOptions.ttl().dividedBy(5), pause, stopAtShutdown, time);
  }

  /**
   * The same with another head start.
   *
   * @param newHeadStart not negative, shorter than the TTL
   * @return a copy
   */
  public WorkerOptions withHeadStart(Duration newHeadStart) {
    return new WorkerOptions(name, options, newHeadStart, pause, stopAtShutdown, time);
  }

  /**
   * The same with another pause.
   *
   * @param newPause 0 to 1 day
   * @return a copy
   */
  public WorkerOptions withPause(Duration newPause) {
    return new WorkerOptions(name, options, headStart, newPause, stopAtShutdown, time);
  }

  /**
   * The same with or without a stop at shutdown.
   *
   * @param stop whether
   * @return a copy
   */
  public WorkerOptions withStopAtShutdown(boolean stop) {
    return new WorkerOptions(name, options, headStart, pause, stop, time);
  }

  /**
   * The same with a clock, which is never closed here.
   *
   * @param source the clock of the client: of {@link io.holdfast.lock.ClientOptions#withTime}
   * @return a copy
   */
  public WorkerOptions withTime(TimeSource source) {
    return new WorkerOptions(name, options, headStart, pause, stopAtShutdown, Optional.of(source));
  }

  /**
   * The head start under a lease that is granted for so long. If it is renewed, a renewal is due
   * before: after a third of that time, or after the interval, which is at most half of it.
   */
  Duration headStart(Duration granted) {
    if (!(options.renewal() instanceof Renewal.Automatic automatic)) {
      return headStart;
    }
    Duration third = granted.dividedBy(3);
    Duration most =
        automatic
            .interval()
            .map(interval -> granted.minus(interval.multipliedBy(2)))
            .filter(rest -> rest.compareTo(third) > 0)
            .orElse(third);
    return headStart.compareTo(most) < 0 ? headStart : most;
  }
}
