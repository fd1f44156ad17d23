/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.schema;

/**
 * Lock names as PostgreSQL's text: it can hold every character but NUL, so that is written as
 * {@code \0}, and a backslash as two. Different names stay different, and nearly all stay as they
 * are.
 */
public final class EncodedName {

  private EncodedName() {}

  public static String of(String name) {
    return name.replace("\\", "\\\\").replace("\u0000", "\\0");
  }

  /** The name that a text stands for. */
  public static String name(String text) {
    StringBuilder name = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == '\\' && i + 1 < text.length()) {
        name.append(text.charAt(++i) == '0' ? '\u0000' : text.charAt(i));
      } else {
        name.append(letter);
      }
    }
    return name.toString();
  }
}
