/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.tck.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Puts the results of all modules together. */
public final class MatrixMain {

  private MatrixMain() {}

  /**
   * Reads what the tests of the modules have written, prints the matrix, and writes {@code
   * target/conformance/index.md} and {@code index.html}.
   *
   * @param args the root of the repository
   * @throws IOException if it cannot be read or written
   */
  public static void main(String[] args) throws IOException {
    Path root = Path.of(args.length > 0 ? args[0] : ".");
    Matrix matrix = new Matrix();
    for (Path file : results(root)) {
      List<String> lines = Files.readAllLines(file);
      String name = String.valueOf(file.getFileName());
      if (name.equals(Report.MUTANTS)) {
        matrix.addMutants(lines);
      } else {
        matrix.add(name.substring(0, name.length() - ".tsv".length()), RunFile.parse(lines));
      }
    }
    matrix.setScores(MutationScore.readAll(root));
    Path target = Files.createDirectories(root.resolve("target").resolve("conformance"));
    Files.writeString(target.resolve("index.md"), Markdown.of(matrix));
    Files.writeString(target.resolve("index.html"), Html.of(matrix));
    print(matrix);
    System.out.println("The whole report: " + target.resolve("index.html"));
  }

  private static List<Path> results(Path root) throws IOException {
    try (Stream<Path> files = Files.find(root, 4, (path, attributes) -> isResult(path))) {
      return files.sorted().toList();
    }
  }

  private static boolean isResult(Path path) {
    return path.toString().endsWith(".tsv")
        && path.getParent() != null
        && path.getParent().endsWith(Path.of("target", "conformance"));
  }

  private static void print(Matrix matrix) {
    StringBuilder text = new StringBuilder("%n%s%n%n%-7s".formatted(matrix.disturbed(), "rule"));
    matrix.runs.keySet().forEach(backend -> text.append(" %-13s".formatted(backend)));
    text.append('\n');
    for (String rule : matrix.titles.keySet()) {
      text.append("%-7s".formatted(rule));
      for (RunFile run : matrix.runs.values()) {
        RunFile.Line line = run.rules().get(rule);
        text.append(" %-13s".formatted(line == null ? "" : Matrix.words(line.verdict())));
      }
      text.append(' ').append(matrix.titles.get(rule)).append('\n');
    }
    for (String backend : matrix.runs.keySet()) {
      text.append("%n%s:".formatted(backend));
      for (Verdict verdict : Verdict.values()) {
        text.append(" %d %s".formatted(matrix.count(backend, verdict), Matrix.words(verdict)));
      }
    }
    text.append(
        "%n%d faulty variants caught, by %d of %d rules%n"
            .formatted(matrix.mutants().size(), matrix.killers(), matrix.titles.size()));
    matrix.scores().forEach(score -> text.append(score.text()).append('\n'));
    System.out.print(text);
  }
}
