/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.bench.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The pages show code that the tests beside this one compile and run: the blocks, and each call in
 * a table.
 */
class MigrationPagesTest {

  private static final Path HERE = Path.of("src/test/java/io/holdfast/lock/bench/migration");
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path PAGES = DOCS.resolve("migration");
  private static final Path KOTLIN = Path.of("..", "samples/kotlin/src/main/kotlin");
  private static final Pattern CALL = Pattern.compile("`([^`]+\\))`");

  @ParameterizedTest
  @CsvSource({
    "README.md, BothLocks",
    "redisson.md, RedissonExamplesTest",
    "shedlock.md, ShedLockExamplesTest",
    "spring-integration.md, SpringIntegrationExamplesTest",
    "curator.md, CuratorExamplesTest",
    "jetcd.md, JetcdExamplesTest",
    "advisory-locks.md, AdvisoryLocksExamplesTest"
  })
  void itsJavaIsThatOfTheTests(String page, String source) throws IOException {
    assertRuns(PAGES.resolve(page), HERE.resolve(source + ".java"), "java");
  }

  @Test
  void thePageAboutReactorAndKotlinToo() throws IOException {
    Path page = DOCS.resolve("reactor-and-kotlin.md");
    assertRuns(page, HERE.resolve("ReactorExamplesTest.java"), "java");
    assertRuns(page, KOTLIN.resolve("com/example/orders/Locked.kt"), "kotlin");
  }

  @Test
  void everyPageIsLinkedAndChecked() throws IOException {
    String index = Files.readString(PAGES.resolve("README.md"));
    try (Stream<Path> pages = Files.list(PAGES)) {
      Set<String> others =
          pages
              .map(page -> page.getFileName().toString())
              .filter(name -> !name.equals("README.md"))
              .collect(Collectors.toCollection(TreeSet::new));
      assertEquals(6, others.size(), others::toString);
      others.forEach(page -> assertTrue(index.contains("(" + page + ")"), page));
    }
  }

  private static void assertRuns(Path page, Path source, String language) throws IOException {
    String text = Files.readString(page);
    String tested = flat(Files.readString(source));
    List<String> blocks =
        found(Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL), text);
    assertFalse(blocks.isEmpty(), () -> page + " shows no " + language);
    for (String block : blocks) {
      assertTrue(tested.contains(flat(block)), () -> source + " does not run\n" + block);
    }
    text.lines()
        .filter(line -> line.startsWith("|"))
        .flatMap(line -> found(CALL, line).stream())
        .forEach(call -> assertTrue(tested.contains(flat(call)), () -> source + ": " + call));
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult result) -> result.group(1)).toList();
  }

  /** Without what the formatter adds where a line is long. */
  private static String flat(String code) {
    return code.replaceAll("\\s+", " ").replaceAll("(?<=\\() | (?=[.)])", "").strip();
  }
}
