/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Times as one writes them: {@code 1500ms}, {@code 3s}, {@code 5m}, {@code 2h}. */
public final class TimeConverter implements ITypeConverter<Duration> {

  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  /** For the command line. */
  public TimeConverter() {}

  @Override
  public Duration convert(String value) {
    Matcher matcher = TIME.matcher(value);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + value + "' is not a duration such as 1500ms, 3s or 5m");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }
}
