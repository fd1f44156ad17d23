/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests the decisions of five nodes' votes, in one order; {@link ModelTest} explores the others,
 * and asks for safety only.
 */
class BallotTest {

  private static final Ballot.Next WAIT = new Ballot.Wait();
  private static final long FRESH = 100;

  private final Ballot ballot = new Ballot(5, FRESH);

  private Ballot.Next yes(int node) {
    return yes(node, 7);
  }

  private Ballot.Next yes(int node, long number) {
    return ballot.voted(node, new Vote.Yes(number), 0, 0);
  }

  private Ballot.Next no(int node, String owner, long millis) {
    return ballot.voted(node, new Vote.No(owner, Optional.of(Duration.ofMillis(millis))), 0, 0);
  }

  private Ballot.Next none(int node, LockException why) {
    return ballot.voted(node, new Vote.None(why), 0, 0);
  }

  private static LockException away() {
    return new LockUnavailableException("away");
  }

  private static Ballot.Lost lost(long millis) {
    return new Ballot.Lost(Optional.of(Duration.ofMillis(millis)));
  }

  @Test
  void aQuorumThatStoresOneNumberHasWon() {
    assertEquals(WAIT, yes(0));
    assertEquals(WAIT, no(1, "other", 10));
    assertEquals(WAIT, yes(2));
    assertFalse(ballot.isDecided());
    assertEquals(new Ballot.Won(7), yes(4));
    assertTrue(ballot.isDecided());
    assertEquals(WAIT, yes(3), "what comes later decides nothing");
  }

  @Test
  void theGreatestNumberOfAQuorumIsStoredByAQuorum() {
    yes(0, 5);
    yes(1, 7);
    assertEquals(new Ballot.Raise(7, Set.of(0, 2)), yes(2, 6));
    assertEquals(WAIT, ballot.raised(0, 7, 0, 0));
    assertEquals(new Ballot.Won(7), ballot.raised(2, 7, 0, 0));
  }

  @Test
  void aNodeWithAGreaterNumberNeedNotBeAskedAgain() {
    yes(0, 5);
    yes(1, 7);
    yes(2, 6);
    assertEquals(WAIT, yes(3, 9));
    assertEquals(new Ballot.Won(7), ballot.raised(2, 7, 0, 0));
  }

  /** Three nodes have voted, and the first of them is asked again. */
  private void theFirstVoteIsTooOld() {
    ballot.voted(0, new Vote.Yes(7), 0, 10);
    ballot.voted(1, new Vote.Yes(7), 90, 95);
    assertEquals(
        new Ballot.Raise(7, Set.of(0)), ballot.voted(2, new Vote.Yes(7), FRESH, FRESH + 1));
  }

  @Test
  void anOldVoteIsAskedAgainAndMayBeGone() {
    theFirstVoteIsTooOld();
    assertEquals(WAIT, ballot.notRaised(0, away(), 170));
    assertEquals(Set.of(1, 2), ballot.supporters());
    assertEquals(new Ballot.Won(7), ballot.voted(3, new Vote.Yes(7), 170, 180));
  }

  /** The answer to the first question says nothing about the moment of the second. */
  @Test
  void anAnswerToAnEarlierQuestionMakesNoOldVoteFresh() {
    theFirstVoteIsTooOld();
    assertEquals(WAIT, ballot.raised(0, 7, FRESH, FRESH + 2));
    assertEquals(new Ballot.Won(7), ballot.raised(0, 7, FRESH + 1, FRESH + 3));
  }

  /** Until then there is no quorum, and the others may have lost the lock meanwhile. */
  @Test
  void aVoteThatReplacesOneThatIsGoneHasTheOthersAskedAgain() {
    theFirstVoteIsTooOld();
    assertEquals(WAIT, ballot.notRaised(0, away(), 170));
    assertEquals(new Ballot.Raise(7, Set.of(1, 2)), ballot.voted(3, new Vote.Yes(7), 390, 400));
    assertEquals(WAIT, ballot.raised(1, 7, 410, 420));
    assertEquals(new Ballot.Won(7), ballot.raised(2, 7, 410, 420));
  }

  /**
   * The greatest number of a quorum that holds the lock is above all tokens before; no other is.
   */
  @Test
  void theNumberOfANodeThatMayHaveLostTheLockMakesTheTokenNoSmaller() {
    ballot.voted(0, new Vote.Yes(5), 0, 10);
    ballot.voted(1, new Vote.Yes(7), 300, 310);
    assertEquals(new Ballot.Raise(8, Set.of(0, 1)), ballot.voted(2, new Vote.Yes(8), 300, 310));
    assertEquals(new Ballot.Raise(9, Set.of(2)), ballot.voted(3, new Vote.Yes(9), 300, 320));
    assertEquals(new Ballot.Raise(9, Set.of(1)), ballot.raised(1, 8, 320, 330));
    assertEquals(WAIT, ballot.raised(1, 9, 340, 350));
    assertEquals(new Ballot.Won(9), ballot.raised(2, 9, 340, 350));
  }

  @Test
  void ofASplitVoteTheOneWithTheMostNodesAsksAgain() {
    yes(0);
    yes(4);
    no(1, "b", 10);
    no(2, "c", 10);
    assertEquals(new Ballot.AskAgain(1, Set.of(1, 2, 3)), no(3, "d", 10));
    assertFalse(ballot.isDecided());
    assertEquals(WAIT, no(1, "b", 10));
    assertEquals(new Ballot.Won(7), yes(2));
  }

  @Test
  void ofTwoWithAsManyNodesTheOneWithTheFirstAsksAgain() {
    yes(0);
    yes(4);
    no(1, "b", 10);
    no(2, "b", 10);
    assertEquals(new Ballot.AskAgain(1, Set.of(1, 2, 3)), no(3, "c", 10));
  }

  /** When a quorum may be free: the nodes that it has itself are, and the others when they say. */
  @Test
  void theOtherOneWithdraws() {
    no(0, "b", 30);
    no(2, "b", 20);
    yes(1);
    yes(4);
    assertEquals(lost(20), no(3, "c", 50));
    assertTrue(ballot.isDecided());
  }

  @Test
  void asDoesOneWithoutAnyNode() {
    no(0, "b", 10);
    no(1, "c", 40);
    no(2, "d", 30);
    no(3, "e", 20);
    assertEquals(lost(30), no(4, "f", 50));
  }

  @Test
  void aSplitIsNotAskedAboutForEver() {
    yes(0);
    yes(1);
    for (int round = 1; round <= 10; round++) {
      no(2, "b", 10);
      no(3, "c", 10);
      assertEquals(new Ballot.AskAgain(round, Set.of(2, 3, 4)), no(4, "d", 10));
    }
    no(2, "b", 10);
    no(3, "c", 10);
    assertEquals(lost(10), no(4, "d", 10));
  }

  @Test
  void givingUpHasLost() {
    yes(0);
    assertEquals(new Ballot.Lost(Optional.empty()), ballot.giveUp());
    assertTrue(ballot.isDecided());
  }

  @Test
  void anotherWithAQuorumIsTheHolder() {
    no(0, "b", 10);
    no(1, "b", 40);
    assertEquals(lost(40), no(4, "b", 20));
  }

  @Test
  void severalOthersAreNotTakenForOne() {
    no(0, "b", 10);
    no(1, "c", 40);
    assertEquals(WAIT, no(4, "d", 20));
  }

  @Test
  void aKeyWithoutATtlIsNotWaitedFor() {
    no(0, "b", 10);
    no(1, "b", 40);
    assertEquals(
        new Ballot.Lost(Optional.empty()),
        ballot.voted(2, new Vote.No("b", Optional.empty()), 0, 0));
  }

  @Test
  void withoutAnswersOfAQuorumTheReasonsAreTold() {
    List<LockException> why = List.of(away(), away(), away());
    yes(3);
    assertEquals(WAIT, none(0, why.get(0)));
    assertEquals(WAIT, none(1, why.get(1)));
    assertEquals(new Ballot.NoQuorum(why), none(2, why.get(2)));
  }

  /** It may be free soon: that is no failure. */
  @Test
  void aLockOfAnotherIsContendedThoughNodesAreAway() {
    no(3, "b", 10);
    none(0, away());
    none(1, away());
    assertEquals(new Ballot.Lost(Optional.empty()), none(2, away()));
  }

  /** Whether it helps to try again is told by how many refuse. */
  @Test
  void aRefusalIsToldWithTheAnswersOfAll() {
    LockException refusal = new LockRejectedException("not permitted");
    List<LockException> why = List.of(refusal, away(), away(), refusal, refusal);
    for (int node = 0; node < 4; node++) {
      assertEquals(WAIT, none(node, why.get(node)));
    }
    assertEquals(new Ballot.NoQuorum(why), none(4, why.get(4)));
  }
}
