/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spi;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings.Value;
import io.holdfast.lock.text.Spelling;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Messages about refused settings: which, where it was written, and what is accepted or was meant.
 */
final class SettingMessages {

  private final String subject;
  private final Map<String, Value> values;

  /**
   * Reads nothing yet.
   *
   * @param subject whose settings they are
   * @param values what is set; shared with those settings
   */
  SettingMessages(String subject, Map<String, Value> values) {
    this.subject = subject;
    this.values = values;
  }

  /**
   * A key that has to be set. Another key that is set and not expected may be a misspelling of it.
   */
  LockConfigurationException missing(String key, String example, Set<String> expected) {
    return new LockConfigurationException(
        "%s needs the setting '%s', for example %s=%s%s"
            .formatted(sentence(), key, key, example, suggestionOrRest(key, expected)));
  }

  /** A key that may be mistyped, or otherwise those that nobody has asked for yet. */
  private String suggestionOrRest(String key, Set<String> expected) {
    String others =
        values.keySet().stream()
            .filter(other -> !expected.contains(other))
            .map(other -> "'" + other + "'" + place(other, values))
            .collect(Collectors.joining(", "));
    String suggestion = suggestionFor(key, values);
    return !suggestion.isEmpty() || others.isEmpty() ? suggestion : "; what is set is " + others;
  }

  LockConfigurationException renamed(String old, String key) {
    return new LockConfigurationException(
        "Setting '%s' of %s is called '%s' now; rename it%s"
            .formatted(old, subject, key, place(old, values)));
  }

  LockConfigurationException unknown(String key, Set<String> all) {
    return new LockConfigurationException(
        "%s has no setting '%s'%s%s It knows %s"
            .formatted(sentence(), key, place(key, values), Spelling.hint(key, all), all));
  }

  /** Shows the value, unless it is a secret or there may be one in it. */
  LockConfigurationException invalid(String key, String value, String accepted) {
    boolean hidden = value.contains("@") || (values.containsKey(key) && values.get(key).secret());
    return new LockConfigurationException(
        "Setting '%s' of %s is %s, but must be %s%s"
            .formatted(
                key,
                subject,
                hidden ? "not shown" : "'" + value + "'",
                accepted,
                place(key, values)));
  }

  /** A key that is near to one that is missing, as the middle of a message; empty without one. */
  static String suggestionFor(String missing, Map<String, Value> values) {
    return values.containsKey(missing)
        ? ""
        : Spelling.nearest(missing, values.keySet())
            .map(near -> "; did you mistype it as '" + near + "'" + place(near, values) + "?")
            .orElse("");
  }

  /** Where a setting was written, as the middle of a message; empty if that is plain. */
  static String place(String key, Map<String, Value> values) {
    String origin = values.containsKey(key) ? values.get(key).origin() : "";
    return origin.isEmpty() ? "" : " (" + origin + ")";
  }

  private String sentence() {
    return Character.toUpperCase(subject.charAt(0)) + subject.substring(1);
  }
}
