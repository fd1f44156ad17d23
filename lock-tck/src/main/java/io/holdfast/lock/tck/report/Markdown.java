/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.tck.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A matrix as Markdown. */
final class Markdown {

  private Markdown() {}

  static String of(Matrix matrix) {
    StringBuilder text = new StringBuilder("# Conformance\n\n");
    text.append(matrix.disturbed()).append(".\n");
    matrix.scores().forEach(score -> text.append(score.text()).append(".\n"));
    List<String> head = new ArrayList<>(List.of("rule", ""));
    head.addAll(matrix.runs.keySet());
    List<List<String>> rows = new ArrayList<>();
    matrix.titles.forEach(
        (rule, title) -> {
          List<String> row = new ArrayList<>(List.of(rule, title));
          for (RunFile run : matrix.runs.values()) {
            RunFile.Line line = run.rules().get(rule);
            row.add(line == null ? "" : Matrix.words(line.verdict()));
          }
          rows.add(row);
        });
    List<String> sums = new ArrayList<>(List.of("", "**sum**"));
    matrix.runs.keySet().forEach(backend -> sums.add(sum(matrix, backend)));
    rows.add(sums);
    table(text, "Rules", head, rows);
    table(
        text,
        "Bounds",
        List.of("backend", "what", "promised", "median", "most", "times"),
        bounds(matrix));
    table(
        text,
        "Reasons",
        List.of("verdict", "backends", "because", "rules"),
        matrix.reasons().stream()
            .map(
                reason ->
                    List.of(
                        Matrix.words(reason.verdict()),
                        String.join(", ", reason.backends()),
                        reason.text(),
                        String.join(" ", reason.rules())))
            .toList());
    List<String> columns = new ArrayList<>(List.of(""));
    columns.addAll(matrix.runs.keySet());
    table(text, "Capabilities", columns, facts(matrix, RunFile::promises));
    table(
        text,
        "Faulty variants, and the rule that caught each",
        List.of("caught by", "mutant", "pitfall", "changed", "because"),
        matrix.mutants().stream()
            .map(
                caught ->
                    List.of(
                        caught.rule(),
                        caught.mutant(),
                        caught.pitfall(),
                        caught.where(),
                        caught.message()))
            .toList());
    table(text, "Environment", columns, facts(matrix, RunFile::environment));
    return text.toString();
  }

  private static String sum(Matrix matrix, String backend) {
    List<String> sums = new ArrayList<>();
    for (Verdict verdict : Verdict.values()) {
      sums.add(matrix.count(backend, verdict) + " " + Matrix.words(verdict));
    }
    return String.join(", ", sums);
  }

  private static List<List<String>> bounds(Matrix matrix) {
    List<List<String>> rows = new ArrayList<>();
    for (String backend : matrix.runs.keySet()) {
      for (Figures figures : Figures.of(matrix.measured(backend))) {
        rows.add(
            List.of(
                backend,
                figures.bound().words(),
                figures.promise(),
                Figures.text(figures.median()),
                Figures.text(figures.most()),
                String.valueOf(figures.count())));
      }
    }
    return rows;
  }

  private static List<List<String>> facts(
      Matrix matrix, Function<RunFile, Map<String, String>> of) {
    Set<String> facts = new LinkedHashSet<>();
    matrix.runs.values().forEach(run -> facts.addAll(of.apply(run).keySet()));
    List<List<String>> rows = new ArrayList<>();
    for (String fact : facts) {
      List<String> row = new ArrayList<>(List.of(fact));
      matrix.runs.values().forEach(run -> row.add(of.apply(run).getOrDefault(fact, "")));
      rows.add(row);
    }
    return rows;
  }

  private static void table(
      StringBuilder text, String title, List<String> head, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return;
    }
    text.append("\n## ").append(title).append("\n\n");
    row(text, head);
    text.append('|').append("---|".repeat(head.size())).append('\n');
    rows.forEach(row -> row(text, row));
  }

  private static void row(StringBuilder text, List<String> cells) {
    cells.forEach(cell -> text.append("| ").append(cell.replace("|", "\\|")).append(' '));
    text.append("|\n");
  }
}
