/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;

/**
 * The value of a figure at any number of processes and leases.
 *
 * @param constant without any of them
 * @param perProcess for each process
 * @param perLease for each lease, of whichever process
 */
record ScaleFormula(double constant, double perProcess, double perLease) {

  /** An increase by leases counts as noise below this part of the value without leases. */
  private static final double NOISE = 0.03;

  /** A figure below this part of the greatest does not weigh more than that. */
  private static final double SMALLEST_PART = 1e-3;

  /**
   * A measured value.
   *
   * @param processes that were connected
   * @param leases of all of them together
   * @param value of the figure
   */
  record Point(int processes, int leases, double value) {}

  double at(double processes, double leases) {
    return constant + perProcess * processes + perLease * leases;
  }

  ScaleFormula plus(ScaleFormula other) {
    return new ScaleFormula(
        constant + other.constant, perProcess + other.perProcess, perLease + other.perLease);
  }

  /**
   * The cost of processes that hold nothing: constant + per process × processes. Without the second
   * term, if the figure does not grow with processes; then it is the greatest that was measured.
   *
   * @param points those with leases do not count
   */
  static ScaleFormula resting(List<Point> points) {
    List<Point> axis = select(points, point -> point.processes() > 0 && point.leases() == 0);
    double base = base(points);
    if (!grows(axis, Point::processes, value -> value - base)) {
      return new ScaleFormula(greatest(axis), 0, 0);
    }
    double[] found = leastSquares(axis, Point::processes, point -> 1);
    double least = axis.stream().mapToDouble(Point::value).min().orElse(0);
    return found[1] > NOISE * least
        ? new ScaleFormula(found[1], found[0], 0)
        : new ScaleFormula(0, leastSquares(axis, Point::processes, point -> 0)[0], 0);
  }

  /**
   * The cost that leases add: per process that holds some × processes + per lease × leases, without
   * a term with which it does not grow.
   *
   * @param points with and without leases
   */
  static ScaleFormula added(List<Point> points) {
    List<Point> all = select(points, point -> point.leases() > 0);
    List<Point> added =
        all.stream()
            .map(
                point ->
                    new Point(
                        point.processes(), point.leases(), point.value() - rest(points, point)))
            .toList();
    if (added.isEmpty()) {
      return new ScaleFormula(0, 0, 0);
    }
    int fewestLeases = added.stream().mapToInt(Point::leases).min().orElseThrow();
    int fewestProcesses = added.stream().mapToInt(Point::processes).min().orElseThrow();
    // Where the other number is smallest, because it may hide what this one costs.
    boolean byProcess =
        growsBeyondNoise(
            points, select(added, point -> point.leases() == fewestLeases), Point::processes);
    boolean byLease =
        growsBeyondNoise(
            points, select(added, point -> point.processes() == fewestProcesses), Point::leases);
    if (!byProcess && !byLease) {
      return new ScaleFormula(
          added.stream().anyMatch(point -> isBeyondNoise(points, point)) ? greatest(added) : 0,
          0,
          0);
    }
    double[] found =
        leastSquares(
            added,
            point -> byProcess ? point.processes() : 0,
            point -> byLease ? point.leases() : 0);
    return new ScaleFormula(0, found[0], found[1]);
  }

  /**
   * Whether a figure grows with a number. If it does, it grows about as that number does; if it
   * does not, it changes by noise. The cube root of the ratio is between the two.
   *
   * @param first the figure at the smallest number
   * @param last the figure at the greatest number
   * @param ratio of the greatest number to the smallest
   */
  static boolean grows(double first, double last, double ratio) {
    return last > 0 && last >= Math.max(first, 0) * Math.cbrt(ratio);
  }

  /** The value without any process: the median, as each server was asked. */
  static double base(List<Point> points) {
    double[] values =
        points.stream().filter(point -> point.processes() == 0).mapToDouble(Point::value).toArray();
    return values.length == 0 ? 0 : Results.Spread.of(values).median();
  }

  private static boolean grows(
      List<Point> axis, ToIntFunction<Point> number, ToDoubleFunction<Double> figure) {
    Optional<Point> first = axis.stream().min((a, b) -> compare(number, a, b));
    Optional<Point> last = axis.stream().max((a, b) -> compare(number, a, b));
    return first.isPresent()
        && last.isPresent()
        && number.applyAsInt(last.get()) > number.applyAsInt(first.get())
        && grows(
            figure.applyAsDouble(first.get().value()),
            figure.applyAsDouble(last.get().value()),
            number.applyAsInt(last.get()) / (double) number.applyAsInt(first.get()));
  }

  private static boolean growsBeyondNoise(
      List<Point> points, List<Point> axis, ToIntFunction<Point> number) {
    return grows(axis, number, value -> value)
        && isBeyondNoise(points, axis.stream().max((a, b) -> compare(number, a, b)).orElseThrow());
  }

  private static boolean isBeyondNoise(List<Point> points, Point added) {
    return added.value() > NOISE * rest(points, added);
  }

  /** The cost of the same processes when they hold nothing. */
  private static double rest(List<Point> points, Point point) {
    return points.stream()
        .filter(other -> other.processes() == point.processes() && other.leases() == 0)
        .mapToDouble(Point::value)
        .findFirst()
        .orElse(0);
  }

  private static int compare(ToIntFunction<Point> number, Point one, Point other) {
    return Integer.compare(number.applyAsInt(one), number.applyAsInt(other));
  }

  private static List<Point> select(List<Point> points, Predicate<Point> wanted) {
    return points.stream().filter(wanted).toList();
  }

  private static double greatest(List<Point> points) {
    return points.stream().mapToDouble(Point::value).max().orElse(0);
  }

  /** The factors of two terms, none of them negative, with the smallest relative errors. */
  private static double[] leastSquares(
      List<Point> points, ToDoubleFunction<Point> one, ToDoubleFunction<Point> other) {
    double greatest = greatest(points);
    double oneOne = 0;
    double oneOther = 0;
    double otherOther = 0;
    double oneValue = 0;
    double otherValue = 0;
    for (Point point : points) {
      double size = Math.max(Math.abs(point.value()), greatest * SMALLEST_PART);
      double weight = 1 / (size * size);
      double x = one.applyAsDouble(point);
      double y = other.applyAsDouble(point);
      oneOne += weight * x * x;
      oneOther += weight * x * y;
      otherOther += weight * y * y;
      oneValue += weight * x * point.value();
      otherValue += weight * y * point.value();
    }
    double oneAlone = oneOne > 0 ? Math.max(0, oneValue / oneOne) : 0;
    double otherAlone = otherOther > 0 ? Math.max(0, otherValue / otherOther) : 0;
    double determinant = oneOne * otherOther - oneOther * oneOther;
    if (oneOne == 0 || otherOther == 0 || determinant == 0) {
      return oneOne > 0 ? new double[] {oneAlone, 0} : new double[] {0, otherAlone};
    }
    double first = (oneValue * otherOther - otherValue * oneOther) / determinant;
    double second = (otherValue * oneOne - oneValue * oneOther) / determinant;
    if (second <= 0) {
      return new double[] {oneAlone, 0};
    }
    return first <= 0 ? new double[] {0, otherAlone} : new double[] {first, second};
  }
}
