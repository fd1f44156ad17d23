/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody meant who mistyped a name. */
public final class Spelling {

  private Spelling() {}

  /**
   * The nearest of the right names.
   *
   * @param given what was written
   * @param right what there is
   * @return empty if none is near
   */
  public static Optional<String> nearest(String given, Collection<String> right) {
    return right.stream()
        .filter(name -> distance(given, name) <= Math.max(2, name.length() / 3))
        .min(Comparator.comparingInt(name -> distance(given, name)));
  }

  /**
   * The same as the middle of a message.
   *
   * @param given what was written
   * @param right what there is
   * @return {@code "; did you mean 'x'?"}, or a full stop if none is near, or it is right itself
   */
  public static String hint(String given, Collection<String> right) {
    return nearest(given, right)
        .filter(name -> !name.equals(given))
        .map(name -> "; did you mean '" + name + "'?")
        .orElse(".");
  }

  /** The edit distance of Levenshtein, over one row. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
