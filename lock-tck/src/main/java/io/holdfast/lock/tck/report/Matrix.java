/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.tck.Measured;
import io.holdfast.lock.tck.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Rules by backends, and the mutants that were caught. */
final class Matrix {

  /** A faulty variant and its catch. */
  record Caught(String mutant, String rule, String pitfall, String where, String message) {

    /** Not by a rule, but by a test of the backend. */
    boolean isByTest() {
      return rule.indexOf('#') >= 0;
    }
  }

  /** Why rules did not simply hold: one reason, and all that it explains. */
  record Reason(Verdict verdict, String text, List<String> rules, List<String> backends) {}

  private record Cause(Verdict verdict, String text, List<String> rules) {}

  final Map<String, RunFile> runs = new TreeMap<>();
  final Map<String, String> titles = new LinkedHashMap<>();
  private final Map<String, Caught> mutants = new TreeMap<>();
  private List<MutationScore> scores = List.of();

  void add(String backend, RunFile run) {
    runs.put(backend, run);
    run.rules().forEach((rule, line) -> titles.putIfAbsent(rule, line.title()));
  }

  void addMutants(List<String> lines) {
    for (String line : lines) {
      String[] columns = line.split("\t", -1);
      mutants.put(
          columns[0], new Caught(columns[0], columns[1], columns[2], columns[3], columns[4]));
    }
  }

  void setScores(List<MutationScore> newScores) {
    scores = newScores;
  }

  List<MutationScore> scores() {
    return scores;
  }

  /** In the order of the rules; then those that tests have caught. */
  List<Caught> mutants() {
    List<String> order = List.copyOf(titles.keySet());
    return mutants.values().stream()
        .sorted(
            Comparator.comparing(Caught::isByTest)
                .thenComparingInt(caught -> order.indexOf(caught.rule())))
        .toList();
  }

  /** How many mutants a rule has caught; no word of it where none were tried. */
  String kills(String rule) {
    long count = mutants.values().stream().filter(caught -> caught.rule().equals(rule)).count();
    return mutants.isEmpty() ? "" : String.valueOf(count);
  }

  /** How many rules have caught a mutant. */
  long killers() {
    return mutants.values().stream()
        .filter(caught -> !caught.isByTest())
        .map(Caught::rule)
        .distinct()
        .count();
  }

  long count(String backend, Verdict verdict) {
    return lines(backend).filter(line -> line.verdict() == verdict).count();
  }

  /** The rules that were run again and those that were not judged, in a sentence. */
  String disturbed() {
    long again = runs.keySet().stream().flatMap(this::lines).filter(l -> l.tries() > 1).count();
    long notJudged =
        runs.keySet().stream().mapToLong(backend -> count(backend, Verdict.NOT_JUDGED)).sum();
    return disturbed(again, notJudged);
  }

  static String disturbed(long again, long notJudged) {
    return "%d run again for lack of time, %d not judged".formatted(again, notJudged);
  }

  /** All figures of a backend. */
  List<Measured> measured(String backend) {
    return lines(backend).flatMap(line -> line.measured().stream()).toList();
  }

  private Stream<RunFile.Line> lines(String backend) {
    return Stream.ofNullable(runs.get(backend)).flatMap(run -> run.rules().values().stream());
  }

  /** Every reason why a rule did not simply hold, the worst first. */
  List<Reason> reasons() {
    Map<Cause, List<String>> backends = new LinkedHashMap<>();
    for (Verdict verdict :
        List.of(Verdict.FAILED, Verdict.NOT_JUDGED, Verdict.SKIPPED, Verdict.NOT_PROMISED)) {
      runs.forEach(
          (backend, run) ->
              rulesByText(run, verdict)
                  .forEach(
                      (text, rules) ->
                          backends
                              .computeIfAbsent(
                                  new Cause(verdict, text, rules), cause -> new ArrayList<>())
                              .add(backend)));
    }
    return backends.entrySet().stream()
        .map(
            entry ->
                new Reason(
                    entry.getKey().verdict(),
                    entry.getKey().text(),
                    entry.getKey().rules(),
                    entry.getValue()))
        .toList();
  }

  private static Map<String, List<String>> rulesByText(RunFile run, Verdict verdict) {
    Map<String, List<String>> rules = new LinkedHashMap<>();
    run.rules()
        .forEach(
            (rule, line) -> {
              if (line.verdict() == verdict) {
                rules.computeIfAbsent(line.detail(), text -> new ArrayList<>()).add(rule);
              }
            });
    return rules;
  }

  static String words(Verdict verdict) {
    return switch (verdict) {
      case HELD -> "held";
      case NOT_PROMISED -> "not promised";
      case SKIPPED -> "skipped";
      case NOT_JUDGED -> "not judged";
      case FAILED -> "FAILED";
    };
  }
}
