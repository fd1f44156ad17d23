/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.limit;

import io.holdfast.lock.LockException;
import java.time.Duration;

/** The answer of a {@link RateLimiter}. */
public sealed interface RateAnswer {

  /**
   * Whether to go on.
   *
   * @return true if granted; if undecided, as {@link RateLimit#unanswered()} has it
   */
  boolean allowed();

  /**
   * The server has granted the permits, and counts them.
   *
   * @param remaining how many more it would have granted at that moment
   */
  record Granted(int remaining) implements RateAnswer {
    @Override
    public boolean allowed() {
      return true;
    }
  }

  /**
   * The server has refused. Refusals are not counted.
   *
   * @param retryAfter when so many permits are free again, if nobody else takes them; asking sooner
   *     will be refused
   */
  record Refused(Duration retryAfter) implements RateAnswer {
    @Override
    public boolean allowed() {
      return false;
    }
  }

  /**
   * The server did not answer in time, or not as it should. It may have counted the permits.
   *
   * @param allowed as {@link RateLimit#unanswered()} has it
   * @param cause what went wrong
   */
  record Undecided(boolean allowed, LockException cause) implements RateAnswer {}
}
