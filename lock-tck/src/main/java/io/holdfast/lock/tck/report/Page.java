/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The frame that all pages of the kit have: one look, light and dark, and nothing to be loaded. */
public final class Page {

  private Page() {}

  /**
   * A whole page.
   *
   * @param title plain text
   * @param body HTML
   * @return a page that needs nothing else
   */
  public static String of(String title, String body) {
    return of(title, "", body);
  }

  /**
   * A whole page with styles of its own.
   *
   * @param title plain text
   * @param style CSS
   * @param body HTML
   * @return a page that needs nothing else
   */
  public static String of(String title, String style, String body) {
    return """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>%s</title>
    <style>
    %s%s</style>
    </head>
    <body>
    <main>
    %s</main>
    </body>
    </html>
    """
        .formatted(escaped(title), resource("page.css"), style, body);
  }

  /**
   * Text as it may stand in HTML.
   *
   * @param text any
   * @return without anything that HTML would take for more than text
   */
  public static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Text of a file beside this class. */
  static String resource(String name) {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing in the jar of the kit");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
