/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.redlock.Tally.Outcome;
import org.junit.jupiter.api.Test;

/** Tests the counting of nodes' answers to a renewal or a release. */
class TallyTest {

  private static Outcome failed(Tally tally) {
    return tally.failed(new LockUnavailableException("away"));
  }

  @Test
  void aQuorumSaysThatItIsOurs() {
    Tally five = new Tally(5);
    assertEquals(Outcome.OPEN, five.answered(true));
    assertEquals(Outcome.OPEN, five.answered(false));
    assertEquals(Outcome.OPEN, five.answered(true));
    assertEquals(Outcome.OURS, five.answered(true));
    assertEquals(Outcome.OURS, failed(five), "what comes later changes nothing");
  }

  @Test
  void itIsNotOursOnlyIfNoQuorumCanSaySo() {
    Tally five = new Tally(5);
    assertEquals(Outcome.OPEN, five.answered(false));
    assertEquals(Outcome.OPEN, five.answered(false));
    assertEquals(Outcome.NOT_OURS, five.answered(false));
    Tally four = new Tally(4);
    assertEquals(Outcome.OPEN, four.answered(false));
    assertEquals(Outcome.NOT_OURS, four.answered(false));
  }

  @Test
  void halfOfTheNodesAreNoQuorum() {
    Tally four = new Tally(4);
    four.answered(true);
    assertEquals(Outcome.OPEN, four.answered(true));
    assertEquals(Outcome.OPEN, failed(four));
    assertEquals(Outcome.UNKNOWN, failed(four));
  }

  /** A node that is away is not one that has lost the lock. */
  @Test
  void anUnreachableNodeSaysNothing() {
    Tally three = new Tally(3);
    assertEquals(Outcome.OPEN, failed(three));
    assertEquals(Outcome.OPEN, three.answered(false));
    assertEquals(Outcome.UNKNOWN, failed(three));
    assertEquals(2, three.failures().size());
  }

  @Test
  void theLastAnswerMayDecide() {
    Tally three = new Tally(3);
    failed(three);
    three.answered(true);
    assertEquals(Outcome.OURS, three.answered(true));
  }
}
