/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.tck.Result;
import io.holdfast.lock.tck.Verdict;
import io.holdfast.lock.tck.mutants.Mutant;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a run found on one backend.
 *
 * @param backend the fixture's name
 * @param promises its capabilities, in words
 * @param results of all rules
 */
public record Report(String backend, String promises, List<Result> results) {

  static final String MUTANTS = "mutants.tsv";

  /**
   * Writes the results where {@link MatrixMain} finds them, and a page of their own.
   *
   * @param directory made if it is not there
   * @throws IOException if it cannot be written
   */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    StringBuilder lines = new StringBuilder();
    for (Result result : results) {
      lines.append(
          String.join(
              "\t",
              result.rule(),
              result.title(),
              result.verdict().name(),
              String.valueOf(result.took().toMillis()),
              oneLine(result.detail())));
      lines.append('\n');
    }
    Files.writeString(directory.resolve(backend + ".tsv"), lines);
    Matrix matrix = new Matrix();
    matrix.add(backend, lines.toString().lines().toList());
    Files.writeString(directory.resolve(backend + ".md"), Markdown.of(matrix));
    Files.writeString(directory.resolve(backend + ".html"), Html.of(matrix));
  }

  /**
   * Prints the counts, and every rule that did not hold with its reason.
   *
   * @param out where to
   */
  public void print(PrintStream out) {
    Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    results.forEach(result -> counts.merge(result.verdict(), 1, Integer::sum));
    StringBuilder text = new StringBuilder();
    text.append("conformance of %s: %s%n".formatted(backend, counts));
    for (Result result : results) {
      if (result.verdict() != Verdict.HELD) {
        text.append(
            "  %-12s %-6s %s: %s%n"
                .formatted(
                    result.verdict(), result.rule(), result.title(), oneLine(result.detail())));
      }
    }
    out.print(text);
    out.flush();
  }

  /**
   * Notes a faulty variant that was caught.
   *
   * @param directory made if it is not there
   * @param mutant which
   * @param message what the kit said
   */
  public static void addMutant(Path directory, Mutant mutant, String message) {
    addMutant(directory, mutant.name(), mutant.rule(), mutant.pitfall(), mutant.where(), message);
  }

  /**
   * Notes a faulty variant that was caught.
   *
   * @param directory made if it is not there
   * @param name its name
   * @param rule the rule that caught it
   * @param pitfall what is wrong with it
   * @param where what is changed
   * @param message what the kit said
   */
  public static void addMutant(
      Path directory, String name, String rule, String pitfall, String where, String message) {
    try {
      Files.createDirectories(directory);
      Files.writeString(
          directory.resolve(MUTANTS),
          String.join("\t", name, rule, pitfall, where, oneLine(message)) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String oneLine(String text) {
    String line = text.replaceAll("[\\s\\p{Cntrl}]+", " ");
    return line.length() > 300 ? line.substring(0, 300) + "…" : line;
  }
}
