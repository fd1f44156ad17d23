/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

/**
 * The counter from which numbers are drawn. The next is greater than the last, and at least the
 * server's clock in microseconds, rounded down to a multiple of the grain (as long as the counter
 * is there: one that is made anew begins at the exact time).
 *
 * @param key where it is
 * @param grain microseconds; one for no rounding
 */
public record TokenCounter(String key, long grain) {

  /**
   * A counter that follows the clock exactly.
   *
   * @param key where it is
   * @return without rounding
   */
  public static TokenCounter exact(String key) {
    return new TokenCounter(key, 1);
  }
}
