/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A backend that others write is held to the same rules as ours: the sample on H2 keeps all of
 * them, and each of its faulty variants breaks one, as its own build says. {@code ./verify --test
 * SampleMutantsTest} runs it alone.
 */
@Tag("other-jdk")
class SampleMutantsTest {

  private static final Path SAMPLE = Path.of("..", "samples", "lock-h2").toAbsolutePath();

  /** A rule that is not judged is a failure where it is in this build. */
  private static final String NOT_JUDGED = "holdfast.tck.not-judged";

  @TempDir Path dir;

  @Test
  @Timeout(300)
  void theSampleKeepsAllRules() throws Exception {
    build("H2LockConformanceTest", Duration.ofMinutes(4));
  }

  @Test
  @Timeout(900)
  void eachFaultyVariantOfTheSampleIsCaught() throws Exception {
    build("H2MutantsTest", Duration.ofMinutes(13));
  }

  private void build(String test, Duration limit) throws Exception {
    try (OutsideBuild build = new OutsideBuild(dir)) {
      String notJudged = "-D" + NOT_JUDGED + "=" + System.getProperty(NOT_JUDGED, "skip");
      Process maven = build.maven("lock-h2", SAMPLE, "-Dtest=" + test, notJudged, "test");
      try {
        build.assertEnds(maven, "lock-h2", limit);
      } finally {
        maven.destroyForcibly();
      }
    }
  }
}
