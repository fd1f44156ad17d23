/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import io.holdfast.lock.bench.Chart.Bar;
import io.holdfast.lock.bench.Chart.Group;
import io.holdfast.lock.bench.Entry.Kind;
import io.holdfast.lock.bench.Results.Line;
import io.holdfast.lock.bench.Results.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The results, as a page with charts.
 *
 * @param arguments what is shown, and where it is written
 * @param results of this run, and of those before it whose results are kept
 * @param runs which run what is of
 */
record ResultsPage(Arguments arguments, Results results, Runs runs) {

  /** The figures of a section that are drawn. */
  private static final Map<String, String> CHARTED =
      Map.of(
          "A",
          UncontendedSection.MEDIAN,
          "B",
          ThroughputSection.PLATFORM + ThroughputSection.RATE,
          "C",
          HandOverSection.ONE_PROCESS + HandOverSection.RATE,
          "E",
          StartSection.OPEN,
          "H",
          SharingSection.READERS + SharingSection.RATE,
          "I",
          SharingSection.PERMITS + SharingSection.RATE);

  private static final Set<String> COMPARED = Set.of("A", "B");

  void write() throws IOException {
    StringBuilder page = new StringBuilder("# Performance\n\n");
    head(page);
    goals(page);
    for (Section section : arguments.sections()) {
      if (!section.hasOwnPage()) {
        section(page, section);
      }
    }
    settings(page);
    Files.writeString(arguments.out().resolve("README.md"), page);
  }

  private void head(StringBuilder page) {
    page.append(
        """
        Measured by `./bench`. In each round everybody has a turn; the order is drawn, and each goes
        first as often as any other. Servers and clients share the machine; the servers listen on
        loopback and do not wait for the disk. Figures are the median of the rounds, and in brackets
        the least and the most; ratios are those of the same round. A goal is met or not by the
        median; "within noise" says that a round by itself would say the opposite. Of one round no
        noise is known. All lines are in [results.tsv](results.tsv). Servers: %s.

        Each section of a backend is of one run:

        """
            .formatted(runs.servers()));
    int number = 0;
    for (Run run : runs.all()) {
      number++;
      page.append(
          "%d. %s: %s; on %s. Libraries: %s.\n"
              .formatted(number, run.shortText(), run.terms(), run.machine(), run.libraries()));
    }
    page.append("\n");
  }

  /** Which of its tables are of which run. */
  private void runsOf(StringBuilder page, Section section) {
    List<String> unknown = new ArrayList<>(arguments.backends());
    unknown.removeIf(backend -> figures(section, backend).isEmpty());
    List<String> said = new ArrayList<>();
    runs.of(section.name())
        .forEach(
            (run, backends) -> {
              unknown.removeAll(backends);
              int number = runs.all().indexOf(run) + 1;
              said.add(
                  "%s: run %d (%s)"
                      .formatted(String.join(", ", backends), number, run.shortText()));
            });
    if (!unknown.isEmpty()) {
      said.add("%s: an earlier run".formatted(String.join(", ", unknown)));
    }
    if (!said.isEmpty()) {
      page.append("\n").append(String.join("; ", said)).append(".\n");
    }
  }

  private void goals(StringBuilder page) {
    page.append("## Goals\n\n| | | goal | measured | |\n|---|---|---|---|---|\n");
    for (Goals.Goal goal : Goals.all()) {
      page.append(
          "| %s | %s | %s %s | %s | %s |\n"
              .formatted(
                  goal.section(),
                  goal.text(),
                  goal.atMost() ? "≤" : "≥",
                  NumberText.text(goal.bound()),
                  goal.value().apply(results).map(NumberText::text).orElse(""),
                  goal.verdict(results)));
    }
    page.append("\nWhat keeps us from those that are not met is in [not-met.md](not-met.md).\n");
  }

  private void section(StringBuilder page, Section section) throws IOException {
    page.append("\n## ").append(section.name()).append(". ").append(section.title()).append("\n");
    runsOf(page, section);
    chart(page, section);
    for (String backend : arguments.backends()) {
      List<Entry> entries = arguments.entries(section, backend);
      if (!entries.isEmpty() && !figures(section, backend).isEmpty()) {
        table(page, section, backend, entries);
      }
    }
  }

  private List<String> figures(Section section, String backend) {
    return results.lines().stream()
        .filter(line -> line.section().equals(section.name()) && line.backend().equals(backend))
        .map(Line::figure)
        .distinct()
        .sorted()
        .toList();
  }

  private void table(StringBuilder page, Section section, String backend, List<Entry> entries) {
    page.append("\n| ").append(backend);
    entries.forEach(entry -> page.append(" | ").append(entry.name()));
    page.append(" |\n|---").append("|--:".repeat(entries.size())).append("|\n");
    Optional<Entry> limit =
        entries.stream().filter(entry -> entry.kind() == Kind.LIMIT).findFirst();
    for (String figure : figures(section, backend)) {
      if (limit.isPresent()) {
        page.append("| ").append(figure).append(", × the limit");
        for (Entry entry : entries) {
          page.append(" | ").append(ratio(section, entry, limit.get(), figure));
        }
        page.append(" |\n");
      }
      page.append("| ").append(figure);
      for (Entry entry : entries) {
        page.append(" | ")
            .append(
                results
                    .spread(section.name(), backend, entry.name(), figure)
                    .map(NumberText::text)
                    .orElse(""));
      }
      page.append(" |\n");
    }
  }

  private String ratio(Section section, Entry entry, Entry limit, String figure) {
    return results
        .ratio(section.name(), entry.backend(), entry.name(), limit.name(), figure)
        .map(NumberText::text)
        .orElse("");
  }

  private void chart(StringBuilder page, Section section) throws IOException {
    Chart chart = chartOf(section);
    for (String backend : arguments.backends()) {
      List<Bar> bars =
          arguments.entries(section, backend).stream()
              .flatMap(entry -> bar(section, entry).stream())
              .toList();
      chart.add(new Group(backend, bars));
    }
    if (!chart.isEmpty()) {
      String name = section.name().toLowerCase(Locale.ROOT) + ".svg";
      Files.writeString(arguments.out().resolve(name), chart.svg());
      page.append("\n![%s](%s)\n".formatted(section.title(), name));
    }
  }

  private static Chart chartOf(Section section) {
    return switch (section.name()) {
      case "A" -> new Chart(section.title(), "time, × the bare commands; shorter is better", false);
      case "B" ->
          new Chart(section.title(), "64 threads, × the bare commands; longer is better", false);
      default ->
          new Chart(
              section.title(), CHARTED.getOrDefault(section.name(), "") + " (logarithmic)", true);
    };
  }

  /** In comparison where there is a limit. */
  private Optional<Bar> bar(Section section, Entry entry) {
    String figure = CHARTED.get(section.name());
    if (figure == null) {
      return Optional.empty();
    }
    Optional<Entry> limit =
        arguments.entries(section, entry.backend()).stream()
            .filter(other -> other.kind() == Kind.LIMIT)
            .filter(other -> COMPARED.contains(section.name()))
            .findFirst();
    Optional<Spread> spread =
        limit.isPresent()
            ? results.ratio(
                section.name(), entry.backend(), entry.name(), limit.get().name(), figure)
            : results.spread(section.name(), entry.backend(), entry.name(), figure);
    return spread.map(found -> new Bar(entry.name(), entry.kind(), found));
  }

  private void settings(StringBuilder page) {
    page.append("\n## Settings\n\n| | | |\n|---|---|---|\n");
    for (String backend : arguments.backends()) {
      for (Entry entry : Contestants.all(backend)) {
        if (arguments.kinds().contains(entry.kind())) {
          page.append("| %s | %s | %s |\n".formatted(backend, entry.name(), entry.settings()));
        }
      }
    }
  }
}
