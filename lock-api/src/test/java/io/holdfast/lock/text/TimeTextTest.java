/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0 s",
    "PT10S, 10 s",
    "PT0.2S, 200 ms",
    "PT0.0015S, 1.5 ms",
    "PT1.5S, 1.5 s",
    "PT1.000000001S, 1.000000001 s",
    "PT-0.1S, -100 ms",
    "PT-3S, -3 s",
    "PT1H, 3600 s",
    "PT24H, 86400 s",
    "PT8760H, 365 d",
    "PT9223372036854775807S, 9223372036854775807 s"
  })
  void timesAreShownAsTheyAre(Duration time, String text) {
    assertEquals(text, TimeText.of(time));
  }

  @ParameterizedTest
  @CsvSource({
    "1500ms, PT1.5S",
    "7s, PT7S",
    "3m, PT3M",
    "4h, PT4H",
    "5d, P5D",
    "' 20 s ', PT20S",
    "PT0.5S, PT0.5S",
    "366d, P366D"
  })
  void timesAreReadInTheirUnits(String text, Duration time) {
    assertEquals(time, TimeText.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "s",
        "1.5s",
        "-1s",
        "0s",
        "0ms",
        "PT0S",
        "-PT1S",
        "2w",
        "1S",
        "1h30m",
        "367d",
        "9999999999999s",
        "PT8784H0.000000001S"
      })
  void otherTextIsNoTime(String text) {
    assertThrows(IllegalArgumentException.class, () -> TimeText.parse(text));
  }
}
