/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.text;

import java.math.BigDecimal;
import java.time.Duration;

/** Times as messages show them to people. */
public final class TimeText {

  private static final int NANO_DIGITS = 9;
  private static final int MILLI_DIGITS = 3;

  private TimeText() {}

  /**
   * Exactly that time, in milliseconds if it is less than a second, in days if it is some whole
   * days, and in seconds otherwise.
   *
   * @param time any
   * @return such as {@code 200 ms}, {@code 1.5 s} or {@code 365 d}
   */
  public static String of(Duration time) {
    if (time.toDays() > 1 && time.equals(Duration.ofDays(time.toDays()))) {
      return time.toDays() + " d";
    }
    BigDecimal seconds =
        BigDecimal.valueOf(time.getSeconds()).add(BigDecimal.valueOf(time.getNano(), NANO_DIGITS));
    boolean isShort = seconds.signum() != 0 && seconds.abs().compareTo(BigDecimal.ONE) < 0;
    BigDecimal shown = isShort ? seconds.movePointRight(MILLI_DIGITS) : seconds;
    return shown.stripTrailingZeros().toPlainString() + (isShort ? " ms" : " s");
  }
}
