/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.fencing;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.guard.SqlGuard;
import io.holdfast.lock.testsupport.PageExamples;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about fencing shows code that is compiled and run by the tests beside this one. */
class FencingPageTest {

  private static final Path HERE = Path.of("src/test/java/io/holdfast/lock/project/fencing");

  private static final Predicate<String> IMPORTS = block -> block.startsWith("import ");
  private static final Set<String> IN_JAVA_LANG = Set.of("String", "IllegalArgumentException");

  static String page() throws IOException {
    return Files.readString(Path.of("..", "docs", "fencing.md"));
  }

  private static List<String> blocks(String language) throws IOException {
    return PageExamples.blocks(PageExamples.page("fencing.md"), language);
  }

  @Test
  void itsJavaIsThatOfTheTests() throws IOException {
    String sources =
        flat(
            Files.readString(HERE.resolve("FencingWriter.java"))
                + Files.readString(HERE.resolve("FencingExamplesTest.java")));
    assertFalse(blocks("java").isEmpty());
    for (String block : examples()) {
      assertTrue(sources.contains(flat(block)), () -> "no test runs\n" + block);
    }
  }

  @Test
  void itsImportsAreThoseOfTheTestsAndAllThatTheExamplesNeed() throws IOException {
    String imports = blocks("java").stream().filter(IMPORTS).findFirst().orElseThrow();
    String sources =
        Files.readString(HERE.resolve("FencingWriter.java"))
            + Files.readString(HERE.resolve("FencingExamplesTest.java"));
    imports.lines().forEach(line -> assertTrue(sources.contains(line + "\n"), line));
    for (String block : examples()) {
      Pattern.compile("(?<![.\\w])[A-Z]\\w*[a-z]\\w*")
          .matcher(block.replaceAll("\"[^\"]*\"", ""))
          .results()
          .map(MatchResult::group)
          .filter(name -> !IN_JAVA_LANG.contains(name))
          .forEach(name -> assertTrue(imports.contains("." + name + ";"), name));
    }
  }

  private static List<String> examples() throws IOException {
    return blocks("java").stream().filter(IMPORTS.negate()).toList();
  }

  @Test
  void itsTableIsTheOneOfTheGuard() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(SqlGuard.class.getResourceAsStream("holdfast_fence.sql"))) {
      String ddl = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      String statement = ddl.substring(ddl.indexOf("CREATE"));
      assertTrue(blocks("sql").contains(statement), statement);
    }
  }

  private static String flat(String code) {
    return code.replaceAll("\\s+", " ").strip();
  }
}
