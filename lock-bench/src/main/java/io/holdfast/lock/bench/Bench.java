/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures, and writes what it found: {@code results.tsv} while it runs, and pages with their
 * charts after each backend.
 *
 * <p>Arguments: sections, such as {@code A,C}, all if there are none; backends, in the same way;
 * and {@code --seed=}, {@code --rounds=}, {@code --slice=}, {@code --warm-up=}, {@code --held=},
 * {@code --leases=}, {@code --kinds=ours,limit,peer}, {@code --out=}, {@code --smoke}, and {@code
 * --keep}: what is there of other sections and backends stays on the page.
 */
final class Bench {

  static final String RESULTS = "results.tsv";
  static final List<Section> SECTIONS =
      List.of(
          new UncontendedSection(),
          new ThroughputSection(),
          new HandOverSection(),
          new HeldSection(),
          new StartSection(),
          new EngineSection(),
          new MultiLockSection(),
          SharingSection.readWriteLocks(),
          SharingSection.semaphores(),
          new ScaleSection());

  private Bench() {}

  public static void main(String[] arguments) throws Exception {
    int code = 0;
    try {
      run(Arguments.parse(arguments), System.out);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      code = 2;
    } catch (IllegalStateException e) {
      e.printStackTrace();
      code = 1;
    }
    // Some of the others leave threads behind.
    System.exit(code);
  }

  static Results run(Arguments arguments, PrintStream out) throws Exception {
    out.println(
        "About %d minutes, seed %d"
            .formatted(minutes(estimate(arguments)), arguments.plan().seed()));
    Files.createDirectories(arguments.out());
    Path file = arguments.out().resolve(RESULTS);
    List<Results.Line> kept = kept(arguments, file);
    Runs runs = arguments.keep() ? Runs.read(arguments.out()) : new Runs(arguments.out());
    Run run = Run.begin(arguments.plan());
    try (PrintWriter tsv = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      Results results =
          new Results(
              line -> {
                tsv.println(line.tsv());
                tsv.flush();
              });
      kept.forEach(results::add);
      List<Exception> failures = new ArrayList<>();
      for (String backend : arguments.backends()) {
        for (Section section : arguments.sections()) {
          try {
            measure(arguments, section, backend, results, runs, run, out);
          } catch (InterruptedException e) {
            throw e;
          } catch (Exception e) {
            // Keep the other results, which may have taken an hour.
            out.println("FAILED: " + e);
            failures.add(new IllegalStateException(section.name() + " " + backend, e));
          }
        }
        writePages(arguments, results, runs);
      }
      out.println("Written to " + arguments.out());
      if (!failures.isEmpty()) {
        IllegalStateException failed =
            new IllegalStateException("Not all could be measured: " + failures);
        failures.forEach(failed::addSuppressed);
        throw failed;
      }
      return results;
    }
  }

  /** Those for which there is something. */
  private static void writePages(Arguments arguments, Results results, Runs runs)
      throws IOException {
    List<String> onOtherPages =
        SECTIONS.stream().filter(Section::hasOwnPage).map(Section::name).toList();
    if (results.lines().stream().anyMatch(line -> onOtherPages.contains(line.section()))) {
      new ScalePage(arguments.out(), results).write(runs);
    }
    if (arguments.sections().stream().anyMatch(section -> !section.hasOwnPage())) {
      new ResultsPage(arguments.ofPage(), results, runs).write();
    }
  }

  /** Each section has servers of its own, which no other has filled. */
  private static void measure(
      Arguments arguments,
      Section section,
      String backend,
      Results results,
      Runs runs,
      Run run,
      PrintStream out)
      throws Exception {
    List<Entry> entries = arguments.entries(section, backend);
    if (entries.isEmpty()) {
      return;
    }
    out.println(section.name() + " " + backend);
    try (BenchServers benchServers = BenchServers.open(backend)) {
      runs.begin(section.name(), backend, describe(benchServers), run);
      section.measure(arguments.plan(), entries, benchServers, results);
    }
  }

  private static String describe(BenchServers benchServers) {
    return benchServers.servers().stream()
        .map(server -> server.describe().split(",", 2)[0])
        .findFirst()
        .orElse("");
  }

  private static List<Results.Line> kept(Arguments arguments, Path file) throws IOException {
    if (!arguments.keep() || !Files.exists(file)) {
      return List.of();
    }
    return Files.readAllLines(file).stream()
        .map(Results.Line::parse)
        .filter(line -> !arguments.measures(line))
        .toList();
  }

  private static Duration estimate(Arguments arguments) {
    Duration sum = Duration.ZERO;
    for (String backend : arguments.backends()) {
      for (Section section : arguments.sections()) {
        List<Entry> entries = arguments.entries(section, backend);
        sum = sum.plus(section.estimate(arguments.plan(), entries));
      }
    }
    return sum;
  }

  private static long minutes(Duration time) {
    return (time.toSeconds() + 59) / 60;
  }
}
