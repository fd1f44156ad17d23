/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project in Kotlin compiles outside of this build, and its tests pass. */
@Tag("other-jdk")
class KotlinSampleTest {

  private static final Path SAMPLE = Path.of("..", "samples", "kotlin").toAbsolutePath();
  private static final int TESTS = 6;

  /** A daemon of Kotlin's compiler would go on for hours after the build that started it. */
  static final String NO_DAEMON = "-Dkotlin.compiler.daemon=false";

  @TempDir Path dir;

  @Test
  void itsTestsPass() throws Exception {
    try (OutsideBuild build = new OutsideBuild(dir)) {
      Process maven = build.maven("kotlin", SAMPLE, NO_DAEMON, "test");
      try {
        build.assertEnds(maven, "kotlin", Duration.ofMinutes(4));
      } finally {
        maven.destroyForcibly();
      }
      assertEquals(TESTS, passed(build.project("kotlin")));
    }
  }

  /** The tests of the only class that ran, and did pass. */
  static int passed(Path project) throws IOException {
    try (Stream<Path> reports = Files.list(project.resolve("target/surefire-reports"))) {
      List<Path> all = reports.filter(file -> file.toString().endsWith(".xml")).toList();
      assertEquals(1, all.size(), all::toString);
      return passed(Files.readString(all.get(0)));
    }
  }

  /** Those that ran, less those that did not pass. */
  private static int passed(String report) {
    int[] counts =
        Pattern.compile("(tests|errors|skipped|failures)=\"(\\d+)\"")
            .matcher(report.substring(0, report.indexOf("<properties")))
            .results()
            .map((MatchResult found) -> Integer.parseInt(found.group(2)))
            .mapToInt(Integer::intValue)
            .toArray();
    return counts[0] - counts[1] - counts[2] - counts[3];
  }
}
