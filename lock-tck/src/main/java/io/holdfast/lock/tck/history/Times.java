/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import java.util.Locale;

/** Times, in words for people. */
final class Times {

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  private Times() {}

  static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.3f ms", nanos / NANOS_PER_MILLI);
  }

  static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.6f s", nanos / NANOS_PER_SECOND);
  }
}
