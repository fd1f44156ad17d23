/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.tck.Fixture;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs many seeds of a mode, one after another, and keeps what came of each, so that it can be
 * stopped and taken up again. Its arguments, as {@code name=value}: {@code test}, the class of a
 * {@link NemesisTest}; {@code mode}, its name; {@code first} and {@code seeds}, which; {@code
 * seconds}, how long; {@code directory}, where results are kept; {@code again}, whether to run also
 * what was run before. Ends with 1 if anything was wrong.
 */
public final class Soak {

  /** In the directory of a seed, when it is done: names in the first line. */
  static final String RESULT = "result.tsv";

  /** Beside it: kinds of faults, and how often each struck. */
  static final String STRIKES = "strikes.tsv";

  private final NemesisTest test;
  private final String mode;
  private final Profile profile;
  private final Path directory;
  private final boolean again;

  private Soak(Map<String, String> arguments) throws ReflectiveOperationException {
    Constructor<?> constructor =
        Class.forName(WorkerConfig.required(arguments, "test")).getDeclaredConstructor();
    constructor.setAccessible(true);
    test = (NemesisTest) constructor.newInstance();
    mode = WorkerConfig.required(arguments, "mode");
    profile =
        Profile.FULL.withLength(
            Duration.ofSeconds(Long.parseLong(WorkerConfig.required(arguments, "seconds"))));
    directory = Path.of(WorkerConfig.required(arguments, "directory")).resolve(mode);
    again = Boolean.parseBoolean(WorkerConfig.required(arguments, "again"));
  }

  /**
   * Runs it.
   *
   * @param args as above
   * @throws Exception if a run cannot be made
   */
  public static void main(String[] args) throws Exception {
    Map<String, String> arguments = WorkerConfig.parse(args);
    long first = Long.parseLong(WorkerConfig.required(arguments, "first"));
    long seeds = Long.parseLong(WorkerConfig.required(arguments, "seeds"));
    boolean good = new Soak(arguments).run(first, seeds);
    System.exit(good ? 0 : 1);
  }

  private boolean run(long first, long seeds) throws Exception {
    boolean good = true;
    for (long seed = first; seed < first + seeds; seed++) {
      Path result = directory(seed).resolve(RESULT);
      if (Files.exists(result) && !again) {
        say("seed " + seed + " was run before: " + result);
        good &= wasGood(result);
        continue;
      }
      NemesisReport report = run(seed);
      good &= report.isGood();
      System.out.print(report.summary());
      if (!report.isGood()) {
        say(
            "repeat it with: ./soak --backend %s --first-seed %d --seeds 1 --seconds %d --again"
                .formatted(mode, seed, profile.length().toSeconds()));
      }
      long left = first + seeds - 1 - seed;
      say(
          "%d of %d seeds; about %s left"
              .formatted(
                  seed - first + 1,
                  seeds,
                  words(Duration.ofSeconds(report.seconds()).multipliedBy(left))));
    }
    return good;
  }

  private Path directory(long seed) {
    return directory.resolve(Long.toString(seed));
  }

  private NemesisReport run(long seed) throws Exception {
    try (Fixture fixture = test.open()) {
      NemesisReport report = Nemesis.run(fixture, seed, profile, directory(seed));
      Files.writeString(directory(seed).resolve(STRIKES), report.faultCounts().lines());
      Map<String, String> columns = report.columns();
      Path draft = directory(seed).resolve(RESULT + ".new");
      Files.writeString(
          draft,
          Stream.of(columns.keySet(), columns.values())
              .map(words -> String.join("\t", words) + "\n")
              .collect(Collectors.joining()));
      Files.move(draft, directory(seed).resolve(RESULT));
      return report;
    }
  }

  private static boolean wasGood(Path result) throws IOException {
    String[] lines = Files.readString(result).split("\n", -1);
    Map<String, String> columns = NemesisReport.columns(lines[0], lines[1]);
    return "0".equals(columns.get("violations")) && "0".equals(columns.get("troubles"));
  }

  private void say(String words) {
    System.out.println(mode + ": " + words);
  }

  private static String words(Duration time) {
    return "%d min %02d s".formatted(time.toMinutes(), time.toSecondsPart());
  }
}
