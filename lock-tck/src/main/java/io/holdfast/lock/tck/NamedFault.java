/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import java.time.Duration;

/**
 * Something that can be done to a backend for a while, and then is over. Both steps return when
 * they are done, and throw if they cannot be.
 *
 * @param name in a word or few, such as {@code fail-over}
 * @param shortest for how long at least
 * @param longest for how long at the most
 * @param losesLocks whether locks that are held may be given to others meanwhile, as is declared:
 *     fencing tokens protect then, and nothing else does
 * @param begin what is done
 * @param end what ends it
 */
public record NamedFault(
    String name,
    Duration shortest,
    Duration longest,
    boolean losesLocks,
    Runnable begin,
    Runnable end) {

  /**
   * One that locks survive.
   *
   * @param name in a word or few
   * @param shortest for how long at least
   * @param longest for how long at the most
   * @param begin what is done
   * @param end what ends it
   * @return a fault
   */
  public static NamedFault survived(
      String name, Duration shortest, Duration longest, Runnable begin, Runnable end) {
    return new NamedFault(name, shortest, longest, false, begin, end);
  }

  /**
   * One that takes locks away from their holders, as is declared.
   *
   * @param name in a word or few
   * @param shortest for how long at least
   * @param longest for how long at the most
   * @param begin what is done
   * @param end what ends it
   * @return a fault
   */
  public static NamedFault losing(
      String name, Duration shortest, Duration longest, Runnable begin, Runnable end) {
    return new NamedFault(name, shortest, longest, true, begin, end);
  }
}
