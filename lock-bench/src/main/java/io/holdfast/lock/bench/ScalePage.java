/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The page about scale. It is written by hand, but for what is between its marks; it lies beside
 * the directory of the results and has its name: {@code scale.md} and {@code scale/}.
 *
 * @param directory of the results and the pictures
 * @param results of the run
 */
record ScalePage(Path directory, Results results) {

  static final String MEASURED = "measured";
  static final String FIGURES = "figures";
  private static final String EMPTY = "# Scale\n\n%s\n\n## Figures\n\n%s\n";

  /**
   * Writes the page and its pictures.
   *
   * @param runs in which it was measured
   */
  void write(Runs runs) throws IOException {
    for (ScaleFigures figures : ScaleTables.figures(results)) {
      Files.writeString(directory.resolve(picture(figures)), ScaleChart.svg(figures));
    }
    Path file = file();
    String page =
        Files.exists(file)
            ? Files.readString(file)
            : EMPTY.formatted(marked(MEASURED, ""), marked(FIGURES, ""));
    page = replaced(page, MEASURED, environment(runs));
    Files.writeString(file, replaced(page, FIGURES, tables()));
  }

  /** Where the page is. */
  Path file() {
    Path all = directory.toAbsolutePath().normalize();
    return all.resolveSibling(all.getFileName() + ".md");
  }

  /** The text between the marks of the figures. */
  String tables() {
    return ScaleTables.of(results, directory.toAbsolutePath().normalize().getFileName().toString());
  }

  static String picture(ScaleFigures figures) {
    return figures.backend() + ".svg";
  }

  /** The text between two marks of a page. */
  static String between(String page, String name) {
    int from = page.indexOf(begin(name));
    int to = page.indexOf(end(name));
    if (from < 0 || to < from) {
      throw new IllegalStateException(
          "The page has no " + begin(name) + " with an " + end(name) + " after it");
    }
    return page.substring(from + begin(name).length(), to);
  }

  private static String replaced(String page, String name, String text) {
    return page.replace(begin(name) + between(page, name) + end(name), marked(name, text));
  }

  private static String marked(String name, String text) {
    return begin(name) + text + end(name);
  }

  private static String begin(String name) {
    return "<!-- " + name + " by ./bench J -->\n";
  }

  private static String end(String name) {
    return "<!-- end of " + name + " -->";
  }

  private static String environment(Runs runs) {
    StringBuilder text = new StringBuilder();
    runs.of(ScaleSection.NAME)
        .forEach(
            (run, backends) ->
                text.append(
                    "Measured by `./bench J` (%s; %s), on %s. Libraries: %s.\n"
                        .formatted(
                            String.join(", ", backends),
                            run.shortText(),
                            run.machine(),
                            run.libraries())));
    return text.append("Servers: ").append(runs.servers()).append(".\n").toString();
  }
}
