/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Formats figures about scale: what is computed has few digits that count. */
enum ScaleUnit {
  COUNT {
    @Override
    String text(double value) {
      BigDecimal rounded = rounded(value, 3);
      return rounded.abs().compareTo(BigDecimal.TEN) >= 0
          ? String.format(Locale.ROOT, rounded.scale() > 0 ? "%,.1f" : "%,.0f", rounded)
          : rounded(value, 2).toPlainString();
    }
  },

  BYTES {
    @Override
    String text(double value) {
      double size = value;
      int unit = 0;
      while (Math.abs(size) >= THOUSAND - 0.5 && unit < SIZES.size() - 1) {
        size /= THOUSAND;
        unit++;
      }
      return (unit == 0 ? rounded(Math.rint(size), 3) : rounded(size, 3)).toPlainString()
          + " "
          + SIZES.get(unit);
    }
  };

  private static final double THOUSAND = 1_000;
  private static final List<String> SIZES = List.of("B", "kB", "MB", "GB", "TB");

  abstract String text(double value);

  /** A formula without the terms that are zero. */
  String text(ScaleFormula formula) {
    List<String> terms = new ArrayList<>();
    if (formula.constant() > 0) {
      terms.add(text(formula.constant()));
    }
    if (formula.perProcess() > 0) {
      terms.add(text(formula.perProcess()) + " × processes");
    }
    if (formula.perLease() > 0) {
      terms.add(text(formula.perLease()) + " × leases");
    }
    return terms.isEmpty() ? "0" : String.join(" + ", terms);
  }

  private static BigDecimal rounded(double value, int digits) {
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(digits)).stripTrailingZeros();
    // Not as a power of ten.
    return rounded.scale() < 0 ? rounded.setScale(0) : rounded;
  }
}
