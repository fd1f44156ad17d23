/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import io.holdfast.lock.text.TimeText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Bounds on how long a name is held: at least, at most, and for how long it stays taken after a
 * loss. None of them, unless asked for.
 *
 * <p><b>Minimum hold.</b> A name whose lease is released early stays taken until this long after
 * the grant. The lease is over at once all the same. With {@link Capabilities.Retention#SERVER} the
 * server keeps the name, also if the client is closed or its process dies after that release; with
 * {@link Capabilities.Retention#CLIENT} the client keeps it, and its close or death frees it
 * earlier. A loss that this client notices while it can reach the server keeps the name as well
 * where the server does, and frees it where the client would; a holder that dies, or is cut off,
 * keeps it for its TTL and no longer. Local waiters wait for it like all others. A job that takes a
 * moment uses it, so that another host whose clock is behind does not run the job again.
 *
 * <p><b>Maximum hold.</b> No lease lasts longer than this from its grant, however often it is
 * renewed or extended: it is lost then, with {@link LossReason#MAX_HOLD_REACHED}, and the lock is
 * freed.
 *
 * <p>Both count from the grant of the writer for a reader that it becomes ({@link
 * Lease#downgrade()}), as the name was not free in between.
 *
 * <p><b>Lock delay.</b> After a loss, the close of the client included, nobody is granted the lock
 * for this long, so that what the old holder has sent arrives before the next holder begins. A
 * release frees the lock at once, and so does an administrator who takes it away. It takes {@link
 * Capabilities.Retention#SERVER}.
 *
 * @param minimum from the grant; zero for none; at most 365 days
 * @param maximum from the grant; empty for none; 100 ms to 365 days, and not below the minimum
 * @param lockDelay after a loss; zero for none; at most one day
 */
public record HoldTimes(Duration minimum, Optional<Duration> maximum, Duration lockDelay) {

  private static final Duration SHORTEST_MAXIMUM = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofDays(365);
  private static final Duration LONGEST_DELAY = Duration.ofDays(1);
  private static final HoldTimes NONE =
      new HoldTimes(Duration.ZERO, Optional.empty(), Duration.ZERO);

  /** Checks all three together. */
  public HoldTimes {
    Arguments.between("minimum hold", minimum, Duration.ZERO, LONGEST);
    Objects.requireNonNull(maximum, "maximum");
    Arguments.between("lock delay", lockDelay, Duration.ZERO, LONGEST_DELAY);
    if (maximum.isPresent()) {
      Duration most = Arguments.between("maximum hold", maximum.get(), SHORTEST_MAXIMUM, LONGEST);
      if (minimum.compareTo(most) > 0) {
        throw new IllegalArgumentException(
            "minimum hold must be at most the maximum hold %s, but is %s"
                .formatted(TimeText.of(most), TimeText.of(minimum)));
      }
    }
  }

  /**
   * No bounds.
   *
   * @return the default
   */
  public static HoldTimes none() {
    return NONE;
  }

  /**
   * Whether it bounds nothing.
   *
   * @return true if it equals {@link #none()}
   */
  public boolean isNone() {
    return equals(NONE);
  }

  /**
   * The same with another minimum.
   *
   * @param newMinimum from the grant; zero for none
   * @return a copy
   */
  public HoldTimes withMinimum(Duration newMinimum) {
    return new HoldTimes(newMinimum, maximum, lockDelay);
  }

  /**
   * The same with another maximum.
   *
   * @param newMaximum from the grant
   * @return a copy
   */
  public HoldTimes withMaximum(Duration newMaximum) {
    return new HoldTimes(minimum, Optional.of(newMaximum), lockDelay);
  }

  /**
   * The same with another lock delay.
   *
   * @param newLockDelay after a loss; zero for none
   * @return a copy
   */
  public HoldTimes withLockDelay(Duration newLockDelay) {
    return new HoldTimes(minimum, maximum, newLockDelay);
  }
}
