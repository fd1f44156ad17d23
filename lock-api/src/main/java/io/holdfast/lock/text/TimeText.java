/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.text;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as messages show them to people. */
public final class TimeText {

  private static final int NANO_DIGITS = 9;
  private static final int MILLI_DIGITS = 3;

  private static final Duration LONGEST = Duration.ofDays(366);
  private static final Pattern SIMPLE = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");

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

  /**
   * Reads a duration, simple or in ISO 8601.
   *
   * @param value such as {@code 500ms}, {@code 2s}, {@code 1m} or {@code PT2S}
   * @return a positive duration of at most 366 days
   * @throws IllegalArgumentException if it is not one
   */
  public static Duration parse(String value) {
    Duration duration;
    Matcher simple = SIMPLE.matcher(value.trim());
    try {
      if (simple.matches()) {
        long amount = Long.parseLong(simple.group(1));
        duration =
            switch (simple.group(2)) {
              case "ms" -> Duration.ofMillis(amount);
              case "s" -> Duration.ofSeconds(amount);
              case "m" -> Duration.ofMinutes(amount);
              case "h" -> Duration.ofHours(amount);
              default -> Duration.ofDays(amount);
            };
      } else {
        duration = Duration.parse(value.trim());
      }
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(e);
    }
    if (duration.isZero() || duration.isNegative() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException();
    }
    return duration;
  }
}
