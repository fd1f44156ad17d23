/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReportTest {

  static Stream<Report> reports() {
    return Stream.of(
        new Report.Wants(-1),
        new Report.Waits(1),
        new Report.Holds(2, 3, 4),
        new Report.Renewed(5, 6),
        new Report.Checked(7, true, 8),
        new Report.Checked(9, false, 9),
        new Report.Lost(10, LossReason.SESSION_ENDED),
        new Report.Released(11, ReleaseOutcome.UNKNOWN));
  }

  @ParameterizedTest
  @MethodSource("reports")
  void survivesTheWire(Report report) {
    assertEquals(Optional.of(report), Report.parse(report.line()));
  }

  @Test
  void leavesOtherOutputAlone() {
    assertEquals(Optional.empty(), Report.parse("Picked up JAVA_TOOL_OPTIONS"));
    assertThrows(IllegalArgumentException.class, () -> Report.parse(Report.MARK + " Sings 1"));
  }
}
