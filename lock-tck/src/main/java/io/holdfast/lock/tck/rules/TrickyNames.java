/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.rules;

import java.util.List;

/**
 * Names that some servers, encodings or scripts would take for something else, or for one another.
 */
final class TrickyNames {

  private static final List<String> TAILS =
      List.of(
          "",
          "a",
          "A",
          "ab",
          "a/b",
          "a//b",
          "/a",
          "a/",
          "/",
          "..",
          "../..",
          ".",
          "a.b",
          " ",
          "a ",
          "  a",
          "\t",
          "\n",
          "\r\n",
          "\u0000",
          "a\u0000b",
          "{",
          "}",
          "{}",
          "{a}b",
          "*",
          "?",
          "[a]",
          "%",
          "%2F",
          "%2f",
          "%61",
          "'; DROP TABLE locks; --",
          "\"",
          "\\",
          "$(reboot)",
          "#token",
          ":",
          "::",
          "-0000000001",
          "_c_",
          "zookeeper",
          "\u00e9",
          "e\u0301",
          "\u00df",
          "ss",
          "\u0130",
          "\u65e5\u672c\u8a9e",
          "\ud83d\udd12",
          "\ufeff",
          "\ufffd",
          "?\ufffd",
          "x".repeat(200),
          "x".repeat(201));

  private TrickyNames() {}

  /** Names that must all be accepted, and be different locks; each contains the given one. */
  static List<String> hostile(String base) {
    return TAILS.stream().map(tail -> base + tail).toList();
  }
}
