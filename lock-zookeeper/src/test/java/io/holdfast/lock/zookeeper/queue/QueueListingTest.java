/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Share;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class QueueListingTest {

  @Test
  void theNearestBeforeIsTheOneToWatch() {
    QueueListing queue = new QueueListing(List.of("b~0000000007", "a~0000000003", "c~0000000009"));
    assertEquals(Optional.of("a~0000000003"), queue.first().map(QueueNode::name));
    assertEquals(List.of(), queue.blockers("a~0000000003"));
    assertEquals(List.of("a~0000000003"), queue.blockers("b~0000000007"));
    assertEquals(List.of("b~0000000007"), queue.blockers("c~0000000009"));
    assertTrue(queue.contains("c~0000000009"));
    assertFalse(queue.contains("c~0000000010"));
  }

  @Test
  void aNodeWithoutANumberHasNoPlace() {
    QueueListing queue = new QueueListing(List.of("a~2147483646", "b~2147483647", "c~-2147483648"));
    assertEquals(Optional.of(2_147_483_646), QueueListing.sequence("a~2147483646"));
    assertEquals(Optional.empty(), QueueListing.sequence("b~2147483647"));
    assertEquals(Optional.empty(), QueueListing.sequence("c~-2147483648"));
    assertEquals(Optional.of("a~2147483646"), queue.first().map(QueueNode::name));
    assertEquals(List.of(), queue.blockers("a~2147483646"));
  }

  @Test
  void foreignChildrenAreNotInTheQueue() {
    QueueListing queue =
        new QueueListing(
            List.of("_c_1234-lock-0000000001", "readme", "a~12", "~x", "b~0000000002"));
    assertEquals(Optional.of("b~0000000002"), queue.first().map(QueueNode::name));
    assertEquals(List.of(), queue.blockers("b~0000000002"));
  }

  @Test
  void othersAreOfTheOwnerAlone() {
    QueueListing queue =
        new QueueListing(List.of("a-1~0000000001", "a-11~0000000002", "a-1~0000000003"));
    assertEquals(List.of("a-1~0000000001"), queue.othersOf("a-1~", "a-1~0000000003"));
    assertEquals(2, queue.othersOf("a-1~", "").size());
  }

  @Test
  void aReaderWatchesTheLastWriterAheadAndAWriterTheLastOfAll() {
    String r1 = node("r1", Share.READ, 1);
    String r2 = node("r2", Share.READ, 2);
    String w3 = node("w3", Share.WRITE, 3);
    String w4 = node("w4", Share.WRITE, 4);
    String r5 = node("r5", Share.READ, 5);
    String r6 = node("r6", Share.READ, 6);
    QueueListing queue = new QueueListing(List.of(w4, r6, r1, w3, r5, r2));
    assertEquals(List.of(), queue.blockers(r2));
    assertEquals(List.of(r2), queue.blockers(w3));
    assertEquals(List.of(w3), queue.blockers(w4));
    assertEquals(List.of(w4), queue.blockers(r5));
    assertEquals(List.of(w4), queue.blockers(r6));
    assertEquals(List.of(r1, r2), queue.holders().stream().map(QueueNode::name).toList());
  }

  @Test
  void aClaimOfPermitsWatchesAsManyAsLeaveTooLittle() {
    String a = node("a", Share.of(2, 5), 1);
    String b = node("b", Share.of(1, 5), 2);
    String c = node("c", Share.of(3, 5), 3);
    String d = node("d", Share.of(2, 5), 4);
    QueueListing queue = new QueueListing(List.of(d, c, b, a));
    assertEquals(List.of(), queue.blockers(b));
    assertEquals(List.of(b, a), queue.blockers(c));
    assertEquals(List.of(c, b), queue.blockers(d));
    assertEquals(List.of(a, b), queue.holders().stream().map(QueueNode::name).toList());
    assertEquals(OptionalInt.empty(), queue.otherCapacity(d));
  }

  @Test
  void thoseWhoFitExactlyHoldAll() {
    String a = node("a", Share.of(2, 5), 1);
    String b = node("b", Share.of(3, 5), 2);
    assertEquals(
        List.of(a, b),
        new QueueListing(List.of(b, a)).holders().stream().map(QueueNode::name).toList());
    String lock = node("c", Share.LOCK, 3);
    assertEquals(
        List.of(lock),
        new QueueListing(List.of(lock)).holders().stream().map(QueueNode::name).toList());
  }

  @Test
  void theCapacityOfTheFirstCounts() {
    String first = node("a", Share.of(2, 5), 1);
    String other = node("b", Share.LOCK, 2);
    String next = node("c", Share.of(3, 5), 3);
    QueueListing queue = new QueueListing(List.of(first, other, next));
    assertEquals(OptionalInt.of(5), queue.otherCapacity(other));
    assertEquals(OptionalInt.empty(), queue.otherCapacity(next));
    assertEquals(List.of(first), queue.holders().stream().map(QueueNode::name).toList());
  }

  @Test
  void aNodeOfAnotherCapacityBlocksAllBehindIt() {
    String first = node("a", Share.of(2, 5), 1);
    String other = node("b", Share.LOCK, 2);
    String next = node("c", Share.of(1, 5), 3);
    String last = node("d", Share.of(2, 5), 4);
    QueueListing queue = new QueueListing(List.of(last, first, other, next));
    assertEquals(List.of(other), queue.blockers(next));
    assertEquals(List.of(other), queue.blockers(last));
    assertEquals(List.of(first), queue.blockers(other));
    assertEquals(List.of(), new QueueListing(List.of(last, first, next)).blockers(last));
  }

  @Test
  void aReducedShareKeepsItsPlaceAndTheNumberOfItsGrant() {
    QueueNode writer = QueueNode.of(node("w", Share.WRITE, 7)).orElseThrow();
    QueueNode reader = QueueNode.of(writer.reducedTo(1, 4711)).orElseThrow();
    assertEquals(Share.READ, reader.share());
    assertEquals(7, reader.sequence());
    assertEquals(OptionalLong.of(4711), reader.grantedAs());
    assertTrue(reader.name().startsWith("w~"));
  }

  private static String node(String owner, Share share, int sequence) {
    return owner + "~" + QueueNode.text(share) + "%010d".formatted(sequence);
  }
}
