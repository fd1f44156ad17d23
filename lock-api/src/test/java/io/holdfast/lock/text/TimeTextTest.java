/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
