/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Tells how many of the faults that PIT puts into the engine are found by the engine's own tests.
 *
 * @param found by a test that failed or did not end
 * @param all the same and the others
 */
record MutationScore(long found, long all) {

  private static final Path WRITTEN = Path.of("lock-memory", "target", "pit-reports");
  private static final Pattern MUTATION = Pattern.compile("<mutation detected='(true|false)'");

  /** Of the last run of ./mutation; empty if there was none since the build, or it was ended. */
  static Optional<MutationScore> read(Path root) throws IOException {
    Path file = root.resolve(WRITTEN).resolve("mutations.xml");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    String report = Files.readString(file);
    if (!report.contains("</mutations>")) {
      return Optional.empty();
    }
    List<String> each =
        MUTATION.matcher(report).results().map((MatchResult one) -> one.group(1)).toList();
    return Optional.of(
        new MutationScore(each.stream().filter("true"::equals).count(), each.size()));
  }

  String text() {
    return "%d of %d mutants of the engine found by its tests (%d %%)"
        .formatted(found, all, all == 0 ? 0 : found * 100 / all);
  }
}
