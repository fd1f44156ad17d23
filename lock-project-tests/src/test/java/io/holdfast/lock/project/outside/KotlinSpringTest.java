/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A reactive application in Kotlin (WebFlux, R2DBC) compiles outside of this build, and its tests
 * pass: suspending functions, publishers and flows that are locked, with reactive transactions.
 */
@Tag("other-jdk")
class KotlinSpringTest {

  private static final Path PROJECT =
      Path.of("src", "test", "outside", "kotlin-spring").toAbsolutePath();
  private static final int TESTS = 5;

  @TempDir Path dir;

  @Test
  @Timeout(600)
  void itsTestsPass() throws Exception {
    try (OutsideBuild build = new OutsideBuild(dir)) {
      Process maven = build.maven("kotlin-spring", PROJECT, KotlinSampleTest.NO_DAEMON, "test");
      try {
        build.assertEnds(maven, "kotlin-spring", Duration.ofMinutes(9));
      } finally {
        maven.destroyForcibly();
      }
      assertEquals(TESTS, KotlinSampleTest.passed(build.project("kotlin-spring")));
    }
  }
}
