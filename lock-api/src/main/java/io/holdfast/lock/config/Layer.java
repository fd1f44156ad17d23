/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.config;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings.Value;
import io.holdfast.lock.text.Spelling;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The settings of one source: values by the full key, {@code backend.<name>.<setting>} or {@code
 * scenario.<name>.<setting>}. A setting without these is one of the backend {@value #DEFAULT}.
 */
final class Layer {

  static final String DEFAULT = "default";

  private static final List<String> SECTIONS = List.of("backend", "scenario");
  private static final Pattern PLAIN = Pattern.compile("[^.]+");
  private static final Pattern KEY =
      Pattern.compile("(backend|scenario)\\.[a-z0-9][a-z0-9-]*\\.[a-z0-9][a-z0-9-]*");

  private final Map<String, Value> values = new TreeMap<>();

  /** Adds what was written. */
  void add(String written, Value value) {
    String key = PLAIN.matcher(written).matches() ? "backend." + DEFAULT + "." + written : written;
    if (!KEY.matcher(key).matches()) {
      throw new LockConfigurationException(
          "'%s' (%s) is not a key of the lock configuration%s Keys are backend.<name>.<setting> and"
                  .formatted(written, value.origin(), hint(written))
              + " scenario.<name>.<setting>; names are of a-z, 0-9 and hyphens");
    }
    Value earlier = values.put(key, value);
    if (earlier != null) {
      throw new LockConfigurationException(
          "'%s' is set twice: %s, and %s. Keep one of them"
              .formatted(key, earlier.origin(), value.origin()));
    }
  }

  Map<String, Value> values() {
    return values;
  }

  /** Whether a key is of a section, or was meant to be. */
  static boolean concerns(String firstWord) {
    return Spelling.nearest(firstWord, SECTIONS).isPresent();
  }

  /**
   * Settings and where they were written, as the middle of a message: {@code " ('ttl':
   * holdfast.properties, line 3)"}.
   */
  static String places(Map<String, Value> values) {
    return values.entrySet().stream()
        .map(setting -> "'" + setting.getKey() + "': " + setting.getValue().origin())
        .collect(Collectors.joining("; ", " (", ")"));
  }

  private static String hint(String written) {
    Matcher matcher = Pattern.compile("([^.]*)(\\..*)").matcher(written);
    return matcher.matches() && !SECTIONS.contains(matcher.group(1))
        ? Spelling.nearest(matcher.group(1), SECTIONS)
            .map(section -> "; did you mean '" + section + matcher.group(2) + "'?")
            .orElse(".")
        : ".";
  }
}
