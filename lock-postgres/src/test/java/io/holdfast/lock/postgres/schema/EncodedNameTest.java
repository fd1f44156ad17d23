/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.junit.jupiter.api.Test;

class EncodedNameTest {

  @Test
  void aNameComesBackFromItsText() {
    for (String name :
        List.of(
            "a", "\u0000", "\\", "\\0", "\\\\0", "a\u0000\\b", "\\\u0000", "0", "\uD83D\uDD12")) {
      assertEquals(name, EncodedName.name(EncodedName.of(name)));
      assertFalse(EncodedName.of(name).contains("\u0000"), "NUL in a text");
    }
  }

  /** A text that another program has put. */
  @Test
  void aBackslashAtTheEndStandsForItself() {
    assertEquals("a\\", EncodedName.name("a\\"));
  }
}
