/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Times on the command line. */
class TimeConverterTest {

  private final TimeConverter times = new TimeConverter();

  @ParameterizedTest
  @CsvSource({"0s,PT0S", "1500ms,PT1.5S", "3s,PT3S", "5m,PT5M", "36h,PT36H"})
  void eachUnitIsWhatItIs(String text, Duration time) {
    assertEquals(time, times.convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3", "-1s", "1.5s", "3 s", "5M", "2d", "soon", "1234567890s"})
  void aTimeWithoutAKnownUnitIsRefused(String text) {
    assertThrows(TypeConversionException.class, () -> times.convert(text));
  }
}
