/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.tck.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Rules by backends, and the mutants that were caught. */
final class Matrix {

  /** What came of one rule on one backend. */
  record Cell(Verdict verdict, long millis, String detail) {}

  /** A faulty variant and its catch. */
  record Caught(String mutant, String rule, String pitfall, String where, String message) {}

  final Map<String, String> titles = new LinkedHashMap<>();
  final Map<String, Map<String, Cell>> cells = new TreeMap<>();
  final TreeSet<String> backends = new TreeSet<>();
  private final Map<String, Caught> mutants = new TreeMap<>();

  void add(String backend, List<String> lines) {
    backends.add(backend);
    for (String line : lines) {
      String[] columns = line.split("\t", -1);
      titles.putIfAbsent(columns[0], columns[1]);
      cells
          .computeIfAbsent(columns[0], rule -> new TreeMap<>())
          .put(
              backend,
              new Cell(Verdict.valueOf(columns[2]), Long.parseLong(columns[3]), columns[4]));
    }
  }

  void addMutants(List<String> lines) {
    for (String line : lines) {
      String[] columns = line.split("\t", -1);
      mutants.put(
          columns[0], new Caught(columns[0], columns[1], columns[2], columns[3], columns[4]));
    }
  }

  /** In the order of the rules. */
  List<Caught> mutants() {
    List<String> order = List.copyOf(titles.keySet());
    return mutants.values().stream()
        .sorted(Comparator.comparingInt(caught -> order.indexOf(caught.rule())))
        .toList();
  }

  /** How many mutants a rule has caught; no word of it where none were tried. */
  String kills(String rule) {
    long count = mutants.values().stream().filter(caught -> caught.rule().equals(rule)).count();
    return mutants.isEmpty() ? "" : String.valueOf(count);
  }

  /** How many rules have caught a mutant. */
  long killers() {
    return mutants.values().stream().map(Caught::rule).distinct().count();
  }

  long count(String backend, Verdict verdict) {
    return cells.values().stream()
        .map(row -> row.get(backend))
        .filter(cell -> cell != null && cell.verdict() == verdict)
        .count();
  }

  /** Every reason why a rule did not simply hold. */
  List<String> reasons() {
    List<String> reasons = new ArrayList<>();
    for (String rule : titles.keySet()) {
      cells
          .getOrDefault(rule, Map.of())
          .forEach(
              (backend, cell) -> {
                if (cell.verdict() != Verdict.HELD) {
                  reasons.add(
                      "%s on %s, %s: %s"
                          .formatted(rule, backend, words(cell.verdict()), cell.detail()));
                }
              });
    }
    return reasons;
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
