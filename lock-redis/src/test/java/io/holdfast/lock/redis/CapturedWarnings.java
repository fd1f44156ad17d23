/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;

/** What is logged while this is open: the tests log warnings to standard error, one to a line. */
final class CapturedWarnings implements AutoCloseable {

  private final ByteArrayOutputStream heard = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  CapturedWarnings() {
    System.setErr(new PrintStream(heard, true, UTF_8));
  }

  /** Those of a class or a package, in their order. */
  List<String> of(String logger) {
    return heard.toString(UTF_8).lines().filter(line -> line.contains("WARN " + logger)).toList();
  }

  void assertMention(String text) {
    List<String> told = of("io.holdfast.lock.redis");
    assertTrue(told.stream().anyMatch(line -> line.contains(text)), told.toString());
  }

  @Override
  public void close() {
    System.setErr(before);
    before.print(heard.toString(UTF_8));
  }
}
