/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.support.LockNames;
import org.junit.jupiter.api.Test;

class VisibleTextTest {

  @Test
  void aNameCannotTellATerminalWhatToDo() {
    assertEquals("a\\u001b[2Jb\\u000ac\\u202ed", VisibleText.of("a\u001b[2Jb\nc\u202ed"));
    assertEquals("\\u2028\\u2066", VisibleText.of("\u2028\u2066"));
  }

  @Test
  void otherTextStaysAsItIs() {
    assertEquals("ü😀 {}/*'", VisibleText.of("ü😀 {}/*'"));
  }

  @Test
  void exceptionsAndRefusalsShowAllOfAName() {
    assertEquals(
        "Lock 'a\\u000aWARN b' is gone",
        new LockUnavailableException("Lock 'a\nWARN b' is gone").getMessage());
    String refused =
        String.valueOf(
            assertThrows(
                    IllegalArgumentException.class,
                    () -> LockNames.check("x\r\n" + "y".repeat(600)))
                .getMessage());
    assertTrue(refused.contains("'x\\u000d\\u000ayyy"), refused);
  }
}
