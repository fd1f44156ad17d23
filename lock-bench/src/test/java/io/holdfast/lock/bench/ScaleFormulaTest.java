/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.bench.ScaleFormula.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.Test;

/** Tests which figures grow, and with what. */
class ScaleFormulaTest {

  private static List<Point> measured(ToDoubleBiFunction<Integer, Integer> value) {
    List<Point> points = new ArrayList<>();
    for (double noise : new double[] {0.9, 1, 1.1}) {
      points.add(new Point(0, 0, noise * value.applyAsDouble(0, 0)));
    }
    for (int processes : new int[] {5, 25, 100}) {
      for (int leases : new int[] {0, 1_000, 10_000}) {
        points.add(new Point(processes, leases, value.applyAsDouble(processes, leases)));
      }
    }
    return points;
  }

  private static void assertResting(
      double constant, double perProcess, ToDoubleBiFunction<Integer, Integer> value) {
    assertFormula(constant, perProcess, 0, ScaleFormula.resting(measured(value)));
  }

  private static void assertAdded(
      double perProcess, double perLease, ToDoubleBiFunction<Integer, Integer> value) {
    assertFormula(0, perProcess, perLease, ScaleFormula.added(measured(value)));
  }

  private static void assertFormula(
      double constant, double perProcess, double perLease, ScaleFormula formula) {
    assertEquals(constant, formula.constant(), constant * 1e-6 + 1e-12, formula.toString());
    assertEquals(perProcess, formula.perProcess(), perProcess * 1e-6 + 1e-12, formula.toString());
    assertEquals(perLease, formula.perLease(), perLease * 1e-6 + 1e-12, formula.toString());
  }

  @Test
  void restingProcessesHaveAConstantAndATermThoughTheConstantIsMuchGreater() {
    assertResting(30e6, 50e3, (p, l) -> 30e6 + 50e3 * p + 300.0 * l);
  }

  @Test
  void aConstantThatIsSmallerThanTheNoiseIsLeftOut() {
    ScaleFormula formula = ScaleFormula.resting(measured((p, l) -> 2 * p + (p > 5 ? 0 : 0.1)));
    assertEquals(0, formula.constant());
    assertEquals(2, formula.perProcess(), 0.02);
  }

  @Test
  void aFigureThatDoesNotGrowWithRestingProcessesIsTheGreatestMeasured() {
    assertFormula(
        8,
        0,
        0,
        ScaleFormula.resting(
            List.of(new Point(5, 0, 6), new Point(25, 0, 8), new Point(100, 0, 7))));
    assertResting(1e6, 0, (p, l) -> 1e6 + 150.0 * l);
  }

  @Test
  void leasesAddWhatTheyCostAndWhatTheirProcessesCost() {
    assertAdded(0.1, 6e-4, (p, l) -> 0.2 * p + (l == 0 ? 0 : 0.1 * p + 6e-4 * l));
    assertAdded(0, 300, (p, l) -> 30e6 + 50e3 * p + 300.0 * l);
    assertAdded(0.4, 0, (p, l) -> l == 0 ? 0 : 0.4 * p);
  }

  @Test
  void leasesAddNothingIfTheDifferenceIsNoise() {
    assertAdded(0, 0, (p, l) -> 2 * p);
    assertAdded(0, 0, (p, l) -> 60e6 + (l > 0 ? 10e3 * p : 0) + 20.0 * l);
    assertAdded(0, 0, (p, l) -> 60e6 - 300.0 * l);
  }

  @Test
  void aSumIsThatOfItsTerms() {
    ScaleFormula sum = new ScaleFormula(1, 2, 3).plus(new ScaleFormula(10, 20, 30));
    assertEquals(new ScaleFormula(11, 22, 33), sum);
    assertEquals(11 + 22 * 10_000 + 33e6, sum.at(10_000, 1_000_000));
  }

  @Test
  void growthIsToldFromNoiseByTheCubeRootOfTheRatio() {
    assertTrue(ScaleFormula.grows(1, 2, 8));
    assertFalse(ScaleFormula.grows(1, 1.99, 8));
    assertTrue(ScaleFormula.grows(-1, 1, 8));
    assertTrue(ScaleFormula.grows(0, 1, 8));
    assertFalse(ScaleFormula.grows(0, 0, 8));
    assertFalse(ScaleFormula.grows(-2, -1, 8));
  }
}
