/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import static io.holdfast.lock.tck.report.Page.escaped;

import io.holdfast.lock.tck.Verdict;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A matrix as a page. */
final class Html {

  private static final Map<Verdict, String> SIGNS =
      Map.of(
          Verdict.HELD, "✓",
          Verdict.NOT_PROMISED, "–",
          Verdict.SKIPPED, "○",
          Verdict.NOT_JUDGED, "?",
          Verdict.FAILED, "✗");

  private final Matrix matrix;
  private final Spec spec = new Spec();
  private final List<Matrix.Reason> reasons;

  private Html(Matrix matrix) {
    this.matrix = matrix;
    this.reasons = matrix.reasons();
  }

  static String of(Matrix matrix) {
    return new Html(matrix).page();
  }

  private String page() {
    String names = String.join(", ", matrix.runs.keySet());
    Map<String, String> sections = new LinkedHashMap<>();
    sections.put("Bounds", BoundsSection.of(matrix));
    sections.put("Rules", rules());
    sections.put("Reasons", reasons());
    sections.put("Capabilities", facts(RunFile::promises));
    sections.put("Faulty variants", mutants());
    sections.put("Environment", facts(RunFile::environment));
    sections.put("Specification", specification());
    sections.values().removeIf(String::isEmpty);
    StringBuilder body = new StringBuilder("<h1>Conformance</h1>\n");
    body.append(
        "<p class=\"soft\">%s, held to the %d rules of the specification: %s.</p>\n"
            .formatted(escaped(names), matrix.titles.size(), matrix.disturbed()));
    matrix
        .scores()
        .forEach(score -> body.append("<p class=\"soft\">%s.</p>\n".formatted(score.text())));
    body.append("<nav aria-label=\"Sections\">");
    sections
        .keySet()
        .forEach(title -> body.append("<a href=\"#%s\">%s</a> ".formatted(anchor(title), title)));
    body.append("</nav>\n").append(alarm()).append(sums());
    sections.forEach(
        (title, section) ->
            body.append(
                "<section id=\"%s\"><h2>%s</h2>\n%s</section>\n"
                    .formatted(anchor(title), title, section)));
    return Page.of("Conformance of " + names, body.toString());
  }

  private static String anchor(String title) {
    return title.toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  private String alarm() {
    String failed =
        reasons.stream()
            .filter(reason -> reason.verdict() == Verdict.FAILED)
            .map(
                reason ->
                    names(reason)
                        + (reason.backends().size() == 1 ? " breaks " : " break ")
                        + links(reason.rules()))
            .collect(Collectors.joining("; "));
    return failed.isEmpty() ? "" : "<div class=\"alarm\" role=\"alert\">✗ " + failed + "</div>\n";
  }

  private String sums() {
    StringBuilder cards = new StringBuilder("<div class=\"cards\">\n");
    for (String backend : matrix.runs.keySet()) {
      StringBuilder stack = new StringBuilder();
      StringBuilder chips = new StringBuilder();
      for (Verdict verdict : Verdict.values()) {
        long count = matrix.count(backend, verdict);
        if (count > 0) {
          stack.append("<i class=\"%s\" style=\"flex:%d\"></i>".formatted(verdict, count));
          chips.append(chip(verdict, count + " " + Matrix.words(verdict)));
        }
      }
      cards.append(
          """
          <div class="card"><b>%s</b><div class="stack" aria-hidden="true">%s</div>\
          <div class="chips">%s</div></div>
          """
              .formatted(escaped(backend), stack, chips));
    }
    return cards.append("</div>\n").toString();
  }

  private static String chip(Verdict verdict, String text) {
    return "<span class=\"v %s\">%s %s</span>".formatted(verdict, SIGNS.get(verdict), text);
  }

  private String rules() {
    boolean hasMutants = !matrix.mutants().isEmpty();
    StringBuilder rows = new StringBuilder();
    String group = "";
    for (Map.Entry<String, String> rule : matrix.titles.entrySet()) {
      if (!spec.groupOf(rule.getKey()).equals(group)) {
        group = spec.groupOf(rule.getKey());
        rows.append(
            "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"2\">%s</th><td colspan=\"%d\"></td></tr>%n"
                .formatted(escaped(group), matrix.runs.size() + (hasMutants ? 1 : 0)));
      }
      rows.append(
          "<tr><td>%s</td><td class=\"wide\">%s</td>"
              .formatted(link(rule.getKey()), escaped(rule.getValue())));
      if (hasMutants) {
        rows.append("<td class=\"n\">").append(matrix.kills(rule.getKey())).append("</td>");
      }
      matrix.runs.forEach(
          (backend, run) -> rows.append("<td>").append(cell(rule.getKey(), backend, run)));
      rows.append("</tr>\n");
    }
    StringBuilder head = new StringBuilder("<th>rule</th><th></th>");
    if (hasMutants) {
      head.append("<th class=\"n\">mutants caught</th>");
    }
    matrix.runs.keySet().forEach(name -> head.append("<th>").append(escaped(name)).append("</th>"));
    return table("tall matrix", head.toString(), rows);
  }

  private String cell(String rule, String backend, RunFile run) {
    RunFile.Line line = run.rules().get(rule);
    if (line == null) {
      return "";
    }
    if (line.verdict() == Verdict.HELD) {
      return chip(Verdict.HELD, Matrix.words(Verdict.HELD));
    }
    int why = 0;
    while (!explains(reasons.get(why), rule, backend)) {
      why++;
    }
    return "<a class=\"v %s\" href=\"#why-%d\">%s %s</a>"
        .formatted(line.verdict(), why, SIGNS.get(line.verdict()), Matrix.words(line.verdict()));
  }

  private static boolean explains(Matrix.Reason reason, String rule, String backend) {
    return reason.backends().contains(backend) && reason.rules().contains(rule);
  }

  private static String names(Matrix.Reason reason) {
    return escaped(String.join(", ", reason.backends()));
  }

  private String reasons() {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < reasons.size(); i++) {
      Matrix.Reason reason = reasons.get(i);
      rows.append(
          "<tr id=\"why-%d\"><td>%s</td><td>%s</td><td class=\"why\">%s</td><td>%s</td></tr>%n"
              .formatted(
                  i,
                  chip(reason.verdict(), Matrix.words(reason.verdict())),
                  names(reason),
                  escaped(reason.text()),
                  links(reason.rules())));
    }
    return rows.isEmpty()
        ? ""
        : table("tall", "<th>verdict</th><th>backends</th><th>because</th><th>rules</th>", rows);
  }

  private String facts(Function<RunFile, Map<String, String>> of) {
    Set<String> facts = new LinkedHashSet<>();
    matrix.runs.values().forEach(run -> facts.addAll(of.apply(run).keySet()));
    StringBuilder head = new StringBuilder("<th></th>");
    matrix.runs.keySet().forEach(name -> head.append("<th>").append(escaped(name)).append("</th>"));
    StringBuilder rows = new StringBuilder();
    for (String fact : facts) {
      rows.append("<tr><th scope=\"row\">").append(escaped(fact)).append("</th>");
      matrix
          .runs
          .values()
          .forEach(
              run ->
                  rows.append("<td>")
                      .append(escaped(of.apply(run).getOrDefault(fact, "")))
                      .append("</td>"));
      rows.append("</tr>\n");
    }
    return rows.isEmpty() ? "" : table("", head.toString(), rows);
  }

  private String mutants() {
    StringBuilder rows = new StringBuilder();
    for (Matrix.Caught caught : matrix.mutants()) {
      rows.append(
          "<tr><td>%s</td><td class=\"id\" title=\"%s\">%s</td><td class=\"wide\">%s</td><td class=\"why\">%s</td></tr>%n"
              .formatted(
                  caught.isByTest() ? escaped(caught.rule()) : link(caught.rule()),
                  escaped(caught.where()),
                  escaped(caught.mutant()),
                  escaped(caught.pitfall()),
                  escaped(caught.message())));
    }
    return rows.isEmpty()
        ? ""
        : table(
            "tall",
            "<th>caught by</th><th>%d faulty variants</th><th>pitfall</th><th>because</th>"
                .formatted(matrix.mutants().size()),
            rows);
  }

  private String specification() {
    Set<String> shown = new LinkedHashSet<>(matrix.titles.keySet());
    matrix.mutants().forEach(caught -> shown.add(caught.rule()));
    StringBuilder rows = new StringBuilder();
    spec.rules()
        .forEach(
            (rule, entry) -> {
              if (shown.contains(rule)) {
                rows.append(
                    "<tr id=\"%s\"><td class=\"id\">%s</td><td class=\"why\">%s</td><td class=\"wide soft\">%s</td></tr>%n"
                        .formatted(rule, rule, marked(entry.text()), marked(entry.because())));
              }
            });
    return table("", "<th>rule</th><th>says</th><th>because</th>", rows);
  }

  /** Markdown's signs for code, and the word that makes a sentence a rule. */
  private static String marked(String text) {
    return escaped(text)
        .replaceAll("`([^`]*)`", "<code>$1</code>")
        .replaceAll("\\b(MUST(?: NOT)?)\\b", "<b>$1</b>");
  }

  private static String links(List<String> rules) {
    return rules.stream().map(Html::link).collect(Collectors.joining(" "));
  }

  private static String link(String rule) {
    return "<a class=\"id\" href=\"#%s\">%s</a>".formatted(rule, rule);
  }

  static String table(String kind, String head, StringBuilder rows) {
    return """
    <div class="scroll %s" tabindex="0"><table><thead><tr>%s</tr></thead><tbody>
    %s</tbody></table></div>
    """
        .formatted(kind, head, rows);
  }
}
