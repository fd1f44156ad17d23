/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.tck.Bound;
import io.holdfast.lock.tck.Conformance;
import io.holdfast.lock.tck.Measured;
import io.holdfast.lock.tck.Result;
import io.holdfast.lock.tck.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of the report: what is on it, and what it looks like in a browser. */
class HtmlTest {

  private static final double READABLE = 4.5;

  @TempDir Path directory;

  @Test
  void everyRuleSaysWhatItSaysAndWhyItDidNotHold() {
    String page = Html.of(matrix("one"));
    for (String rule : Conformance.rules()) {
      assertTrue(page.contains("<tr id=\"" + rule + "\">"), rule);
    }
    assertTrue(page.contains("one breaks <a class=\"id\" href=\"#EX-5\">EX-5</a>"), page);
    assertTrue(page.contains("two at &lt;once&gt; &amp; more"), page);
    assertTrue(page.contains("free after its holder has died"), page);
    assertTrue(page.contains("<td class=\"n\">1.43 s</td>"), page);
    assertTrue(page.contains("<td class=\"n\">1.50 s, allowed 1.50 s + 3.00 s</td>"), page);
    assertTrue(page.contains("While a lease is valid, the lock <b>MUST NOT</b> be"), page);
    assertFalse(
        Pattern.compile("(src|href)=\"(?!#|data:,)").matcher(page).find(), "loads something");
    String markdown = Markdown.of(matrix("one"));
    assertTrue(markdown.contains("| EX-5 | words of EX-5 | FAILED |"), markdown);
    assertTrue(
        markdown.contains(
            "| one | free after its holder has died | 1.50 s, allowed 1.50 s + 3.00 s | 1.43 s |"
                + " 1.45 s | 2 |"),
        markdown);
  }

  @Test
  void itIsReadableInABrowserLightAndDarkNarrowAndWide() throws Exception {
    Optional<Browser> browser = Browser.installed();
    assumeTrue(
        browser.isPresent(),
        "SKIPPED, as Chromium is not installed. On Debian or Ubuntu: sudo apt-get install"
            + " chromium");
    String page =
        Html.of(
            matrix("redis", "zookeeper", "postgres-advisory", "etcd", "redlock", "x".repeat(40)));
    Browser.Seen light = browser.get().look(directory, page, false);
    Browser.Seen dark = browser.get().look(directory, page, true);
    for (Browser.Seen seen : List.of(light, dark)) {
      assertEquals(List.of(), seen.console());
      for (String width : List.of("400", "1400")) {
        Map<String, String> facts = seen.facts();
        assertEquals("0", facts.get("overflow " + width), "wider than the window: " + facts);
        assertEquals("0", facts.get("broken " + width), facts::toString);
        String contrast = facts.getOrDefault("contrast " + width, "");
        assertTrue(Double.parseDouble(contrast.split(" ", 2)[0]) >= READABLE, contrast);
      }
    }
    assertEquals("rgb(247,248,250)", light.facts().get("background 400"));
    assertNotEquals(light.facts().get("background 400"), dark.facts().get("background 400"));
  }

  /** Each verdict, and what would be taken for HTML; through the file, as the modules hand it. */
  private static Matrix matrix(String... backends) {
    List<Result> results = new ArrayList<>();
    List<String> rules = Conformance.rules();
    List<Verdict> verdicts = List.of(Verdict.values());
    for (String rule : rules) {
      Verdict verdict = verdicts.get(rules.indexOf(rule) % verdicts.size());
      String detail = verdict == Verdict.HELD ? "" : "two at <once> &\tmore, as " + verdict;
      results.add(
          new Result(
              rule,
              "words of " + rule,
              verdict,
              detail,
              Optional.empty(),
              Duration.ofMillis(12),
              rule.equals("LT-1") ? 2 : 1,
              rule.equals("LT-1") ? figures() : List.of()));
    }
    Matrix matrix = new Matrix();
    for (String backend : backends) {
      RunFile run = RunFile.of(Map.of("scope", "lease"), Map.of("JDK", "any\tother"), results);
      RunFile read = RunFile.parse(run.text().lines().toList());
      assertEquals(run.rules(), read.rules());
      matrix.add(backend, read);
    }
    matrix.addMutants(List.of("mutant\tEX-1\ta pitfall\tlock-api/engine/Some.java\tcaught"));
    return matrix;
  }

  private static List<Measured> figures() {
    Optional<Duration> promised = Optional.of(Duration.ofMillis(1500));
    return Stream.of(1410, 1450)
        .map(millis -> new Measured(Bound.FREE_AFTER_DEATH, Duration.ofMillis(millis), promised))
        .toList();
  }
}
