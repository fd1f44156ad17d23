/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContendersTest {

  @Test
  void theNearestBeforeIsTheOneToWatch() {
    Contenders queue = new Contenders(List.of("b~0000000007", "a~0000000003", "c~0000000009"));
    assertEquals(Optional.of("a~0000000003"), queue.first());
    assertEquals(Optional.empty(), queue.ahead("a~0000000003"));
    assertEquals(Optional.of("a~0000000003"), queue.ahead("b~0000000007"));
    assertEquals(Optional.of("b~0000000007"), queue.ahead("c~0000000009"));
    assertTrue(queue.contains("c~0000000009"));
    assertFalse(queue.contains("c~0000000010"));
  }

  /** The server formats a signed counter with {@code %010d}. */
  @Test
  void theOrderSurvivesTheOverflowOfTheServersCounter() {
    int[] counter = {
      Integer.MAX_VALUE - 1, Integer.MAX_VALUE, Integer.MIN_VALUE, Integer.MIN_VALUE + 1
    };
    checkOrder(counter);
    checkOrder(new int[] {-1_000_000_000, -999_999_999, -2, -1, 0, 1});
  }

  private static void checkOrder(int[] counter) {
    String[] names = new String[counter.length];
    for (int i = 0; i < counter.length; i++) {
      names[i] = "host-" + i + "-~" + String.format(Locale.ENGLISH, "%010d", counter[i]);
    }
    Contenders queue = new Contenders(List.of(names));
    assertEquals(Optional.of(names[0]), queue.first());
    assertEquals(Optional.empty(), queue.ahead(names[0]));
    for (int i = 1; i < names.length; i++) {
      assertEquals(Optional.of(names[i - 1]), queue.ahead(names[i]));
    }
  }

  @Test
  void foreignChildrenAreNotInTheQueue() {
    Contenders queue =
        new Contenders(List.of("_c_1234-lock-0000000001", "readme", "a~12", "~x", "b~0000000002"));
    assertEquals(Optional.of("b~0000000002"), queue.first());
    assertEquals(Optional.empty(), queue.ahead("b~0000000002"));
  }

  @Test
  void straysAreOfTheOwnerAlone() {
    Contenders queue =
        new Contenders(List.of("a-1~0000000001", "a-11~0000000002", "a-1~0000000003"));
    assertEquals(List.of("a-1~0000000001"), queue.strays("a-1~", "a-1~0000000003"));
    assertEquals(2, queue.strays("a-1~", "").size());
  }
}
