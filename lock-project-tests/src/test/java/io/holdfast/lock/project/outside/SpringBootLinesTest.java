/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * All tests of {@code lock-spring} and of the starter pass with each line of Spring Boot, built
 * against it by a project that is no part of this build. The first line is also that of the build
 * of these modules, so every build runs them with that.
 */
@Tag("other-jdk")
class SpringBootLinesTest {

  static final List<String> LINES = List.of("3.5.16", "4.0.9", "4.1.2");
  private static final Path PROJECT =
      Path.of("src", "test", "outside", "spring-boot").toAbsolutePath();
  private static final List<String> MODULES = List.of("lock-spring", "lock-spring-boot-starter");
  private static final Path DOCS = Path.of("..", "docs").toAbsolutePath();

  /** Names of Boot that the tests use and that differ since Boot 4. */
  private static final Map<String, String> SINCE_4 =
      Map.of(
          "org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest",
          "org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest",
          "org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails",
          "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
          "org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails",
          "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails");

  @TempDir Path dir;

  /** On this JDK, and on the one that Maven runs on. */
  @Test
  @Timeout(1200)
  void theyWorkWithEachLine() throws Exception {
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
    StringBuilder modules = new StringBuilder();
    String template = Files.readString(PROJECT.resolve("module.xml"));
    for (String line : LINES) {
      modules.append("    <module>").append(line).append("</module>\n");
      Path directory = sources.resolve(line);
      for (String module : MODULES) {
        copy(tests(module), directory.resolve("src"), line);
      }
      copy(PROJECT.resolve("src"), directory.resolve("src"), line);
      Files.writeString(
          directory.resolve("pom.xml"),
          template
              .replace("@module@", "spring-boot-" + line)
              .replace("@boot@", line)
              .replace(
                  "@slices@",
                  isBoot3(line) ? "spring-boot-test-autoconfigure" : "spring-boot-webmvc-test"));
    }
    Files.writeString(
        sources.resolve("pom.xml"),
        Files.readString(PROJECT.resolve("pom.xml"))
            .replaceFirst(" *<!-- A module for each.*\n", modules.toString()));
    return sources;
  }

  private static Path tests(String module) {
    return Path.of("..", module, "src", "test", "java").toAbsolutePath();
  }

  static boolean isBoot3(String line) {
    return line.startsWith("3.");
  }

  private static void copy(Path from, Path to, String line) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        Files.createDirectories(copy.getParent());
        Files.writeString(copy, named(Files.readString(file), line));
      }
    }
  }

  private static String named(String source, String line) {
    String named = source;
    if (!isBoot3(line)) {
      for (Map.Entry<String, String> name : SINCE_4.entrySet()) {
        named = named.replace(name.getKey(), name.getValue());
      }
    }
    return named;
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
                "-Dholdfast.docs=" + DOCS,
                "-cp",
                path,
                "RunTests"));
    try {
      String output = build.assertEnds(tests, log, Duration.ofMinutes(5));
      assertTrue(
          output.matches(
              "(?s).*tests: [1-9]\\d+ succeeded, 0 did not, on Spring Boot "
                  + line.replace(".", "\\.")
                  + "\\s*"),
          () -> log + ":\n" + output);
    } finally {
      tests.destroyForcibly();
    }
  }
}
