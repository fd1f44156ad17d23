/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi.support;

import java.time.Duration;

/** Pauses between tries that fail: each twice as long as the one before, up to a bound. */
public final class DoublingPause {

  private DoublingPause() {}

  /**
   * The pause that follows.
   *
   * @param pause the one before
   * @param longest the bound
   * @return twice the pause, or the bound if that is shorter
   */
  public static Duration after(Duration pause, Duration longest) {
    Duration doubled = pause.multipliedBy(2);
    return doubled.compareTo(longest) > 0 ? longest : doubled;
  }
}
