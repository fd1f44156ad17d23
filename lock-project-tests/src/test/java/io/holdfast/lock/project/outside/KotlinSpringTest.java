/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A reactive application in Kotlin (WebFlux, R2DBC) compiles outside of this build with each line
 * of Spring Boot, and its tests pass: suspending functions, publishers and flows that are locked,
 * with reactive transactions.
 */
@Tag("other-jdk")
class KotlinSpringTest {

  private static final Path PROJECT =
      Path.of("src", "test", "outside", "kotlin-spring").toAbsolutePath();
  private static final int TESTS = 7;

  @TempDir Path dir;

  @Test
  @Timeout(1200)
  void itsTestsPassWithEachLineOfSpringBoot() throws Exception {
    try (OutsideBuild build = new OutsideBuild(dir)) {
      for (String line : SpringBootLinesTest.LINES) {
        assertPasses(build, line);
      }
    }
  }

  private static void assertPasses(OutsideBuild build, String line) throws Exception {
    String name = "kotlin-spring-" + line;
    List<String> arguments = new ArrayList<>(List.of(KotlinSampleTest.NO_DAEMON));
    arguments.add("-Dspring-boot.version=" + line);
    if (!SpringBootLinesTest.isBoot3(line)) {
      arguments.add("-Pspring-boot-4");
    }
    arguments.add("test");
    Process maven = build.maven(name, PROJECT, arguments.toArray(String[]::new));
    try {
      build.assertEnds(maven, name, Duration.ofMinutes(6));
    } finally {
      maven.destroyForcibly();
    }
    assertEquals(TESTS, KotlinSampleTest.passed(build.project(name)), name);
  }
}
