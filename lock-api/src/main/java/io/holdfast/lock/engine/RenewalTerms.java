/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.engine;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.HoldTimes;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides when a lease is renewed, and for how long it is held.
 *
 * @param ttl what the holder may believe; the backend is asked for the lock delay on top
 * @param interval of the user's choice
 * @param renewing whether it is renewed at all: not for a fixed time, unless a session carries it
 * @param fixed whether it ends after its TTL all the same
 * @param hold at least, at most, and after a loss
 * @param earlyWarning with how much validity left its holder is warned
 */
record RenewalTerms(
    Duration ttl,
    Optional<Duration> interval,
    boolean renewing,
    boolean fixed,
    HoldTimes hold,
    Optional<Duration> earlyWarning) {

  /** A renewal may come early by this part of its interval, to share a request with others. */
  private static final int HEADROOM_PART = 4;

  private static final int TRIES = 3;
  private static final long NEVER = Long.MAX_VALUE / 4;
  private static final long LEAST_RETRY_NANOS = 10_000_000;
  private static final long MOST_RETRY_NANOS = 1_000_000_000;

  static RenewalTerms of(LockOptions options, Capabilities.Lifetime lifetime) {
    boolean fixed = options.renewal() instanceof Renewal.Fixed;
    Optional<Duration> interval =
        options.renewal() instanceof Renewal.Automatic automatic
            ? automatic.interval()
            : Optional.empty();
    boolean session = lifetime != Capabilities.Lifetime.TTL;
    return new RenewalTerms(
        options.ttl(),
        interval,
        !fixed || session,
        fixed && session,
        options.holdTimes(),
        options.earlyWarning());
  }

  /** Whether it was taken for a fixed time, whatever a session does for it meanwhile. */
  boolean isForFixedTime() {
    return !renewing || fixed;
  }

  /** With how much validity left listeners are warned; the end of a fixed time is no surprise. */
  Optional<Duration> warnsListenersWith() {
    return isForFixedTime() ? Optional.empty() : earlyWarning;
  }

  /** The TTL to ask the backend for, so that the lease is valid for this long. */
  Duration withLockDelay(Duration validity) {
    return validity.plus(hold.lockDelay());
  }

  /** For how long the lease is valid, of what the backend grants. */
  Duration withoutLockDelay(Duration leaseTime) {
    return leaseTime.minus(hold.lockDelay());
  }

  RenewalAnswer withoutLockDelay(RenewalAnswer answer) {
    return answer instanceof RenewalAnswer.Extended extended && !hold.lockDelay().isZero()
        ? new RenewalAnswer.Extended(withoutLockDelay(extended.leaseTime()))
        : answer;
  }

  /** When a lease has to end that was granted then. */
  long heldUntil(long grantedAt) {
    return grantedAt + hold.maximum().map(Validity::nanos).orElse(NEVER);
  }

  /** Until when the name stays taken after the release of a lease that was granted then. */
  long takenUntil(long grantedAt) {
    return grantedAt + Validity.nanos(hold.minimum());
  }

  /** For how long from the request a lease on a session lasts that is taken for a fixed time. */
  long fixedNanos() {
    return fixed ? Validity.nanos(ttl) : NEVER;
  }

  /** At a third of the granted time, so that two renewals may fail before the last. */
  long nextDue(long sentAt, Duration leaseTime, long validUntil) {
    if (!renewing) {
      return validUntil;
    }
    return Validity.earlier(sentAt + intervalNanos(leaseTime), validUntil);
  }

  private long intervalNanos(Duration leaseTime) {
    long granted = Validity.nanos(leaseTime);
    return interval.isPresent()
        ? Math.min(Validity.nanos(interval.get()), granted / 2)
        : granted / 3;
  }

  long headroom(Duration leaseTime) {
    return renewing ? intervalNanos(leaseTime) / HEADROOM_PART : 0;
  }

  /**
   * For how long to wait for an answer before asking again: never for so long that no two further
   * tries would fit into the validity, or a server that is silent once would mean a loss.
   */
  static long answerTimeout(long now, long validUntil) {
    return Math.max(LEAST_RETRY_NANOS, (validUntil - now) / TRIES);
  }

  /** Soon, and sooner the less time is left. */
  long retryAt(long now, long validUntil) {
    if (!renewing) {
      return validUntil;
    }
    long left = validUntil - now;
    long pause = Math.max(LEAST_RETRY_NANOS, Math.min(MOST_RETRY_NANOS, left / 4));
    return Validity.earlier(now + pause, validUntil);
  }
}
