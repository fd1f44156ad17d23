/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class FencingHeaderTest {

  @Test
  void readsWhatIsWellFormed() {
    assertEquals(1, FencingHeader.parse("1"));
    assertEquals(1838348206361054208L, FencingHeader.parse("1838348206361054208"));
    assertEquals(Long.MAX_VALUE, FencingHeader.parse("9223372036854775807"));
  }

  @Test
  void refusesEverythingElse() {
    for (String bad :
        List.of(
            "",
            "0",
            "-1",
            "+1",
            "01",
            " 1",
            "1 ",
            "1.0",
            "1e3",
            "0x1",
            "1, 2",
            "one",
            "١",
            "9223372036854775808",
            "18446744073709551616")) {
      IllegalArgumentException told =
          assertThrows(IllegalArgumentException.class, () -> FencingHeader.parse(bad), bad);
      assertTrue(String.valueOf(told.getMessage()).contains("'" + bad + "'"), told.getMessage());
    }
    assertTrue(message(null).contains("is missing"));
    assertTrue(message("9".repeat(10_000)).length() < 200);
  }

  private static String message(@org.jspecify.annotations.Nullable String value) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> FencingHeader.parse(value))
            .getMessage());
  }
}
