/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import static io.holdfast.lock.tck.report.Page.escaped;

import io.holdfast.lock.tck.Bound;

/** Shows how long operations took, by kind, so that backends stand next to each other. */
final class BoundsSection {

  private BoundsSection() {}

  /** Nothing if nothing was measured. */
  static String of(Matrix matrix) {
    boolean several = matrix.runs.size() > 1;
    StringBuilder rows = new StringBuilder();
    for (Bound bound : Bound.values()) {
      StringBuilder those = new StringBuilder();
      for (String backend : matrix.runs.keySet()) {
        Figures.of(matrix.measured(backend)).stream()
            .filter(figures -> figures.bound() == bound)
            .forEach(figures -> those.append(row(several ? backend : bound.words(), figures)));
      }
      if (several && !those.isEmpty()) {
        rows.append("<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"6\">")
            .append(escaped(bound.words()))
            .append("</th></tr>\n");
      }
      rows.append(those);
    }
    return rows.isEmpty()
        ? ""
        : """
        <p>As the rules measured them on the way, several side by side. What is promised may be
        exceeded by what scheduling adds on a busy machine, as far as is allowed; “none” is as quick
        as the servers are.</p>
        """
            + Html.table(
                "",
                "<th></th><th class=\"n\">promised</th><th class=\"n\">median</th>"
                    + "<th class=\"n\">most</th><th class=\"n\">times</th>"
                    + "<th>of what is promised</th>",
                rows);
  }

  private static String row(String title, Figures figures) {
    return """
    <tr><th scope="row">%s</th><td class="n">%s</td><td class="n">%s</td><td class="n">%s</td>\
    <td class="n">%d</td><td>%s</td></tr>
    """
        .formatted(
            escaped(title),
            figures.promise(),
            Figures.text(figures.median()),
            Figures.text(figures.most()),
            figures.count(),
            track(figures));
  }

  private static String track(Figures figures) {
    if (figures.promised().isEmpty()) {
      return "";
    }
    long median = figures.share(figures.median());
    long most = figures.share(figures.most());
    boolean over = figures.promised().get().compareTo(figures.most()) < 0;
    return """
    <div class="track%s" role="img" aria-label="median %d %%, most %d %%">\
    <i class="most" style="width:%d%%"></i><i style="width:%d%%"></i></div>%s\
    """
        .formatted(over ? " over" : "", median, most, most, median, over ? "exceeded" : "");
  }
}
