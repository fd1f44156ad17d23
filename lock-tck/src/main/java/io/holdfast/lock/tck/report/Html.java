/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.tck.Verdict;
import java.util.Map;

/** A matrix as a page that needs nothing else, for light and dark screens. */
final class Html {

  private static final String STYLE =
      """
      :root { color-scheme: light dark; --line: #8884; --soft: #8882; }
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
      h1 { font-weight: 600; } h2 { margin-top: 2.5rem; font-weight: 600; }
      table { border-collapse: collapse; width: 100%; }
      th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
      thead th { position: sticky; top: 0; background: Canvas; }
      td.rule { font-family: ui-monospace, monospace; white-space: nowrap; }
      td.group { background: var(--soft); font-weight: 600; }
      .v { border-radius: .4rem; padding: .05rem .5rem; white-space: nowrap; }
      .HELD { background: #2a92; color: light-dark(#146c2e, #7fe0a0); }
      .NOT_PROMISED { background: #8883; }
      .SKIPPED { background: #c903; color: light-dark(#7a5200, #ffd479); }
      .NOT_JUDGED { background: #c903; color: light-dark(#7a5200, #ffd479); }
      .FAILED { background: #d224; color: light-dark(#a00, #ff9a9a); font-weight: 600; }
      .sums span { margin-right: .6rem; }
      """;

  private Html() {}

  static String of(Matrix matrix) {
    StringBuilder page = new StringBuilder("<!doctype html>\n<html lang=\"en\"><head>");
    page.append("<meta charset=\"utf-8\"><title>Holdfast conformance</title>");
    page.append("<meta name=\"viewport\" content=\"width=device-width\"><style>\n");
    page.append(STYLE).append("</style></head><body><h1>Conformance</h1>\n");
    sums(matrix, page);
    rules(matrix, page);
    if (!matrix.reasons().isEmpty()) {
      page.append("<h2>Reasons</h2><ul>\n");
      matrix.reasons().forEach(reason -> page.append("<li>").append(escaped(reason)).append('\n'));
      page.append("</ul>\n");
    }
    mutants(matrix, page);
    return page.append("</body></html>\n").toString();
  }

  private static void sums(Matrix matrix, StringBuilder page) {
    page.append("<table class=\"sums\"><tbody>\n");
    for (String backend : matrix.backends) {
      page.append("<tr><th>").append(escaped(backend)).append("</th><td>");
      for (Verdict verdict : Verdict.values()) {
        page.append(
            "<span class=\"v %s\">%d %s</span>"
                .formatted(verdict, matrix.count(backend, verdict), Matrix.words(verdict)));
      }
      page.append("</td></tr>\n");
    }
    page.append("</tbody></table>\n");
  }

  private static void rules(Matrix matrix, StringBuilder page) {
    page.append("<h2>Rules</h2><table><thead><tr><th>rule</th><th></th><th>mutants caught</th>");
    matrix.backends.forEach(name -> page.append("<th>").append(escaped(name)).append("</th>"));
    page.append("</tr></thead><tbody>\n");
    matrix.titles.forEach(
        (rule, title) -> {
          page.append("<tr><td class=\"rule\">%s</td><td>%s</td>".formatted(rule, escaped(title)));
          page.append("<td>%s</td>".formatted(matrix.kills(rule)));
          Map<String, Matrix.Cell> row = matrix.cells.getOrDefault(rule, Map.of());
          for (String backend : matrix.backends) {
            Matrix.Cell cell = row.get(backend);
            page.append("<td>");
            if (cell != null) {
              page.append(
                  "<span class=\"v %s\" title=\"%s\">%s</span>"
                      .formatted(
                          cell.verdict(),
                          escaped(cell.millis() + " ms " + cell.detail()),
                          Matrix.words(cell.verdict())));
            }
            page.append("</td>");
          }
          page.append("</tr>\n");
        });
    page.append("</tbody></table>\n");
  }

  private static void mutants(Matrix matrix, StringBuilder page) {
    if (matrix.mutants().isEmpty()) {
      return;
    }
    page.append("<h2>%d faulty variants, ".formatted(matrix.mutants().size()));
    page.append("and the rule that caught each</h2><table><thead><tr><th>rule</th>");
    page.append("<th>mutant</th><th>pitfall</th><th>because</th></tr></thead><tbody>\n");
    for (Matrix.Caught caught : matrix.mutants()) {
      page.append(
          "<tr><td class=\"rule\">%s</td><td class=\"rule\" title=\"%s\">%s</td><td>%s</td><td>%s</td></tr>%n"
              .formatted(
                  escaped(caught.rule()),
                  escaped(caught.where()),
                  escaped(caught.mutant()),
                  escaped(caught.pitfall()),
                  escaped(caught.message())));
    }
    page.append("</tbody></table>\n");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
