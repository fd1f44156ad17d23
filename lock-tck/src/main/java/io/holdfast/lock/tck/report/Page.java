/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.report;

/** A page that needs nothing else, for light and dark screens: the look that all of them have. */
public final class Page {

  private static final String STYLE =
      """
      :root { color-scheme: light dark; --line: #8884; --soft: #8882; }
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
      h1 { font-weight: 600; } h2 { margin-top: 2.5rem; font-weight: 600; }
      table { border-collapse: collapse; width: 100%; }
      th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
      thead th { position: sticky; top: 0; background: Canvas; }
      td.rule { font-family: ui-monospace, monospace; white-space: nowrap; }
      td.group { background: var(--soft); font-weight: 600; }
      .v { border-radius: .4rem; padding: .05rem .5rem; white-space: nowrap; }
      """;

  private Page() {}

  /**
   * The page.
   *
   * @param title plain text
   * @param style what is special to it
   * @param body HTML
   */
  public static String of(String title, String style, String body) {
    return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>"
        + escaped(title)
        + "</title><meta name=\"viewport\" content=\"width=device-width\"><style>\n"
        + STYLE
        + style
        + "</style></head><body>\n"
        + body
        + "</body></html>\n";
  }

  /** Plain text, as HTML and XML have it. */
  public static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
