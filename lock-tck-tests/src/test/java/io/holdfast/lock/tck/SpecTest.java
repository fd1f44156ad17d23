/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Keeps the specification and the rules together. */
class SpecTest {

  private static final Pattern RULE =
      Pattern.compile("(?m)^\\| ([A-Z]{2}-\\d+) \\| (.*MUST.*) \\| (.+) \\|$");

  @Test
  void everyRuleHasATestAndEveryTestARule() throws IOException {
    String spec = Files.readString(Path.of("..", "SPEC.md"));
    List<String> written = RULE.matcher(spec).results().map(SpecTest::id).toList();
    assertEquals(written, Conformance.rules());
    assertEquals(written.size(), new HashSet<>(written).size(), "an id is used twice");
  }

  private static String id(MatchResult rule) {
    return rule.group(1);
  }
}
