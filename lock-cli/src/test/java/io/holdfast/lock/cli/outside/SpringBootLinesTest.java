/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.outside;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The starter's own tests pass with each line of Spring Boot, built against it by a project that is
 * no part of this build. The first line is also that of the starter's build, so every build runs
 * them with that.
 */
@Tag("other-jdk")
class SpringBootLinesTest {

  static final List<String> LINES = List.of("3.5.16", "4.0.9", "4.1.2");
  private static final Path PROJECT =
      Path.of("src", "test", "outside", "spring-boot").toAbsolutePath();
  private static final Path TESTS =
      Path.of("..", "lock-spring-boot-starter", "src", "test", "java").toAbsolutePath();

  /**
   * They need the client libraries of all backends, which no line of Spring Boot chooses, or look
   * at files of the build, or at what Spring Boot 4 has in another package.
   */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "MetadataTest.java",
          "QueueConnectionsTest.java",
          "SpringPageTest.java",
          "WebSliceTest.java");

  @TempDir Path dir;

  /** On this JDK, and on the one that Maven runs on. */
  @Test
  @Timeout(1200)
  void theStarterWorksWithEachLine() throws Exception {
    String mavens = System.getenv("JAVA_HOME");
    Path own = Path.of(System.getProperty("java.home"));
    List<Path> javas = Stream.of(own, mavens == null ? own : Path.of(mavens)).distinct().toList();
    try (OutsideBuild build = new OutsideBuild(dir.resolve("build"))) {
      Process maven = build.maven("lines", write(dir.resolve("sources")), "compile");
      try {
        build.assertEnds(maven, "lines", Duration.ofMinutes(10));
      } finally {
        maven.destroyForcibly();
      }
      for (String line : LINES) {
        for (Path java : javas) {
          assertTestsPass(build, line, java);
        }
      }
    }
  }

  private static Path write(Path sources) throws IOException {
    copy(TESTS, sources.resolve("src"));
    copy(PROJECT.resolve("src"), sources.resolve("src"));
    StringBuilder modules = new StringBuilder();
    String template = Files.readString(PROJECT.resolve("module.xml"));
    for (String line : LINES) {
      modules.append("    <module>").append(line).append("</module>\n");
      Path directory = Files.createDirectories(sources.resolve(line));
      Files.writeString(
          directory.resolve("pom.xml"),
          template.replace("@module@", "spring-boot-" + line).replace("@boot@", line));
    }
    Files.writeString(
        sources.resolve("pom.xml"),
        Files.readString(PROJECT.resolve("pom.xml"))
            .replaceFirst(" *<!-- A module for each.*\n", modules.toString()));
    return sources;
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(SpringBootLinesTest::isTaken).toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  private static boolean isTaken(Path file) {
    return Files.isRegularFile(file) && !LEFT_OUT.contains(file.getFileName().toString());
  }

  private static void assertTestsPass(OutsideBuild build, String line, Path java) throws Exception {
    Path target = build.project("lines").resolve(line).resolve("target");
    String path =
        target.resolve("classes")
            + File.pathSeparator
            + Files.readString(target.resolve("class-path"));
    String log = "tests-" + line + "-" + java.getFileName();
    Process tests =
        build.start(
            log,
            target,
            List.of(
                java.resolve("bin").resolve("java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                path,
                "RunTests"));
    try {
      String output = build.assertEnds(tests, log, Duration.ofMinutes(5));
      assertTrue(
          output.matches(
              "(?s).*tests of the starter: [1-9]\\d+ succeeded, 0 did not, on Spring Boot "
                  + line.replace(".", "\\.")
                  + "\\s*"),
          () -> log + ":\n" + output);
    } finally {
      tests.destroyForcibly();
    }
  }
}
