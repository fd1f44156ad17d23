/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.tck.rules.FailureText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each failure of a rule says what was expected, what was seen, and where to look. */
class FailureMessagesTest {

  private static final Path RULES =
      Path.of("..", "lock-tck", "src", "main", "java", "io", "holdfast", "lock", "tck", "rules");

  /** Up to the first semicolon, which may be that of a lambda in the condition. */
  private static final Pattern CHECK =
      Pattern.compile(
          "(?:\\bcheck|checkInTime|new (?:AssertionError|DeadlineMissed|Overlap))\\(([^;]*);");

  /** A text in quotes that says what was expected and what was seen. */
  private static final Pattern SAID = Pattern.compile("\"expected [^;]*\\bbut\\b");

  private static final Pattern RULE = Pattern.compile("@Rule\\(");

  /** A part of a sentence, which gets its full stop later. */
  private static final Pattern HINT =
      Pattern.compile("lookAt = (?:\"[^\"]{5,70}[^.\"]\"|Rule\\.ENGINE)");

  @Test
  void everyMessageSaysWhatWasExpectedAndSeen() throws IOException {
    List<String> others = new ArrayList<>();
    int checks = 0;
    for (Path file : rules()) {
      for (String call : found(CHECK, file)) {
        checks++;
        if (call.contains("\"") && !SAID.matcher(call).find()) {
          others.add(file.getFileName() + ": " + call);
        }
      }
    }
    assertTrue(checks > 100, "checks found: " + checks);
    assertEquals(List.of(), others);
  }

  @Test
  void everyRuleSaysWhereToLook() throws IOException {
    for (Path file : rules()) {
      assertEquals(found(RULE, file).size(), found(HINT, file).size(), file::toString);
    }
  }

  @Test
  void aFailureEndsWithWhereToLook() {
    assertEquals(
        "expected 1, but found 2. Look at attempt().",
        FailureText.of(new AssertionError("expected 1, but found 2"), "attempt()"));
    assertEquals(
        "expected no exception, but IllegalStateException was thrown: No. Look at attempt().",
        FailureText.of(new IllegalStateException("No."), "attempt()"));
  }

  private static List<String> found(Pattern pattern, Path file) throws IOException {
    return pattern.matcher(Files.readString(file)).results().map(MatchResult::group).toList();
  }

  private static List<Path> rules() throws IOException {
    try (Stream<Path> files = Files.list(RULES)) {
      return files.filter(file -> file.toString().endsWith("Rules.java")).sorted().toList();
    }
  }
}
