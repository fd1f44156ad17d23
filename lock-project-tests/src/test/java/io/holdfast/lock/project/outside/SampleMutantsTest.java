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
 * A backend that others write is held to the same rules as ours: each of the faulty variants of the
 * sample on H2 breaks one, and its own build says so. {@code ./verify --test SampleMutantsTest}
 * runs it alone.
 */
@Tag("other-jdk")
class SampleMutantsTest {

  private static final Path SAMPLE = Path.of("..", "samples", "lock-h2").toAbsolutePath();

  @TempDir Path dir;

  @Test
  @Timeout(900)
  void eachFaultyVariantOfTheSampleIsCaught() throws Exception {
    try (OutsideBuild build = new OutsideBuild(dir)) {
      Process maven = build.maven("lock-h2", SAMPLE, "-Dtest=H2MutantsTest", "test");
      try {
        build.assertEnds(maven, "lock-h2", Duration.ofMinutes(13));
      } finally {
        maven.destroyForcibly();
      }
    }
  }
}
