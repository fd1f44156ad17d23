/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Results.Line;
import io.holdfast.lock.bench.ScaleFormula.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The figures about scale on one backend, by numbers of processes and leases.
 *
 * @param backend where
 * @param lines of the backend
 */
record ScaleFigures(String backend, List<Line> lines) {

  /** The second is missing where all processes wait for one lock. */
  private static final Pattern FIGURE =
      Pattern.compile("(\\d+) processes(?: waiting|, (\\d+) leases): (.*)");

  static ScaleFigures of(Results results, String backend) {
    return new ScaleFigures(
        backend,
        results.lines().stream()
            .filter(line -> line.section().equals(ScaleSection.NAME))
            .filter(line -> line.backend().equals(backend))
            .toList());
  }

  static String state(int processes, int leases, String figure) {
    return processes + " processes, " + leases + " leases: " + figure;
  }

  static String waiting(int processes, String figure) {
    return processes + " processes waiting: " + figure;
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /** A figure while nobody waits; without processes, once for each of the servers. */
  List<Point> held(String figure) {
    List<Point> points = new ArrayList<>();
    for (Line line : lines) {
      Matcher found = FIGURE.matcher(line.figure());
      if (found.matches() && found.group(2) != null && found.group(3).equals(figure)) {
        points.add(
            new Point(
                Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)), line.value()));
      }
    }
    return points;
  }

  /** A figure less what it is without processes, which is left out. */
  List<Point> increases(String figure) {
    List<Point> points = held(figure);
    double base = ScaleFormula.base(points);
    return points.stream()
        .filter(point -> point.processes() > 0)
        .map(point -> new Point(point.processes(), point.leases(), point.value() - base))
        .toList();
  }

  /** A figure while all processes wait for one lock. */
  List<Point> waiting(String figure) {
    List<Point> points = new ArrayList<>();
    for (Line line : lines) {
      Matcher found = FIGURE.matcher(line.figure());
      if (found.matches() && found.group(2) == null && found.group(3).equals(figure)) {
        points.add(new Point(Integer.parseInt(found.group(1)), 0, line.value()));
      }
    }
    return points;
  }
}
