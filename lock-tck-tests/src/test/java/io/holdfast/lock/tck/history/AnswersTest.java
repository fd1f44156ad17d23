/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the checker's verdicts on answers to holders, and on waiters. */
class AnswersTest {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Expectations FIFO = Story.DEMANDED.withFifo(true);

  @Test
  void aLossIsToldOnce() {
    Story story = new Story().believed("p1", 1, 10, 20, 7).doubted("p1", 1, 30);
    story.lost("p1", 1, 31);
    assertEquals(List.of(), story.found());
    assertEquals(List.of(Kind.LOST_TWICE), story.lost("p1", 1, 32).found());
  }

  @Test
  void aReleasedLeaseIsNotLost() {
    Story story = new Story().held("p1", 1, 10, 20, 7).lost("p1", 1, 31);
    assertEquals(List.of(Kind.RELEASED_AND_LOST), story.found());
  }

  @Test
  void aLossIsToldInTime() {
    Story story = new Story().believed("p1", 1, 10, 20, 7).doubted("p1", 1, 30);
    assertEquals(List.of(), story.finished("p1", 1_000).found());
    assertEquals(List.of(Kind.NOT_TOLD), story.lost("p1", 1, 1_031).found());
  }

  @Test
  void aLossThatIsNeverToldIsFound() {
    Story story = new Story().believed("p1", 1, 10, 20, 7).doubted("p1", 1, 30);
    assertEquals(List.of(Kind.NOT_TOLD), story.finished("p1", 2_000).found());
    story =
        new Story()
            .believed("p1", 1, 10, 20, 7)
            .released("p1", 1, 21, ReleaseOutcome.ALREADY_LOST)
            .finished("p1", 2_000);
    assertEquals(List.of(Kind.NOT_TOLD), story.found());
  }

  @Test
  void aMachineThatStoodStillIsNotWhyNobodyEverTells() {
    Story story = new Story().believed("p1", 1, 10, 20, 7).doubted("p1", 1, 30);
    assertEquals(List.of(Kind.NOT_TOLD), story.finished("p1", 5_029).found());
    story = new Story().believed("p1", 1, 10, 20, 7).doubted("p1", 1, 30);
    assertEquals(List.of(Kind.NEVER_TOLD), story.finished("p1", 5_031).found());
    assertEquals(List.of(Kind.NOT_TOLD), story.lost("p1", 1, 5_031).found());
  }

  @Test
  void aSuspendedOrKilledProcessIsNotLate() {
    Story story = new Story().believed("p1", 1, 10, 20, 7).doubted("p1", 1, 30);
    story.suspended("p1", 31, 3_000).lost("p1", 1, 3_001);
    assertEquals(List.of(), story.found());
    story = new Story().believed("p1", 1, 10, 20, 7).doubted("p1", 1, 30);
    story.killed("p1", 40).finished("runner", 9_000);
    assertEquals(List.of(), story.found());
  }

  @Test
  void aWaitEndsAtItsLimit() {
    Story story = new Story().asked("p1", 1, 10, SECOND);
    story.refused("p1", 1, 2_900, Refusal.TIMED_OUT);
    assertEquals(List.of(), story.found());
    story = new Story().asked("p1", 1, 10, SECOND);
    story.refused("p1", 1, 3_100, Refusal.TIMED_OUT);
    assertEquals(List.of(Kind.WAITED_TOO_LONG), story.found());
    assertEquals(List.of(), story.suspended("p1", 20, 400).found());
  }

  @Test
  void eachRequestIsAnswered() {
    Story story = new Story().asked("p1", 1, 10, SECOND);
    assertEquals(List.of(), story.finished("runner", 2_900).found());
    assertEquals(List.of(Kind.NO_ANSWER), story.finished("runner", 3_100).found());
    story = new Story().asked("p1", 1, 10, SECOND).finished("p1", 20);
    assertEquals(List.of(Kind.NO_ANSWER), story.found());
    story = new Story().asked("p1", 1, 10, SECOND).killed("p1", 20).finished("runner", 9_000);
    assertEquals(List.of(), story.found());
    story = new Story().asked("p1", 1, 10, Event.Asked.NO_LIMIT).finished("runner", 4_000);
    assertEquals(List.of(), story.found());
  }

  @Test
  void nobodyDiesByItself() {
    Story story = new Story().asked("p1", 1, 10, SECOND).exited("p1", 20);
    assertEquals(List.of(Kind.DIED), story.finished("runner", 9_000).found());
    assertEquals(List.of(), new Story().finished("p1", 10).exited("p1", 20).found());
  }

  @Test
  void anUnknownFailureIsNeverRight() {
    Story story = new Story().asked("p1", 1, 10).refused("p1", 1, 11, Refusal.FAILED);
    assertEquals(List.of(Kind.FAILED), story.found());
    story = new Story().asked("p1", 1, 10).refused("p1", 1, 11, Refusal.UNAVAILABLE);
    assertEquals(List.of(), story.found());
  }

  @Test
  void nothingIsLeftBehind() {
    assertEquals(List.of(Kind.RESIDUE), new Story().residue(10, "a key").found());
  }

  @Test
  void aLockThatIsWantedIsHadAgain() {
    Story stuck = new Story().fault(10, 1_000, 1, "cut").asked("p1", 1, 500);
    assertEquals(List.of(), stuck.finished("runner", 5_900).found());
    assertEquals(List.of(Kind.STUCK), stuck.finished("runner", 6_100).found());
    stuck.granted("p1", 1, 5_900, 7, 2_000).released("p1", 1, 5_950, ReleaseOutcome.RELEASED);
    assertEquals(List.of(), stuck.found());
  }

  @Test
  void aMachineThatStoodStillIsNotWhyALockNeverComesBack() {
    Story story = new Story().asked("p1", 1, 10).refused("p1", 1, 15_009, Refusal.CLOSED);
    assertEquals(List.of(Kind.STUCK), story.found());
    story = new Story().asked("p1", 1, 10).refused("p1", 1, 15_011, Refusal.CLOSED);
    assertEquals(List.of(Kind.NEVER_RECOVERED), story.found());
  }

  @Test
  void aHolderOfALockForLongIsNotNobody() {
    Story story = new Story().asked("p1", 1, 10);
    story.believed("p2", 1, 20, 9_000, 7).released("p2", 1, 9_001, ReleaseOutcome.RELEASED);
    assertEquals(List.of(), story.finished("runner", 9_100).found());
  }

  @Test
  void aGhostKeepsAllThatDoNotWaitFromALock() {
    Story story = new Story().fault(10, 1_000, 1, "cut");
    for (int attempt = 0; attempt < 60; attempt++) {
      long at = 1_000 + attempt * 100L;
      story.asked("p1", attempt, at, Duration.ZERO).refused("p1", attempt, at + 1, Refusal.BUSY);
    }
    assertEquals(List.of(Kind.STUCK), story.found());
    story.believed("p2", 1, 900, 4_000, 7).released("p2", 1, 4_001, ReleaseOutcome.RELEASED);
    assertEquals(List.of(), story.found());
  }

  @Test
  void timeToRecoverIsCountedFromTheLastHarm() {
    Story story = new Story().believed("p2", 1, 10, 20, 7).asked("p1", 1, 30).killed("p2", 3_000);
    assertEquals(List.of(), story.finished("runner", 7_900).found());
    assertEquals(List.of(Kind.STUCK), story.finished("runner", 8_100).found());
  }

  @Test
  void aFaultThatNeverEndsExcusesNothing() {
    Story story = new Story().asked("p1", 1, 10).finished("runner", 6_000);
    story.add(new Event.FaultBegun(Story.ms(5), "runner", 1, "one node killed", "server"));
    assertEquals(List.of(Kind.STUCK), story.found());
  }

  @Test
  void aWaiterThatGaveUpByItselfDidNotWantIt() {
    Story story = new Story().asked("p1", 1, 10).refused("p1", 1, 6_000, Refusal.CANCELLED);
    assertEquals(List.of(), story.found());
  }

  @Test
  void aLockThatNobodyWantsIsNotStuck() {
    Story story = new Story().fault(10, 1_000, 1, "cut").held("p1", 1, 1_100, 1_200, 7);
    assertEquals(List.of(), story.finished("runner", 20_000).found());
  }

  @Test
  void theFirstInTheQueueIsServedFirst() {
    Story story = new Story().held("p0", 1, 10, 100, 7).asked("p1", 1, 20).queued("p1", 1, 22);
    story.held("p2", 1, 110, 120, 8).granted("p1", 1, 130, 9, 2_000);
    assertEquals(List.of(), story.found());
    assertEquals(List.of(Kind.OUT_OF_TURN), story.found(FIFO));
    assertEquals(List.of(), story.fault(50, 60, 1, "cut").found(FIFO));
  }

  @Test
  void aWaiterThatTheServersFailedMayHaveLostItsPlace() {
    Story story = new Story().held("p0", 1, 10, 100, 7).asked("p1", 1, 20).queued("p1", 1, 22);
    story.held("p2", 1, 110, 120, 8).granted("p1", 1, 130, 9, 2_000);
    story.asked("p2", 2, 40).refused("p2", 2, 50, Refusal.UNAVAILABLE);
    story.asked("p1", 2, 10).refused("p1", 2, 15, Refusal.UNAVAILABLE);
    assertEquals(List.of(Kind.OUT_OF_TURN), story.found(FIFO));
    story.asked("p1", 3, 40).refused("p1", 3, 50, Refusal.UNAVAILABLE);
    assertEquals(List.of(), story.found(FIFO));
  }

  @Test
  void aWaiterThatGotNoAnswerMayHaveLostItsPlace() {
    Story story = new Story().held("p0", 1, 10, 100, 7).asked("p1", 1, 20).queued("p1", 1, 22);
    story.held("p2", 1, 110, 120, 8).granted("p1", 1, 130, 9, 2_000);
    story.unanswered("p2", 2, 50).unanswered("p1", 2, 15);
    assertEquals(List.of(Kind.OUT_OF_TURN), story.found(FIFO));
    assertEquals(List.of(), story.unanswered("p1", 3, 50).found(FIFO));
  }

  @Test
  void aPlaceMayBeLostBeforeItIsTold() {
    Story story = new Story().held("p0", 1, 10, 100, 7).asked("p1", 1, 20).queued("p1", 1, 30);
    story.held("p2", 1, 110, 120, 8).granted("p1", 1, 130, 9, 2_000).fault(12, 18, 1, "cut");
    assertEquals(List.of(Kind.OUT_OF_TURN), story.found(FIFO));
    assertEquals(List.of(), story.fault(21, 28, 2, "leases revoked").found(FIFO));
  }

  @Test
  void aGrantForAWaiterThatGaveUpIsPassedOnInItsTurn() {
    Story story = new Story().held("p0", 1, 10, 400, 7).asked("p1", 1, 20).queued("p1", 1, 22);
    story.held("p2", 1, 410, 420, 8).granted("p1", 1, 430, 9, 2_000);
    story.asked("p2", 2, 15).refused("p2", 2, 200, Refusal.CANCELLED);
    story.asked("p2", 3, 25).refused("p2", 3, 409, Refusal.CANCELLED);
    assertEquals(List.of(Kind.OUT_OF_TURN), story.found(FIFO));
    story.asked("p2", 4, 15).refused("p2", 4, 409, Refusal.CANCELLED);
    assertEquals(List.of(), story.found(FIFO));
  }

  @Test
  void aPlaceThatSomebodyElseInTheProcessTookIsAsOldAsThat() {
    Story story = new Story().held("p0", 1, 10, 40, 7).queued("p1", 2, 22);
    story.held("p2", 1, 70, 90, 8).asked("p1", 2, 110).granted("p1", 2, 130, 9, 2_000);
    assertEquals(List.of(Kind.OUT_OF_TURN), story.found(FIFO));
    assertEquals(List.of(), story.fault(50, 60, 1, "cut").found(FIFO));
  }

  @Test
  void beingServedInTheOldPlaceOfAnotherInTheProcessIsInTurn() {
    Story story = new Story().held("p0", 1, 10, 40, 7).queued("p1", 2, 12);
    story.asked("p2", 1, 20).queued("p2", 1, 22);
    story.asked("p1", 2, 30).granted("p1", 2, 45, 8, 10).granted("p2", 1, 70, 9, 2_000);
    assertEquals(List.of(), story.found(FIFO));
  }

  @Test
  void aWaiterThatIsPassedALockNeedsNoPlace() {
    Story story = new Story().held("p0", 1, 10, 100, 7).asked("p1", 1, 20).queued("p1", 1, 22);
    story.asked("p0", 2, 50).passedOn("p0", 2, 1, 102, 8);
    story.released("p0", 2, 110, ReleaseOutcome.RELEASED).granted("p1", 1, 130, 9, 2_000);
    assertEquals(List.of(), story.found(FIFO));
  }

  @Test
  void theLongestWaiterIsPassedOverThoughAnotherWasToo() {
    Story story = new Story().held("p0", 1, 10, 100, 7).asked("p1", 1, 20).queued("p1", 1, 22);
    story.asked("p2", 1, 40).granted("p2", 1, 110, 8, 2_000);
    story.released("p2", 1, 120, ReleaseOutcome.RELEASED);
    story.asked("p3", 1, 59).queued("p3", 1, 60).granted("p3", 1, 130, 9, 2_000);
    story.released("p3", 1, 140, ReleaseOutcome.RELEASED).granted("p1", 1, 150, 10, 2_000);
    assertEquals(List.of(Kind.OUT_OF_TURN, Kind.OUT_OF_TURN), story.found(FIFO));
  }

  @Test
  void aRequestBeforeTheOtherHadAPlaceMayBeFirst() {
    Story story = new Story().held("p0", 1, 10, 100, 7).asked("p1", 1, 20).queued("p1", 1, 22);
    story.asked("p2", 1, 21).granted("p2", 1, 110, 8, 2_000);
    story.released("p2", 1, 120, ReleaseOutcome.RELEASED).granted("p1", 1, 130, 9, 2_000);
    assertEquals(List.of(), story.found(FIFO));
  }

  @Test
  void ofOneProcessAnotherMayBeFirst() {
    Story story = new Story().held("p0", 1, 10, 100, 7).asked("p1", 1, 20).queued("p1", 1, 22);
    story.held("p1", 2, 110, 120, 8).granted("p1", 1, 130, 9, 2_000);
    assertEquals(List.of(), story.found(FIFO));
  }
}
