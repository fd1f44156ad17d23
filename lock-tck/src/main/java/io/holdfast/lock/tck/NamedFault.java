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
 * @param loss whether locks that are held may be given to others meanwhile, as is declared: fencing
 *     tokens protect then, and nothing else does
 * @param begin what is done
 * @param end what ends it
 */
public record NamedFault(
    String name, Duration shortest, Duration longest, Loss loss, Runnable begin, Runnable end) {

  /** The fate of locks that are held. */
  public enum Loss {
    /** Their holders keep them. */
    NONE,
    /** Their holders may lose them, or not. */
    POSSIBLE,
    /** The last operations may be undone: a grant, and so may a release. */
    UNDONE,
    /** Each is taken from its holder. */
    CERTAIN
  }

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
    return new NamedFault(name, shortest, longest, Loss.NONE, begin, end);
  }

  /**
   * One that may take locks away from their holders, as is declared.
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
    return new NamedFault(name, shortest, longest, Loss.POSSIBLE, begin, end);
  }

  /**
   * One that may undo what was done last, as is declared, such as a fail-over to a replica that is
   * behind: who was granted a lock may lose it, and a lock that was released may be taken again
   * until its TTL has passed.
   *
   * @param name in a word or few
   * @param shortest for how long at least
   * @param longest for how long at the most
   * @param begin what is done
   * @param end what ends it
   * @return a fault
   */
  public static NamedFault undoing(
      String name, Duration shortest, Duration longest, Runnable begin, Runnable end) {
    return new NamedFault(name, shortest, longest, Loss.UNDONE, begin, end);
  }

  /**
   * One that takes each lock away from its holder, as is declared: nobody may believe in it for
   * longer than its validity then was.
   *
   * @param name in a word or few
   * @param shortest for how long at least
   * @param longest for how long at the most
   * @param begin what is done
   * @param end what ends it
   * @return a fault
   */
  public static NamedFault taking(
      String name, Duration shortest, Duration longest, Runnable begin, Runnable end) {
    return new NamedFault(name, shortest, longest, Loss.CERTAIN, begin, end);
  }

  /**
   * As {@link #taking(String, Duration, Duration, Runnable, Runnable)}, of an instant.
   *
   * @param name in a word or few
   * @param what is done
   * @return a fault
   */
  public static NamedFault taking(String name, Runnable what) {
    return taking(name, Duration.ZERO, Duration.ZERO, what, () -> {});
  }
}
