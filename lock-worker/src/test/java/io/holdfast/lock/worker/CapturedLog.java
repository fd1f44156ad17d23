/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** The log while this is open: the tests log to standard error. */
final class CapturedLog implements AutoCloseable {

  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  CapturedLog() {
    System.setErr(new PrintStream(heard, true, UTF_8));
  }

  void assertMentions(String text) {
    String told = heard.toString(UTF_8);
    assertTrue(told.contains(text), told);
  }

  @Override
  public void close() {
    System.setErr(before);
    before.print(heard.toString(UTF_8));
  }
}
