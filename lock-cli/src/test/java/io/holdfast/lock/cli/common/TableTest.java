/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.cli.common;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {

  @Test
  void columnsAreAsWideAsTheyNeedToBe() {
    Table table = new Table("LOCK", "OWNER");
    table.row("order:12345", "a");
    table.row("ü😀", "b");
    assertEquals(
        List.of("LOCK          OWNER", "order:12345   a", "ü😀            b"), table.lines());
  }

  @Test
  void aNameCannotTellTheTerminalWhatToDo() {
    Table table = new Table("LOCK");
    table.row("x\ny");
    assertEquals(List.of("LOCK", "x\\u000ay"), table.lines());
  }
}
