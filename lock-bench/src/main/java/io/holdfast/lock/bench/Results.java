/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Entry.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The measured figures: one line for each figure of each round. Not for several threads. */
final class Results {

  /**
   * One figure.
   *
   * @param section as {@link Section#name()}
   * @param backend where
   * @param kind whose
   * @param contestant its name
   * @param figure what, with its unit, such as {@code 16 threads: hand-overs/s}
   * @param round counted from 0
   * @param value may be infinite
   */
  record Line(
      String section,
      String backend,
      Kind kind,
      String contestant,
      String figure,
      int round,
      double value) {

    String tsv() {
      return String.join(
          "\t",
          section,
          backend,
          kind.name(),
          contestant,
          figure,
          Integer.toString(round),
          Double.toString(value));
    }

    static Line parse(String tsv) {
      String[] cells = tsv.split("\t", -1);
      return new Line(
          cells[0],
          cells[1],
          Kind.valueOf(cells[2]),
          cells[3],
          cells[4],
          Integer.parseInt(cells[5]),
          Double.parseDouble(cells[6]));
    }
  }

  /**
   * The middle of a figure's rounds, and its spread.
   *
   * @param median of the rounds
   * @param least of the rounds
   * @param most of the rounds
   */
  record Spread(double median, double least, double most) {

    static Spread of(double[] values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      int middle = sorted.length / 2;
      double median =
          sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
      return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }
  }

  private final List<Line> lines = new ArrayList<>();
  private final Consumer<Line> listener;

  /**
   * Starts empty.
   *
   * @param listener is told every line
   */
  Results(Consumer<Line> listener) {
    this.listener = listener;
  }

  void add(Section section, Entry entry, String figure, int round, double value) {
    add(
        new Line(
            section.name(), entry.backend(), entry.kind(), entry.name(), figure, round, value));
  }

  void add(Line line) {
    lines.add(line);
    listener.accept(line);
  }

  List<Line> lines() {
    return List.copyOf(lines);
  }

  Optional<Spread> spread(String section, String backend, String contestant, String figure) {
    double[] values =
        lines.stream()
            .filter(line -> isOf(line, section, backend, contestant, figure))
            .mapToDouble(Line::value)
            .toArray();
    return values.length == 0 ? Optional.empty() : Optional.of(Spread.of(values));
  }

  /** Of one contestant to another, round by round. */
  Optional<Spread> ratio(
      String section, String backend, String contestant, String other, String figure) {
    return ratio(
        line -> isOf(line, section, backend, contestant, figure),
        line -> isOf(line, section, backend, other, figure));
  }

  /** Of one figure of a contestant to another of the same, round by round. */
  Optional<Spread> ratioOfFigures(
      String section, String backend, String contestant, String figure, String other) {
    return ratio(
        line -> isOf(line, section, backend, contestant, figure),
        line -> isOf(line, section, backend, contestant, other));
  }

  private Optional<Spread> ratio(Predicate<Line> of, Predicate<Line> to) {
    double[] ratios =
        lines.stream()
            .filter(of)
            .flatMapToDouble(
                mine ->
                    lines.stream()
                        .filter(to)
                        .filter(theirs -> theirs.round() == mine.round())
                        .mapToDouble(theirs -> mine.value() / theirs.value()))
            .toArray();
    return ratios.length == 0 ? Optional.empty() : Optional.of(Spread.of(ratios));
  }

  private static boolean isOf(
      Line line, String section, String backend, String contestant, String figure) {
    return line.section().equals(section)
        && line.backend().equals(backend)
        && line.contestant().equals(contestant)
        && line.figure().equals(figure);
  }
}
