/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.tck.Verdict;
import java.util.Map;

/** A matrix as a page that needs nothing else, for light and dark screens. */
final class Html {

  private static final String STYLE =
      """
      .HELD { background: #2a92; color: light-dark(#146c2e, #7fe0a0); }
      .NOT_PROMISED { background: #8883; }
      .SKIPPED { background: #c903; color: light-dark(#7a5200, #ffd479); }
      .NOT_JUDGED { background: #c903; color: light-dark(#7a5200, #ffd479); }
      .FAILED { background: #d224; color: light-dark(#a00, #ff9a9a); font-weight: 600; }
      .sums span { margin-right: .6rem; }
      """;

  private Html() {}

  static String of(Matrix matrix) {
    StringBuilder page = new StringBuilder("<h1>Conformance</h1>\n");
    sums(matrix, page);
    rules(matrix, page);
    if (!matrix.reasons().isEmpty()) {
      page.append("<h2>Reasons</h2><ul>\n");
      matrix
          .reasons()
          .forEach(reason -> page.append("<li>").append(Page.escaped(reason)).append('\n'));
      page.append("</ul>\n");
    }
    liars(matrix, page);
    return Page.of("Holdfast conformance", STYLE, page.toString());
  }

  private static void sums(Matrix matrix, StringBuilder page) {
    page.append("<table class=\"sums\"><tbody>\n");
    for (String backend : matrix.backends) {
      page.append("<tr><th>").append(Page.escaped(backend)).append("</th><td>");
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
    page.append("<h2>Rules</h2><table><thead><tr><th>rule</th><th></th>");
    matrix.backends.forEach(name -> page.append("<th>").append(Page.escaped(name)).append("</th>"));
    page.append("</tr></thead><tbody>\n");
    matrix.titles.forEach(
        (rule, title) -> {
          page.append(
              "<tr><td class=\"rule\">%s</td><td>%s</td>".formatted(rule, Page.escaped(title)));
          Map<String, Matrix.Cell> row = matrix.cells.getOrDefault(rule, Map.of());
          for (String backend : matrix.backends) {
            Matrix.Cell cell = row.get(backend);
            page.append("<td>");
            if (cell != null) {
              page.append(
                  "<span class=\"v %s\" title=\"%s\">%s</span>"
                      .formatted(
                          cell.verdict(),
                          Page.escaped(cell.millis() + " ms " + cell.detail()),
                          Matrix.words(cell.verdict())));
            }
            page.append("</td>");
          }
          page.append("</tr>\n");
        });
    page.append("</tbody></table>\n");
  }

  private static void liars(Matrix matrix, StringBuilder page) {
    if (matrix.liars.isEmpty()) {
      return;
    }
    page.append("<h2>Faulty backends, and the rule that caught each</h2><table><thead><tr>");
    page.append("<th>liar</th><th>pitfall</th><th>caught by</th><th>because</th></tr></thead>\n");
    for (Matrix.Caught caught : matrix.liars.values()) {
      page.append(
          "<tr><td class=\"rule\">%s</td><td>%s</td><td class=\"rule\">%s</td><td>%s</td></tr>%n"
              .formatted(
                  Page.escaped(caught.liar()),
                  Page.escaped(caught.pitfall()),
                  Page.escaped(caught.rule()),
                  Page.escaped(caught.message())));
    }
    page.append("</table>\n");
  }
}
