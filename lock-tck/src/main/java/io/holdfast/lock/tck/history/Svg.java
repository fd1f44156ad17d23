/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import io.holdfast.lock.tck.report.Page;
import java.util.Locale;

/** Writes the few shapes that a picture needs. */
final class Svg {

  private final StringBuilder out = new StringBuilder(1 << 14);

  /** With words that show when one points at it, if there are any. */
  Svg rect(String style, double x, double y, double width, double height, String words) {
    out.append("<rect class=\"").append(style).append('"');
    attribute("x", x).attribute("y", y).attribute("width", width).attribute("height", height);
    return end("rect", words);
  }

  Svg line(String style, double x1, double y1, double x2, double y2, String words) {
    out.append("<line class=\"").append(style).append('"');
    attribute("x1", x1).attribute("y1", y1).attribute("x2", x2).attribute("y2", y2);
    return end("line", words);
  }

  Svg dot(String style, double x, double y, double radius, String words) {
    out.append("<circle class=\"").append(style).append('"');
    attribute("cx", x).attribute("cy", y).attribute("r", radius);
    return end("circle", words);
  }

  /** A shape around a point, in units of the picture. */
  Svg mark(String style, double x, double y, String path, String words) {
    out.append("<path class=\"").append(style).append("\" transform=\"translate(");
    out.append(number(x)).append(' ').append(number(y)).append(")\" d=\"").append(path).append('"');
    return end("path", words);
  }

  Svg text(String style, double x, double y, String text) {
    out.append("<text class=\"").append(style).append('"');
    attribute("x", x).attribute("y", y);
    out.append('>').append(Page.escaped(text)).append("</text>\n");
    return this;
  }

  /**
   * All, as a picture of its own.
   *
   * @param definitions what the style refers to
   */
  String picture(String title, String style, double width, double height, String definitions) {
    return ("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"line\" role=\"img\""
            + " viewBox=\"0 0 %s %s\" width=\"%s\" height=\"%s\">%n<title>%s</title>%n"
            + "<style>%n%s</style>%n%s%s</svg>%n")
        .formatted(
            number(width),
            number(height),
            number(width),
            number(height),
            Page.escaped(title),
            style,
            definitions,
            out);
  }

  private Svg attribute(String name, double value) {
    out.append(' ').append(name).append("=\"").append(number(value)).append('"');
    return this;
  }

  private Svg end(String element, String words) {
    if (words.isEmpty()) {
      out.append("/>\n");
    } else {
      out.append("><title>").append(Page.escaped(words)).append("</title></");
      out.append(element).append(">\n");
    }
    return this;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
