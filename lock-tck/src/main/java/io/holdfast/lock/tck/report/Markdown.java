/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.tck.Verdict;
import java.util.Map;

/** A matrix as Markdown. */
final class Markdown {

  private Markdown() {}

  static String of(Matrix matrix) {
    StringBuilder text = new StringBuilder("# Conformance\n\n| rule | | mutants caught |");
    matrix.backends.forEach(backend -> text.append(' ').append(backend).append(" |"));
    text.append("\n|---|---|---|").append("---|".repeat(matrix.backends.size())).append('\n');
    matrix.titles.forEach(
        (rule, title) -> {
          text.append("| %s | %s | %s |".formatted(rule, title, matrix.kills(rule)));
          Map<String, Matrix.Cell> row = matrix.cells.getOrDefault(rule, Map.of());
          for (String backend : matrix.backends) {
            Matrix.Cell cell = row.get(backend);
            text.append(' ').append(cell == null ? "" : Matrix.words(cell.verdict())).append(" |");
          }
          text.append('\n');
        });
    text.append("| | **sum** | |");
    for (String backend : matrix.backends) {
      text.append(
          " %d held, %d not promised, %d skipped, %d not judged, %d failed |"
              .formatted(
                  matrix.count(backend, Verdict.HELD),
                  matrix.count(backend, Verdict.NOT_PROMISED),
                  matrix.count(backend, Verdict.SKIPPED),
                  matrix.count(backend, Verdict.NOT_JUDGED),
                  matrix.count(backend, Verdict.FAILED)));
    }
    text.append('\n');
    if (!matrix.reasons().isEmpty()) {
      text.append("\n## Reasons\n\n");
      matrix.reasons().forEach(reason -> text.append("- ").append(reason).append('\n'));
    }
    mutants(matrix, text);
    return text.toString();
  }

  private static void mutants(Matrix matrix, StringBuilder text) {
    if (matrix.mutants().isEmpty()) {
      return;
    }
    text.append("\n## Faulty variants, and the rule that caught each\n\n");
    text.append("| rule | mutant | pitfall | changed | because |\n|---|---|---|---|---|\n");
    for (Matrix.Caught caught : matrix.mutants()) {
      text.append(
          "| %s | %s | %s | %s | %s |%n"
              .formatted(
                  caught.rule(),
                  caught.mutant(),
                  caught.pitfall(),
                  caught.where(),
                  caught.message().replace("|", "\\|")));
    }
  }
}
