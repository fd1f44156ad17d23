/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The time for which a server has to keep a lock, by all requests for it. A server whose wall clock
 * steps back keeps it for longer than that; then the backend may shorten it to this, and no
 * further: a longer extension may still be under way. Thread-safe.
 */
public final class RequestedTime {

  /** Of comparisons by subtraction. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final LongSupplier time;
  private final AtomicLong until;

  /**
   * Nothing was asked for yet.
   *
   * @param time a monotonic clock, in nanoseconds
   */
  public RequestedTime(LongSupplier time) {
    this.time = time;
    this.until = new AtomicLong(time.getAsLong());
  }

  /**
   * Notes a request that is sent next.
   *
   * @param ttl asked for, from when it arrives
   */
  public void request(Duration ttl) {
    long wanted = time.getAsLong() + nanos(ttl);
    until.accumulateAndGet(wanted, (a, b) -> a - b > 0 ? a : b);
  }

  /**
   * For how long the server has to keep the lock, from now on.
   *
   * @return the longest of what was asked for; zero if that is over
   */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, until.get() - time.getAsLong()));
  }

  /**
   * For how long a server should keep the lock instead, if it keeps it for much longer than was
   * asked for. Small differences, such as the way of a request, are left alone.
   *
   * @param kept for how long the server keeps it
   * @return empty if it is to be left alone
   */
  public Optional<Duration> insteadOf(Duration kept) {
    Duration needed = left();
    boolean excess = kept.compareTo(needed.plus(needed.dividedBy(10))) > 0;
    return excess && !needed.isZero() ? Optional.of(needed) : Optional.empty();
  }

  private static long nanos(Duration ttl) {
    return ttl.compareTo(LONGEST) < 0 ? ttl.toNanos() : LONGEST.toNanos();
  }
}
