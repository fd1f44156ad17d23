/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.testsupport;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

/**
 * Captures the log while this is open. Tests log to standard error, which is the JVM's: what runs
 * at the same time is captured as well.
 */
public final class CapturedLog implements AutoCloseable {

  private final ByteArrayOutputStream captured = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  /** Captures from now on. */
  public CapturedLog() {
    System.setErr(new PrintStream(captured, true, UTF_8));
  }

  /**
   * All that was logged.
   *
   * @return so far
   */
  public String text() {
    return captured.toString(UTF_8);
  }

  /**
   * The lines that contain a text, such as {@code WARN io.holdfast.lock.engine.Renewals}.
   *
   * @param wanted the text
   * @return in their order
   */
  public List<String> lines(String wanted) {
    return text().lines().filter(line -> line.contains(wanted)).toList();
  }

  /**
   * The first lines of warnings.
   *
   * @param logger of a class, or of all in a package
   * @return in their order
   */
  public List<String> warnings(String logger) {
    return lines("WARN " + logger);
  }

  /**
   * Fails if the log does not contain a text.
   *
   * @param wanted the text
   */
  public void assertContains(String wanted) {
    if (!text().contains(wanted)) {
      throw new AssertionError("not logged: " + wanted + "\n" + text());
    }
  }

  /**
   * Fails if no warning contains a text in its first line.
   *
   * @param logger as for {@link #warnings}
   * @param wanted the text
   */
  public void assertWarns(String logger, String wanted) {
    List<String> warnings = warnings(logger);
    if (warnings.stream().noneMatch(line -> line.contains(wanted))) {
      throw new AssertionError("no warning contains " + wanted + ": " + warnings);
    }
  }

  /** Standard error is what it was, and has what was captured. */
  @Override
  public void close() {
    System.setErr(before);
    before.print(text());
  }
}
