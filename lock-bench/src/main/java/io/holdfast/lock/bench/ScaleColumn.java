/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.ScaleFormula.Point;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * A figure of a backend: what was measured, and the formulas that were found for it.
 *
 * @param name for the reader
 * @param unit of the values
 * @param each whether it is said of each process instead of all of them
 * @param points measured
 * @param resting the formula without leases
 * @param holding the formula with leases
 */
record ScaleColumn(
    String name,
    ScaleUnit unit,
    boolean each,
    List<Point> points,
    ScaleFormula resting,
    ScaleFormula holding) {

  static final String COMMANDS = "server commands/s";
  static final String MEMORY = "server memory";

  /** Those of a backend of which something is known, in the order in which they are shown. */
  static List<ScaleColumn> of(ScaleFigures figures) {
    return Stream.of(
            column(
                "server connections",
                ScaleUnit.COUNT,
                false,
                figures.held(ScaleSection.CONNECTIONS)),
            column(COMMANDS, ScaleUnit.COUNT, false, figures.held(ScaleSection.COMMANDS)),
            column(MEMORY, ScaleUnit.BYTES, false, figures.held(ScaleSection.MEMORY)),
            column(
                "watches, subscriptions",
                ScaleUnit.COUNT,
                false,
                figures.held(ScaleSection.WATCHES)),
            column(
                "client heap of each process",
                ScaleUnit.BYTES,
                true,
                figures.increases(ScaleSection.HEAP)))
        .filter(column -> !column.points().isEmpty())
        .toList();
  }

  private static ScaleColumn column(String name, ScaleUnit unit, boolean each, List<Point> points) {
    ScaleFormula resting = ScaleFormula.resting(points);
    return new ScaleColumn(
        name, unit, each, points, resting, resting.plus(ScaleFormula.added(points)));
  }

  /** The formulas, or the one, if what leases add depends on their number only. */
  List<String> terms() {
    if (each) {
      return List.of(
          name
              + " = "
              + unit.text(holding.at(1, 0))
              + (holding.perLease() > 0
                  ? " + " + unit.text(holding.perLease()) + " × leases of the process"
                  : ""));
    }
    boolean holds = points.stream().anyMatch(point -> point.leases() > 0);
    boolean same =
        holding.constant() == resting.constant() && holding.perProcess() == resting.perProcess();
    return same || !holds
        ? List.of(name + " = " + unit.text(holding))
        : List.of(
            name + " without leases = " + unit.text(resting),
            name + " with leases = " + unit.text(holding));
  }

  /** The formula's value for all processes. */
  double at(double processes, double leases) {
    return (leases == 0 ? resting : holding).at(processes, leases);
  }

  /** The computed value, each process alone in its JVM. */
  String computed(int processes, int leases) {
    return unit.text(each ? at(1, leases / (double) processes) : at(processes, leases));
  }

  /** The computed value for the measured processes, which are all in one JVM. */
  String besideMeasured(int processes, int leases) {
    return unit.text(at(processes, leases) / (each ? processes : 1));
  }

  OptionalDouble measured(int processes, int leases) {
    return points.stream()
        .filter(point -> point.processes() == processes && point.leases() == leases)
        .mapToDouble(point -> point.value() / (each ? processes : 1))
        .findFirst();
  }
}
