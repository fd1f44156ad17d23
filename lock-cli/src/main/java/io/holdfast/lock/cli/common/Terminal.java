/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;

/**
 * The output and the input of a command.
 *
 * @param screen whether standard output is a terminal
 * @param rows how many lines it has
 * @param colours whether it shows colours
 * @param keyboard whether there is somebody who can answer on {@code input}
 * @param input what they type
 */
public record Terminal(
    boolean screen, int rows, boolean colours, boolean keyboard, BufferedReader input) {

  private static final int USUAL_ROWS = 24;

  private static final String BOLD = "1";

  private static final String GREEN = "32";
  private static final String YELLOW = "33";
  private static final String RED = "1;31";

  /**
   * That of this process. The launcher knows whether there is one; a JVM does not tell reliably.
   *
   * @return the terminal
   */
  public static Terminal system() {
    boolean screen = Boolean.getBoolean("holdfast.terminal");
    String noColor = System.getenv("NO_COLOR");
    boolean colours =
        screen && (noColor == null || noColor.isEmpty()) && !"dumb".equals(System.getenv("TERM"));
    return new Terminal(
        screen,
        Integer.getInteger("holdfast.rows", USUAL_ROWS),
        colours,
        Boolean.getBoolean("holdfast.keyboard"),
        new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())));
  }

  /**
   * No terminal.
   *
   * @return nobody sees, and nobody answers
   */
  public static Terminal none() {
    return new Terminal(false, USUAL_ROWS, false, false, new BufferedReader(Reader.nullReader()));
  }

  /**
   * A head.
   *
   * @param text without escapes
   * @return the same, bold where that can be seen
   */
  public String bold(String text) {
    return colour(BOLD, text);
  }

  /**
   * Good news.
   *
   * @param text without escapes
   * @return the same, green where that can be seen
   */
  public String good(String text) {
    return colour(GREEN, text);
  }

  /**
   * Doubtful news.
   *
   * @param text without escapes
   * @return the same, yellow where that can be seen
   */
  public String doubtful(String text) {
    return colour(YELLOW, text);
  }

  /**
   * Bad news.
   *
   * @param text without escapes
   * @return the same, red where that can be seen
   */
  public String bad(String text) {
    return colour(RED, text);
  }

  private String colour(String code, String text) {
    return colours ? "\033[" + code + "m" + text + "\033[0m" : text;
  }
}
