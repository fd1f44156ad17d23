/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page shows the samples' own files, which {@link OutsideProjectTest} builds and runs. */
class AddingABackendPageTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Path SAMPLES = ROOT.resolve("samples");
  private static final Pattern BLOCK = Pattern.compile("(?s)```(java|xml)\n(.*?)```");

  @Test
  void everyPieceOfCodeIsInASample() throws IOException {
    List<String> files;
    try (Stream<Path> all = Files.walk(SAMPLES)) {
      files =
          all.filter(file -> file.toString().matches(".*(\\.java|pom\\.xml)"))
              .filter(file -> !SAMPLES.relativize(file).subpath(1, 2).startsWith("target"))
              .map(AddingABackendPageTest::read)
              .toList();
    }
    String page = read(ROOT.resolve("docs").resolve("adding-a-backend.md"));
    List<String> blocks = BLOCK.matcher(page).results().map(found -> found.group(2)).toList();
    assertTrue(blocks.size() > 5, "blocks: " + blocks.size());
    for (String block : blocks) {
      assertTrue(
          files.stream().anyMatch(file -> file.contains(block)), () -> "not there:\n" + block);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock-file", "lock-h2"})
  void aSampleHasTheVersionsOfThisBuild(String name) throws IOException {
    String sample = read(SAMPLES.resolve(name).resolve("pom.xml"));
    String root = read(ROOT.resolve("pom.xml"));
    assertEquals(
        first("<artifactId>holdfast</artifactId>\\s*<version>(.*?)<", root),
        first("<holdfast.version>(.*?)<", sample));
    for (String plugin : List.of("resources", "compiler", "surefire")) {
      String version = "<artifactId>maven-" + plugin + "-plugin</artifactId>\\s*<version>(.*?)<";
      assertEquals(first(version, root), first(version, sample), plugin);
    }
  }

  private static Optional<String> first(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
