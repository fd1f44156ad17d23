/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.tck.Bound;
import io.holdfast.lock.tck.Measured;
import io.holdfast.lock.tck.Result;
import io.holdfast.lock.tck.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A run on one backend as lines of columns, in which modules hand their results to {@link
 * MatrixMain}: first what is promised and where it ran, then a line for each rule.
 *
 * @param promises capabilities, in words
 * @param environment where it ran, in words
 * @param rules what came of each rule
 */
record RunFile(
    Map<String, String> promises, Map<String, String> environment, Map<String, Line> rules) {

  /**
   * The result of a rule.
   *
   * @param title the rule in words
   * @param verdict what came of it
   * @param millis how long it ran
   * @param tries how often
   * @param detail why it did not simply hold
   * @param measured its figures
   */
  record Line(
      String title,
      Verdict verdict,
      long millis,
      int tries,
      String detail,
      List<Measured> measured) {}

  private static final String PROMISE = "#promise";
  private static final String ENVIRONMENT = "#environment";
  private static final int MOST_CHARACTERS = 500;

  static RunFile of(
      Map<String, String> promises, Map<String, String> environment, List<Result> results) {
    Map<String, Line> rules = new LinkedHashMap<>();
    for (Result result : results) {
      rules.put(
          result.rule(),
          new Line(
              result.title(),
              result.verdict(),
              result.took().toMillis(),
              result.tries(),
              oneLine(result.detail()),
              result.measured()));
    }
    return new RunFile(promises, environment, rules);
  }

  static RunFile parse(List<String> lines) {
    RunFile run = new RunFile(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
    for (String line : lines) {
      String[] columns = line.split("\t", -1);
      switch (columns[0]) {
        case PROMISE -> run.promises.put(columns[1], columns[2]);
        case ENVIRONMENT -> run.environment.put(columns[1], columns[2]);
        default ->
            run.rules.put(
                columns[0],
                new Line(
                    columns[1],
                    Verdict.valueOf(columns[2]),
                    Long.parseLong(columns[3]),
                    Integer.parseInt(columns[4]),
                    columns[5],
                    figures(columns[6])));
      }
    }
    return run;
  }

  String text() {
    List<String> lines = new ArrayList<>();
    promises.forEach((key, value) -> lines.add(String.join("\t", PROMISE, key, oneLine(value))));
    environment.forEach(
        (key, value) -> lines.add(String.join("\t", ENVIRONMENT, key, oneLine(value))));
    rules.forEach(
        (rule, line) ->
            lines.add(
                String.join(
                    "\t",
                    rule,
                    line.title(),
                    line.verdict().name(),
                    String.valueOf(line.millis()),
                    String.valueOf(line.tries()),
                    line.detail(),
                    line.measured().stream()
                        .map(RunFile::figure)
                        .collect(Collectors.joining(" ")))));
    return String.join("\n", lines) + "\n";
  }

  private static String figure(Measured measured) {
    return "%s:%d:%s"
        .formatted(
            measured.bound(),
            measured.took().toNanos(),
            measured.promised().map(promised -> String.valueOf(promised.toNanos())).orElse(""));
  }

  private static List<Measured> figures(String column) {
    return Arrays.stream(column.split(" ", -1))
        .filter(figure -> !figure.isEmpty())
        .map(figure -> figure.split(":", -1))
        .map(
            parts ->
                new Measured(
                    Bound.valueOf(parts[0]),
                    Duration.ofNanos(Long.parseLong(parts[1])),
                    Optional.of(parts[2])
                        .filter(text -> !text.isEmpty())
                        .map(text -> Duration.ofNanos(Long.parseLong(text)))))
        .toList();
  }

  static String oneLine(String text) {
    String line = text.replaceAll("\\s+", " ");
    return line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) + "…" : line;
  }
}
