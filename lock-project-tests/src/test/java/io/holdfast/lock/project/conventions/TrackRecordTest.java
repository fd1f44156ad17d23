/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.conventions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.tck.Conformance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of known bugs names rules and tests that there are, and commands that can be run. */
class TrackRecordTest {

  private static final Path ROOT = Path.of("..");
  private static final int FEWEST = 40;
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]+\\]\\(https://[^)]+\\)");
  private static final Pattern RULE = Pattern.compile("\\b[A-Z]{2}-\\d+\\b");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)(?:#(\\w+))?`");

  /** A row of the page. */
  private record Bug(String link, String story, String heldBy, String commands) {

    static Bug of(String line) {
      String[] cells = line.substring(1).split("\\|", -1);
      assertEquals(5, cells.length, line);
      return new Bug(cells[0].strip(), cells[1].strip(), cells[2].strip(), cells[3].strip());
    }
  }

  private static List<Bug> bugs() throws IOException {
    try (Stream<String> lines = Files.lines(ROOT.resolve("docs/track-record.md"))) {
      return lines.filter(line -> line.startsWith("| [")).map(Bug::of).toList();
    }
  }

  @Test
  void eachBugIsHeldByRulesOrTestsThatThereAre() throws IOException {
    List<String> rules = Conformance.rules();
    assertTrue(bugs().size() >= FEWEST, "only " + bugs().size());
    for (Bug bug : bugs()) {
      assertTrue(LINK.matcher(bug.link).matches() && !bug.story.isEmpty(), bug::toString);
      List<String> named = all(RULE, bug.heldBy).map(MatchResult::group).toList();
      assertTrue(rules.containsAll(named), bug::toString);
      assertFalse(named.isEmpty() && !TEST.matcher(bug.heldBy).find(), bug::toString);
    }
    assertEquals(bugs().size(), bugs().stream().map(Bug::link).distinct().count(), "told twice");
  }

  @Test
  void eachTestThatIsNamedIsThere() throws IOException {
    all(TEST, Files.readString(ROOT.resolve("docs/track-record.md")))
        .forEach(test -> assertThere(test.group(1), test.group(2)));
  }

  @Test
  void eachCommandRunsWhatIsNamed() throws IOException {
    String modes = Files.readString(ROOT.resolve(".ci/lib.sh"));
    for (Bug bug : bugs()) {
      String expected = commands(bug, modes);
      assertEquals(expected, bug.commands.replaceAll("--backend [a-z-]+", "--backend B"));
    }
  }

  private static String commands(Bug bug, String modes) {
    List<String> rules = all(RULE, bug.heldBy).map(MatchResult::group).toList();
    Stream<String> tests =
        all(TEST, bug.heldBy).map(test -> "`./verify --test " + test.group().substring(1));
    all(Pattern.compile("--backend ([a-z-]+)"), bug.commands)
        .forEach(
            backend ->
                assertTrue(
                    Pattern.compile("^(modes=')?" + backend.group(1) + " lock-", Pattern.MULTILINE)
                        .matcher(modes)
                        .find(),
                    backend.group()));
    Stream<String> rule =
        rules.isEmpty()
            ? Stream.empty()
            : Stream.of("`./verify --rule " + String.join(",", rules) + " --backend B`");
    return String.join("<br>", Stream.concat(rule, tests).toList());
  }

  private static Stream<MatchResult> all(Pattern pattern, String text) {
    return pattern.matcher(text).results();
  }

  private static void assertThere(String test, String method) {
    try (Stream<Path> files = Files.walk(ROOT, 12)) {
      List<Path> found =
          files
              .filter(file -> file.endsWith(test + ".java") && file.toString().contains("src/test"))
              .toList();
      assertFalse(found.isEmpty(), "there is no " + test);
      assertTrue(
          method == null || found.stream().anyMatch(file -> has(file, method)),
          () -> test + " has no " + method + " " + Arrays.asList(found));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean has(Path file, String method) {
    try {
      return Files.readString(file).contains("  void " + method + "(");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
