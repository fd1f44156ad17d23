/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import java.time.Duration;

/**
 * Decides how much is asked of a backend, and of the machine.
 *
 * @param length until all is over but the clean-up; the last part of it is without faults
 * @param processes how many contend at a time, from 2 to 3
 * @param rest at most, of a thread between two turns; some threads rest several times as long
 */
public record Profile(Duration length, int processes, Duration rest) {

  /**
   * As much as is possible. A run that is shorter proves little, by experience with faulty locks.
   */
  public static final Profile FULL = new Profile(Duration.ofSeconds(30), 3, Duration.ofMillis(5));

  /** Leaves the most of a machine to the tests beside it. */
  public static final Profile QUICK =
      new Profile(Duration.ofSeconds(16), 2, Duration.ofMillis(120));

  /**
   * The same for a longer or shorter time.
   *
   * @param other how long
   * @return a profile
   */
  public Profile withLength(Duration other) {
    return new Profile(other, processes, rest);
  }
}
