/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * A password that is easy to find in a text.
 *
 * @param text the password: letters, digits and hyphens
 */
public record Secret(String text) {

  private static final String BEGINNING = "hunter-two-";

  /**
   * Makes one.
   *
   * @return one that no other text contains
   */
  public static Secret random() {
    return new Secret(
        BEGINNING + Long.toString(ThreadLocalRandom.current().nextLong(1L << 40, 1L << 50), 36));
  }

  /**
   * Settings that have another password in its place.
   *
   * @param settings with this one
   * @param other another one
   * @return a copy
   */
  public Map<String, String> replacedIn(Map<String, String> settings, Secret other) {
    return settings.entrySet().stream()
        .collect(
            Collectors.toMap(Map.Entry::getKey, one -> one.getValue().replace(text, other.text)));
  }

  /**
   * Looks for it, as it is or in hexadecimal.
   *
   * @param lines what was shown
   * @return the first line that tells it
   */
  public Optional<String> toldIn(List<String> lines) {
    String hex = HexFormat.of().formatHex(text.getBytes(UTF_8));
    return lines.stream()
        .filter(line -> line.contains(text) || line.toLowerCase(Locale.ROOT).contains(hex))
        .findFirst();
  }
}
