/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Decides whether a lease is kept alive until it is released, or ends after a fixed time. */
public sealed interface Renewal {

  /**
   * Renewed in the background until released, at a third of the time that the backend granted.
   *
   * @return the default
   */
  static Renewal automatic() {
    return new Automatic(Optional.empty());
  }

  /**
   * Renewed in the background until released, at an interval of the caller's choice.
   *
   * @param interval between renewals; at most half of the TTL, so that one may fail
   * @return automatic renewal
   */
  static Renewal every(Duration interval) {
    return new Automatic(Optional.of(interval));
  }

  /**
   * Never renewed: the lease ends one TTL after it was asked for, unless {@link Lease#extend} moves
   * its end.
   *
   * @return a lease of fixed time
   */
  static Renewal none() {
    return new Fixed();
  }

  /**
   * Renewed in the background.
   *
   * @param interval between renewals; a third of the granted time if empty
   */
  record Automatic(Optional<Duration> interval) implements Renewal {

    /** Checks the interval. */
    public Automatic {
      Objects.requireNonNull(interval, "interval");
      interval.ifPresent(given -> Arguments.positive("renewal interval", given));
    }
  }

  /** For a fixed time, without renewal. */
  record Fixed() implements Renewal {}
}
