/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The texts of the rules: {@code SPEC.md}, which is in the jar. */
final class Spec {

  /** A rule as it is written, with Markdown's signs. */
  record Entry(String text, String because) {}

  private static final Pattern GROUP = Pattern.compile("## ([A-Z]{2}): (.+)");
  private static final Pattern RULE = Pattern.compile("\\| ([A-Z]{2}-\\d+) \\| (.+) \\| (.+) \\|");

  private final Map<String, String> groups = new LinkedHashMap<>();
  private final Map<String, Entry> rules = new LinkedHashMap<>();

  Spec() {
    for (String line : Page.resource("SPEC.md").lines().toList()) {
      Matcher group = GROUP.matcher(line);
      Matcher rule = RULE.matcher(line);
      if (group.matches()) {
        groups.put(group.group(1), group.group(2));
      } else if (rule.matches()) {
        rules.put(rule.group(1), new Entry(rule.group(2), rule.group(3)));
      }
    }
  }

  /** By their ids, in the order of the specification. */
  Map<String, Entry> rules() {
    return rules;
  }

  /** The name of the group of a rule. */
  String groupOf(String rule) {
    String group = rule.substring(0, 2);
    return groups.getOrDefault(group, group);
  }
}
