/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.time.Duration;
import java.util.OptionalInt;

/**
 * The terms on which a waiter polls. Polling is the guarantee; a wake-up from the backend only
 * makes it faster. The pause doubles from {@code initial} to {@code max}, and each is shortened at
 * random by up to the share {@code jitter}, so that waiters do not poll at the same moments (full
 * jitter: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 *
 * @param initial the first pause, 1 ms or more
 * @param max the longest pause, and so the most that a lost wake-up costs; not below {@code
 *     initial}
 * @param jitter the share of a pause that is left to chance, from 0 (none) to 1 (all)
 * @param maxAttempts the most attempts to get the lock, at the backend, or in the client while
 *     another of its callers has the lock; without limit if empty
 */
public record Retry(Duration initial, Duration max, double jitter, OptionalInt maxAttempts) {

  private static final Retry DEFAULT =
      new Retry(Duration.ofMillis(50), Duration.ofSeconds(1), 1.0, OptionalInt.empty());

  /** Checks all fields together. */
  public Retry {
    Arguments.between("retry initial", initial, Duration.ofMillis(1), Duration.ofDays(1));
    Arguments.between("retry max", max, initial, Duration.ofDays(1));
    if (!(jitter >= 0.0 && jitter <= 1.0)) {
      throw new IllegalArgumentException("retry jitter must be from 0 to 1, but is " + jitter);
    }
    maxAttempts.ifPresent(
        attempts -> {
          if (attempts < 1) {
            throw new IllegalArgumentException(
                "retry maxAttempts must be 1 or more, but is " + attempts);
          }
        });
  }

  /**
   * From 50 ms to 1 s, full jitter, without limit of attempts.
   *
   * @return the default
   */
  public static Retry defaults() {
    return DEFAULT;
  }

  /**
   * The same with other pauses.
   *
   * @param newInitial the first pause
   * @param newMax the longest pause
   * @return a copy
   */
  public Retry withPauses(Duration newInitial, Duration newMax) {
    return new Retry(newInitial, newMax, jitter, maxAttempts);
  }

  /**
   * The same with another share of chance.
   *
   * @param newJitter from 0 to 1
   * @return a copy
   */
  public Retry withJitter(double newJitter) {
    return new Retry(initial, max, newJitter, maxAttempts);
  }

  /**
   * The same with a limit of attempts.
   *
   * @param newMaxAttempts 1 or more
   * @return a copy
   */
  public Retry withMaxAttempts(int newMaxAttempts) {
    return new Retry(initial, max, jitter, OptionalInt.of(newMaxAttempts));
  }
}
