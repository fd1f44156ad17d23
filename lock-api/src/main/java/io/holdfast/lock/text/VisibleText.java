/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.text;

/** Makes text of others fit for a message, a log or a terminal: a lock can have any name. */
public final class VisibleText {

  private VisibleText() {}

  /**
   * The same text with control characters, line breaks and marks that change the direction of
   * writing written as {@code \}{@code u001b}.
   *
   * @param text any
   * @return one line that shows all of it
   */
  public static String of(String text) {
    return text.codePoints().anyMatch(VisibleText::isHidden) ? escaped(text) : text;
  }

  private static String escaped(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              if (isHidden(c)) {
                out.append("\\u%04x".formatted(c));
              } else {
                out.appendCodePoint(c);
              }
            });
    return out.toString();
  }

  private static boolean isHidden(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }
}
