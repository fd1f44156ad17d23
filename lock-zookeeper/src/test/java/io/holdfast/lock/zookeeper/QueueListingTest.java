/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueueListingTest {

  @Test
  void theNearestBeforeIsTheOneToWatch() {
    QueueListing queue = new QueueListing(List.of("b~0000000007", "a~0000000003", "c~0000000009"));
    assertEquals(Optional.of("a~0000000003"), queue.first());
    assertEquals(Optional.empty(), queue.ahead("a~0000000003"));
    assertEquals(Optional.of("a~0000000003"), queue.ahead("b~0000000007"));
    assertEquals(Optional.of("b~0000000007"), queue.ahead("c~0000000009"));
    assertTrue(queue.contains("c~0000000009"));
    assertFalse(queue.contains("c~0000000010"));
  }

  @Test
  void whomTheServerCannotNumberHasNoPlace() {
    QueueListing queue = new QueueListing(List.of("a~2147483646", "b~2147483647", "c~-2147483648"));
    assertEquals(Optional.of(2_147_483_646), QueueListing.sequence("a~2147483646"));
    assertEquals(Optional.empty(), QueueListing.sequence("b~2147483647"));
    assertEquals(Optional.empty(), QueueListing.sequence("c~-2147483648"));
    assertEquals(Optional.of("a~2147483646"), queue.first());
    assertEquals(Optional.empty(), queue.ahead("a~2147483646"));
  }

  @Test
  void foreignChildrenAreNotInTheQueue() {
    QueueListing queue =
        new QueueListing(
            List.of("_c_1234-lock-0000000001", "readme", "a~12", "~x", "b~0000000002"));
    assertEquals(Optional.of("b~0000000002"), queue.first());
    assertEquals(Optional.empty(), queue.ahead("b~0000000002"));
  }

  @Test
  void straysAreOfTheOwnerAlone() {
    QueueListing queue =
        new QueueListing(List.of("a-1~0000000001", "a-11~0000000002", "a-1~0000000003"));
    assertEquals(List.of("a-1~0000000001"), queue.strays("a-1~", "a-1~0000000003"));
    assertEquals(2, queue.strays("a-1~", "").size());
  }
}
