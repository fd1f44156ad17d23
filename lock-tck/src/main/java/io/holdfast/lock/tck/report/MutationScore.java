/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Tells how many of the faults that PIT puts into classes are found by tests that need no server.
 *
 * @param of whose classes
 * @param found by a test that failed or did not end
 * @param all the same and the others
 */
record MutationScore(String of, long found, long all) {

  /** The module with the engine's tests; its classes are those of lock-api. */
  private static final String ENGINE = "lock-memory";

  private static final Path WRITTEN = Path.of("target", "pit-reports", "mutations.xml");
  private static final Pattern MUTATION = Pattern.compile("<mutation detected='(true|false)'");

  /** Of the last runs of ./mutation; without those that were ended, or are older than the build. */
  static List<MutationScore> readAll(Path root) throws IOException {
    List<MutationScore> scores = new ArrayList<>();
    for (Path module : modules(root)) {
      String report = Files.readString(module.resolve(WRITTEN));
      if (report.contains("</mutations>")) {
        scores.add(of(String.valueOf(module.getFileName()), report));
      }
    }
    return scores;
  }

  private static List<Path> modules(Path root) throws IOException {
    try (Stream<Path> directories = Files.list(root)) {
      return directories.filter(each -> Files.exists(each.resolve(WRITTEN))).sorted().toList();
    }
  }

  private static MutationScore of(String module, String report) {
    List<String> each =
        MUTATION.matcher(report).results().map((MatchResult one) -> one.group(1)).toList();
    return new MutationScore(
        module.equals(ENGINE) ? "the engine" : module,
        each.stream().filter("true"::equals).count(),
        each.size());
  }

  String text() {
    return "%d of %d mutants of %s found by its tests (%d %%)"
        .formatted(found, all, of, all == 0 ? 0 : found * 100 / all);
  }
}
