/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Results.Spread;
import java.util.Locale;

/** Numbers as people read them. */
final class NumberText {

  private NumberText() {}

  /** Three digits that count. */
  static String text(double value) {
    if (!Double.isFinite(value)) {
      return Double.isNaN(value) ? "–" : "∞";
    }
    double size = Math.abs(value);
    if (size >= 100 || size == 0) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    return String.format(Locale.ROOT, size >= 10 ? "%.1f" : "%.2f", value);
  }

  /** With its spread. */
  static String text(Spread spread) {
    return spread.least() == spread.most()
        ? text(spread.median())
        : "%s (%s–%s)".formatted(text(spread.median()), text(spread.least()), text(spread.most()));
  }
}
