/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The terms of an acquisition. Immutable; give them per lock, or per acquisition with {@link
 * DistributedLock#with(LockOptions)}.
 *
 * @param ttl how long the backend keeps the lock when its holder dies: 100 ms to 365 days. A
 *     backend with sessions uses its session time-out instead; there, the TTL only bounds leases of
 *     fixed time
 * @param renewal whether the lease is kept alive in the background
 * @param retry how a waiter polls
 * @param handOver for how long the waiters of one client may pass the lock on among themselves
 * @param reentry what happens when a thread waits for a lock that it holds itself
 * @param holdTimes for how long the name is held at least and at most, and stays taken after a loss
 * @param earlyWarning with how much validity left the holder is warned if renewals fail ({@link
 *     LockEvent.EarlyWarning}, {@link Lease#onRenewalFailing(Consumer)}); empty for no warning.
 *     Less than the TTL, or, with sessions, than the session time-out: with more, the first renewal
 *     that fails is warned of. A lease that is not renewed has none
 */
public record LockOptions(
    Duration ttl,
    Renewal renewal,
    Retry retry,
    HandOver handOver,
    Reentry reentry,
    HoldTimes holdTimes,
    Optional<Duration> earlyWarning) {

  private static final Duration SHORTEST_TTL = Duration.ofMillis(100);
  private static final Duration LONGEST_TTL = Duration.ofDays(365);
  private static final LockOptions DEFAULT =
      new LockOptions(
          Duration.ofSeconds(30),
          Renewal.automatic(),
          Retry.defaults(),
          HandOver.defaults(),
          Reentry.WAIT,
          HoldTimes.none(),
          Optional.empty());

  /** Checks all fields together. */
  public LockOptions {
    Arguments.between("ttl", ttl, SHORTEST_TTL, LONGEST_TTL);
    Objects.requireNonNull(renewal, "renewal");
    Objects.requireNonNull(retry, "retry");
    Objects.requireNonNull(handOver, "handOver");
    Objects.requireNonNull(reentry, "reentry");
    Objects.requireNonNull(holdTimes, "holdTimes");
    Objects.requireNonNull(earlyWarning, "earlyWarning");
    earlyWarning.ifPresent(left -> Arguments.positive("early warning", left));
    if (renewal instanceof Renewal.Fixed && holdTimes.minimum().compareTo(ttl) > 0) {
      throw new IllegalArgumentException(
          "minimum hold must be at most the ttl %s of a lease that is not renewed, but is %s"
              .formatted(TimeText.of(ttl), TimeText.of(holdTimes.minimum())));
    }
    if (renewal instanceof Renewal.Automatic automatic && automatic.interval().isPresent()) {
      Duration interval = automatic.interval().get();
      if (interval.compareTo(ttl.dividedBy(2)) > 0) {
        throw new IllegalArgumentException(
            "renewal interval must be at most half of the ttl "
                + TimeText.of(ttl)
                + ", so that one renewal may fail, but is "
                + TimeText.of(interval));
      }
    }
  }

  /**
   * A TTL of 30 s, renewed in the background, polled with backoff and jitter, passed on within a
   * client for 50 ms at most.
   *
   * @return the default
   */
  public static LockOptions defaults() {
    return DEFAULT;
  }

  /**
   * The same with another TTL.
   *
   * @param newTtl 100 ms to 365 days
   * @return a copy
   */
  public LockOptions withTtl(Duration newTtl) {
    return new LockOptions(newTtl, renewal, retry, handOver, reentry, holdTimes, earlyWarning);
  }

  /**
   * The same with other renewal.
   *
   * @param newRenewal automatic or none
   * @return a copy
   */
  public LockOptions withRenewal(Renewal newRenewal) {
    return new LockOptions(ttl, newRenewal, retry, handOver, reentry, holdTimes, earlyWarning);
  }

  /**
   * The same with other polling.
   *
   * @param newRetry how to poll
   * @return a copy
   */
  public LockOptions withRetry(Retry newRetry) {
    return new LockOptions(ttl, renewal, newRetry, handOver, reentry, holdTimes, earlyWarning);
  }

  /**
   * The same with other bounds for passing the lock on within a client.
   *
   * @param newHandOver how often and for how long; {@link HandOver#none()} for not at all
   * @return a copy
   */
  public LockOptions withHandOver(HandOver newHandOver) {
    return new LockOptions(ttl, renewal, retry, newHandOver, reentry, holdTimes, earlyWarning);
  }

  /**
   * The same with another answer to a thread that waits for a lock that it holds itself.
   *
   * @param newReentry wait with a warning, or refuse
   * @return a copy
   */
  public LockOptions withReentry(Reentry newReentry) {
    return new LockOptions(ttl, renewal, retry, handOver, newReentry, holdTimes, earlyWarning);
  }

  /**
   * The same with other bounds on how long the name is held.
   *
   * @param newHoldTimes at least, at most, and after a loss
   * @return a copy
   */
  public LockOptions withHoldTimes(HoldTimes newHoldTimes) {
    return new LockOptions(ttl, renewal, retry, handOver, reentry, newHoldTimes, earlyWarning);
  }

  /**
   * The same with another minimum hold.
   *
   * @param minimum from the grant; zero for none; at most the TTL without renewal
   * @return a copy
   */
  public LockOptions withMinHold(Duration minimum) {
    return withHoldTimes(holdTimes.withMinimum(minimum));
  }

  /**
   * The same with another maximum hold.
   *
   * @param maximum from the grant; 100 ms to 365 days
   * @return a copy
   */
  public LockOptions withMaxHold(Duration maximum) {
    return withHoldTimes(holdTimes.withMaximum(maximum));
  }

  /**
   * The same with another lock delay.
   *
   * @param delay after a loss; zero for none; at most one day
   * @return a copy
   */
  public LockOptions withLockDelay(Duration delay) {
    return withHoldTimes(holdTimes.withLockDelay(delay));
  }

  /**
   * The same with a warning before a loss.
   *
   * @param left how much validity is left then, if renewals fail; positive, less than the TTL
   * @return a copy
   */
  public LockOptions withEarlyWarning(Duration left) {
    return new LockOptions(ttl, renewal, retry, handOver, reentry, holdTimes, Optional.of(left));
  }

  /**
   * Checks a TTL by the same bounds as the constructor.
   *
   * @param ttl 100 ms to 365 days
   * @return the argument
   * @throws IllegalArgumentException if it is out of bounds
   */
  public static Duration checkTtl(Duration ttl) {
    return Arguments.between("ttl", ttl, SHORTEST_TTL, LONGEST_TTL);
  }
}
