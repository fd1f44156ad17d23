/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.conventions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links lead somewhere, the README is short, and MUST means what RFC 2119 says. */
class PagesTest {

  private static final Path ROOT = Path.of("..");
  private static final int LONGEST_README = 180;
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

  /** A prohibition has to be MUST NOT; "no client MUST" would only lift an obligation. */
  private static final Pattern NEGATED =
      Pattern.compile(
          "(?:\\| |, )(?:no|nobody|nothing|none|who|whoever)\\b[^.;|,]*\\bMUST\\b(?! NOT)",
          Pattern.CASE_INSENSITIVE);

  @Test
  void linksLeadToPagesAndHeadings() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      for (MatchResult link : LINK.matcher(Files.readString(page)).results().toList()) {
        if (!link.group(1).contains("://") && !leadsSomewhere(page, link.group(1))) {
          broken.add(page + ": " + link.group(1));
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  @Test
  void theReadmeIsShort() throws IOException {
    assertTrue(Files.readAllLines(ROOT.resolve("README.md")).size() <= LONGEST_README);
  }

  @Test
  void noRuleIsANegatedMust() throws IOException {
    List<String> rules =
        Files.readAllLines(ROOT.resolve("SPEC.md")).stream()
            .filter(line -> line.matches("\\| [A-Z]{2}-\\d+ .*"))
            .toList();
    assertTrue(rules.size() > 100, "rules: " + rules.size());
    assertEquals(List.of(), rules.stream().filter(rule -> NEGATED.matcher(rule).find()).toList());
    assertTrue(NEGATED.matcher("| XX-1 | While it is valid, no client MUST be granted it.").find());
  }

  @Test
  void everyDecisionIsListed() throws IOException {
    String index = Files.readString(ROOT.resolve("docs/adr/README.md"));
    for (Path page : pages()) {
      if (page.getParent().endsWith("adr") && !page.endsWith("README.md")) {
        String title = Files.readAllLines(page).get(0).replaceFirst("# \\d+\\. ", "");
        assertTrue(index.contains("[" + title + "](" + page.getFileName() + ")"), title);
      }
    }
  }

  private static boolean leadsSomewhere(Path page, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    if (!Files.exists(target)) {
      return false;
    }
    return parts.length == 1 || anchors(target).contains(parts[1]);
  }

  /** As GitHub makes them of headings. */
  private static List<String> anchors(Path page) throws IOException {
    return HEADING
        .matcher(Files.readString(page))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(text -> text.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toList());
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path folder : List.of(ROOT, ROOT.resolve("docs"))) {
      try (Stream<Path> files = Files.walk(folder, folder.equals(ROOT) ? 1 : 3)) {
        files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
      }
    }
    return pages;
  }
}
