/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverlapCheckTest {

  private final OverlapCheck judge = new OverlapCheck();

  @Test
  void acceptsAHandOverByRelease() {
    judge.accept("A", new Report.Holds(ms(0), 1, ms(100)));
    judge.accept("A", new Report.Renewed(ms(30), ms(130)));
    judge.accept("A", new Report.Released(ms(50), ReleaseOutcome.RELEASED));
    judge.accept("B", new Report.Holds(ms(51), 2, ms(151)));
    assertEquals(List.of(), judge.findings());
    assertEquals(2, judge.grants());
  }

  @Test
  void acceptsATakeOverAfterTheValidityOfADeadHolder() {
    judge.accept("A", new Report.Holds(ms(0), 1, ms(100)));
    judge.accept("A", new Report.Renewed(ms(30), ms(130)));
    judge.accept("B", new Report.Holds(ms(131), 2, ms(231)));
    assertEquals(List.of(), judge.findings());
  }

  @Test
  void findsAGrantWithinTheValidityOfADeadHolder() {
    judge.accept("A", new Report.Holds(ms(0), 1, ms(100)));
    judge.accept("A", new Report.Renewed(ms(30), ms(130)));
    judge.accept("B", new Report.Holds(ms(120), 2, ms(220)));
    assertEquals(
        List.of("A (token 1) and B (token 2) both believed to hold for 10.000 ms"),
        judge.findings());
  }

  @Test
  void findsAHolderThatStillBelievesAfterAPause() {
    judge.accept("A", new Report.Holds(ms(0), 1, ms(100)));
    judge.accept("B", new Report.Holds(ms(110), 2, ms(210)));
    judge.accept("A", new Report.Checked(ms(115), true, ms(115)));
    assertEquals(
        List.of("A (token 1) and B (token 2) both believed to hold for 5.000 ms"),
        judge.findings());
  }

  @Test
  void findsAnOverlapWhateverTheOrderOfTheReports() {
    judge.accept("B", new Report.Holds(ms(40), 2, ms(140)));
    judge.accept("A", new Report.Holds(ms(0), 1, ms(100)));
    judge.accept("A", new Report.Released(ms(50), ReleaseOutcome.RELEASED));
    assertEquals(
        List.of("A (token 1) and B (token 2) both believed to hold for 10.000 ms"),
        judge.findings());
  }

  @Test
  void endsABeliefThatIsRevokedEarly() {
    judge.accept("A", new Report.Holds(ms(0), 1, ms(100)));
    judge.accept("A", new Report.Lost(ms(50), LossReason.REVOKED));
    judge.accept("B", new Report.Holds(ms(60), 2, ms(160)));
    assertEquals(List.of(), judge.findings());
  }

  @Test
  void findsATokenThatDoesNotGrow() {
    judge.accept("A", new Report.Holds(ms(0), 7, ms(100)));
    judge.accept("B", new Report.Holds(ms(101), 7, ms(201)));
    assertEquals(List.of("B got token 7 after A had got 7"), judge.findings());
  }

  private static long ms(long millis) {
    return millis * 1_000_000;
  }
}
