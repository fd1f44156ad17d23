/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shop of Spring Boot compiles outside of this build, and its tests pass: two instances on real
 * servers. Nothing in it is about locks but annotations and properties.
 */
class OrdersSampleTest {

  private static final Path SAMPLE =
      Path.of("..", "samples", "spring-boot-orders").toAbsolutePath();
  private static final int QUICK_TESTS = 10;
  private static final Pattern IMPORT =
      Pattern.compile("import (?:static )?(io\\.holdfast\\.\\S+);");

  /** Annotations, and the types of what those give to methods or ask them for. */
  private static final List<String> NO_GLUE =
      List.of(
          "io.holdfast.lock.Lease",
          "io.holdfast.lock.spring.FencingToken",
          "io.holdfast.lock.spring.Locked",
          "io.holdfast.lock.spring.Locked.Busy",
          "io.holdfast.lock.spring.Locked.Mode",
          "io.holdfast.lock.spring.boot.Leads",
          "io.holdfast.lock.worker.StopReason",
          "io.holdfast.lock.worker.Work");

  @TempDir Path dir;

  @Test
  void itHasNoGlue() throws Exception {
    try (Stream<Path> files = Files.walk(SAMPLE.resolve("src/main"))) {
      List<String> all = new ArrayList<>();
      for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
        IMPORT
            .matcher(Files.readString(file))
            .results()
            .map(found -> found.group(1))
            .forEach(all::add);
      }
      assertEquals(NO_GLUE, all.stream().distinct().sorted().toList());
    }
  }

  /** Without what kills and suspends. */
  @Test
  void itsTestsPass() throws Exception {
    try (OutsideBuild build = new OutsideBuild(dir)) {
      assertPasses(build, "3.5.16", QUICK_TESTS, "-DexcludedGroups=faults");
    }
  }

  @Test
  @Tag("other-jdk")
  @Timeout(1200)
  void allItsTestsPassWithEachLineOfSpringBoot() throws Exception {
    try (OutsideBuild build = new OutsideBuild(dir)) {
      for (String line : SpringBootLinesTest.LINES) {
        assertPasses(build, line, QUICK_TESTS + 1);
      }
    }
  }

  private static void assertPasses(OutsideBuild build, String line, int tests, String... more)
      throws Exception {
    String name = "orders-" + line;
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add("-Dspring-boot.version=" + line);
    arguments.add("test");
    Process maven = build.maven(name, SAMPLE, arguments.toArray(String[]::new));
    try {
      build.assertEnds(maven, name, Duration.ofMinutes(6));
    } finally {
      maven.destroyForcibly();
    }
    try (Stream<Path> reports =
        Files.list(build.project(name).resolve("target/surefire-reports"))) {
      List<Path> all = reports.filter(file -> file.toString().endsWith(".xml")).toList();
      assertEquals(1, all.size(), all::toString);
      String report = Files.readString(all.get(0));
      assertEquals(tests, number(report, "tests"), report);
      assertEquals(0, number(report, "failures") + number(report, "errors"), report);
      // The page is not looked at where there is no browser.
      assertTrue(number(report, "skipped") <= 1, report);
    }
  }

  private static int number(String report, String what) {
    return Pattern.compile(what + "=\"(\\d+)\"")
        .matcher(report)
        .results()
        .map((MatchResult found) -> Integer.parseInt(found.group(1)))
        .findFirst()
        .orElseThrow();
  }
}
