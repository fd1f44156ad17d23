/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.tck.Fixture;
import io.holdfast.lock.tck.Result;
import io.holdfast.lock.tck.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The results of a run on one backend.
 *
 * @param backend the fixture's name
 * @param promises its capabilities
 * @param servers what they say of themselves
 * @param results of all rules
 */
public record Report(
    String backend, Capabilities promises, List<ServerReport> servers, List<Result> results) {

  static final String MUTANTS = "mutants.tsv";

  /** Copies the lists. */
  public Report {
    servers = List.copyOf(servers);
    results = List.copyOf(results);
  }

  /**
   * Of a run that has just ended. Asks the servers who they are, if they can be reached.
   *
   * @param fixture the backend, still open
   * @param results of the rules
   * @return to be written or printed
   */
  public static Report of(Fixture fixture, List<Result> results) {
    return new Report(fixture.name(), fixture.promises(), servers(fixture), results);
  }

  private static List<ServerReport> servers(Fixture fixture) {
    try (LockClient client = fixture.open(ClientOptions.defaults())) {
      return client.examine(fixture.timing().ttl());
    } catch (LockException e) {
      return List.of();
    }
  }

  /**
   * Writes the results where {@link MatrixMain} finds them, and pages of their own: {@code
   * BACKEND.tsv}, {@code .md} and {@code .html}.
   *
   * @param directory made if it is not there
   * @return the page to look at
   * @throws IOException if it cannot be written
   */
  public Path write(Path directory) throws IOException {
    Files.createDirectories(directory);
    RunFile run = RunFile.of(facts(promises), Environment.here(servers), results);
    Files.writeString(directory.resolve(backend + ".tsv"), run.text());
    Matrix matrix = new Matrix();
    matrix.add(backend, run);
    Files.writeString(directory.resolve(backend + ".md"), Markdown.of(matrix));
    return Files.writeString(directory.resolve(backend + ".html"), Html.of(matrix));
  }

  private static Map<String, String> facts(Capabilities promises) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("fencing tokens grow", words(promises.fencing()));
    facts.put("a lease is kept by", words(promises.lifetime()));
    facts.put("processes are served", words(promises.ordering()));
    facts.put("waiters are told by", words(promises.wakeUp()));
    facts.put("expiry is decided by", words(promises.expiryClock()));
    facts.put("scope", words(promises.scope()));
    facts.put("survives the death of", words(promises.survival()));
    facts.put("an inspector is told", words(promises.inspection()));
    facts.put("a name is kept after its lease by", words(promises.retention()));
    facts.put("several owners may have", words(promises.sharing()));
    return facts;
  }

  private static String words(Enum<?> fact) {
    return fact.name().toLowerCase(Locale.ROOT).replace('_', ' ').replace("ttl", "TTL");
  }

  /**
   * How many rules ended with a verdict.
   *
   * @param verdict which
   * @return zero or more
   */
  public int count(Verdict verdict) {
    return (int) results.stream().filter(result -> result.verdict() == verdict).count();
  }

  /**
   * The same that {@link #print} prints.
   *
   * @return the counts, the bounds, and every rule that did not hold with its reason
   */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "conformance of %s: %s; %s"
            .formatted(
                backend,
                Arrays.stream(Verdict.values())
                    .filter(verdict -> verdict != Verdict.NOT_JUDGED && count(verdict) > 0)
                    .map(verdict -> count(verdict) + " " + Matrix.words(verdict))
                    .collect(Collectors.joining(", ")),
                Matrix.disturbed(
                    results.stream().filter(result -> result.tries() > 1).count(),
                    count(Verdict.NOT_JUDGED))));
    for (Figures figures : bounds()) {
      lines.add(
          "  %-42s median %s, at most %s of %d (promised: %s)"
              .formatted(
                  figures.bound().words(),
                  Figures.text(figures.median()),
                  Figures.text(figures.most()),
                  figures.count(),
                  figures.promise()));
    }
    for (Result result : results) {
      if (result.verdict() != Verdict.HELD) {
        lines.add(
            "  %-12s %-6s %s: %s"
                .formatted(
                    result.verdict(),
                    result.rule(),
                    result.title(),
                    RunFile.oneLine(result.detail())));
      }
    }
    return lines;
  }

  /**
   * The durations of operations, as the rules measured them.
   *
   * @return one for each kind of which there is any
   */
  public List<Figures> bounds() {
    return Figures.of(results.stream().flatMap(result -> result.measured().stream()).toList());
  }

  /**
   * Prints the counts, the bounds, and every rule that did not hold with its reason.
   *
   * @param out where to
   */
  public void print(PrintStream out) {
    out.print(String.join("\n", lines()) + "\n");
    out.flush();
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
          String.join("\t", name, rule, pitfall, where, RunFile.oneLine(message)) + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
