/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import java.time.Duration;
import java.util.Locale;

/** Times for people. */
public final class Times {

  private Times() {}

  /**
   * Milliseconds for what is short, seconds otherwise.
   *
   * @param time any
   * @return such as {@code 7.1 ms} or {@code 3.02 s}
   */
  public static String text(Duration time) {
    if (time.toMillis() < 100) {
      return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
    }
    String text = String.format(Locale.ROOT, "%.2f", time.toNanos() / 1e9);
    return (text.endsWith(".00") ? text.substring(0, text.length() - 3) : text) + " s";
  }
}
