/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.ScaleFormula.Point;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** The tables about scale, of all backends that were measured. */
final class ScaleTables {

  private static final List<Integer> PROCESSES = List.of(100, 1_000, 10_000);
  private static final List<Integer> LEASES = List.of(10_000, 100_000, 1_000_000);

  private final Results results;
  private final String pictures;
  private final StringBuilder text = new StringBuilder();

  private ScaleTables(Results results, String pictures) {
    this.results = results;
    this.pictures = pictures;
  }

  /** The backends of which there is something. */
  static List<ScaleFigures> figures(Results results) {
    return BenchServers.BACKENDS.stream()
        .map(backend -> ScaleFigures.of(results, backend))
        .filter(figures -> !figures.isEmpty())
        .toList();
  }

  /**
   * All tables.
   *
   * @param pictures the directory of the pictures, as seen from the page
   */
  static String of(Results results, String pictures) {
    ScaleTables tables = new ScaleTables(results, pictures);
    figures(results).forEach(tables::add);
    if (tables.text.length() > 0) {
      tables.addWaiting();
    }
    return tables.text.toString();
  }

  private void add(ScaleFigures figures) {
    List<ScaleColumn> columns = ScaleColumn.of(figures);
    text.append("### ").append(figures.backend()).append("\n\n");
    text.append(
        "![What %s costs a server](%s/%s)\n\n"
            .formatted(figures.backend(), pictures, ScalePage.picture(figures)));
    for (ScaleColumn column : columns) {
      column.terms().forEach(term -> text.append("- ").append(term).append("\n"));
    }
    text.append("\n| processes | leases");
    columns.forEach(column -> text.append(" | ").append(column.name()));
    text.append(" |\n|--:|--:").append("|--:".repeat(columns.size())).append("|\n");
    List<Point> states =
        figures.held(ScaleSection.COMMANDS).stream()
            .map(point -> new Point(point.processes(), point.leases(), 0))
            .distinct()
            .toList();
    for (Point state : states) {
      row(columns, state.processes(), state.leases());
    }
    boolean holds = states.stream().anyMatch(state -> state.leases() > 0);
    for (int processes : PROCESSES) {
      for (int leases : holds ? LEASES : List.of(0)) {
        if (states.stream()
            .noneMatch(state -> state.processes() == processes && state.leases() == leases)) {
          row(columns, processes, leases);
        }
      }
    }
    text.append("\n");
  }

  private void row(List<ScaleColumn> columns, int processes, int leases) {
    text.append(
        "| %s | %s".formatted(ScaleUnit.COUNT.text(processes), ScaleUnit.COUNT.text(leases)));
    for (ScaleColumn column : columns) {
      OptionalDouble measured = column.measured(processes, leases);
      text.append(" | ")
          .append(
              measured.isPresent()
                  ? "**%s** (%s)"
                      .formatted(
                          column.unit().text(measured.getAsDouble()),
                          column.besideMeasured(processes, leases))
                  : column.computed(processes, leases));
    }
    text.append(" |\n");
  }

  private void addWaiting() {
    text.append(
        """
        ### One lock that all processes want

        | | server commands for each hand-over | watches, subscriptions | server connections |
        |---|---|---|---|
        """);
    for (ScaleFigures figures : figures(results)) {
      text.append(
          "| %s | %s | %s | %s |\n"
              .formatted(
                  figures.backend(),
                  waiting(figures.waiting(ScaleSection.HAND_OVER)),
                  waiting(figures.waiting(ScaleSection.WATCHES)),
                  waiting(figures.waiting(ScaleSection.CONNECTIONS))));
    }
  }

  private static String waiting(List<Point> points) {
    if (points.isEmpty()) {
      return "";
    }
    ScaleFormula formula = ScaleFormula.resting(points);
    String measured =
        points.stream()
            .map(
                point ->
                    "%d: **%s** (%s)"
                        .formatted(
                            point.processes(),
                            ScaleUnit.COUNT.text(point.value()),
                            ScaleUnit.COUNT.text(formula.at(point.processes(), 0))))
            .collect(Collectors.joining(", "));
    String computed =
        PROCESSES.stream()
            .filter(processes -> points.stream().noneMatch(point -> point.processes() == processes))
            .map(
                processes ->
                    "%s: %s"
                        .formatted(
                            ScaleUnit.COUNT.text(processes),
                            ScaleUnit.COUNT.text(formula.at(processes, 0))))
            .collect(Collectors.joining(", "));
    return "%s; %s; = %s".formatted(measured, computed, ScaleUnit.COUNT.text(formula));
  }
}
