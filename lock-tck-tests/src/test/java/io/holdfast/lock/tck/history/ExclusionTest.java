/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the checker's verdicts on holders and their tokens. */
class ExclusionTest {

  @Test
  void oneAfterTheOtherIsRight() {
    Story story = new Story().held("p1", 1, 10, 20, 7).held("p2", 1, 30, 40, 8);
    assertEquals(List.of(), story.found());
  }

  @Test
  void twoAtOnceAreNot() {
    Story story = new Story().held("p1", 1, 10, 20, 7).held("p2", 1, 19, 40, 8);
    assertEquals(List.of(Kind.OVERLAP), story.found());
    Violation violation = Checker.check(story.history(), Story.DEMANDED).get(0);
    assertTrue(
        violation.sentence().startsWith("p1/t1 and p2/t1 held a at once for at least 1.000 ms"),
        violation.sentence());
    assertEquals(4, violation.events().size());
  }

  @Test
  void oneMayEndAsTheNextBegins() {
    Story story = new Story().held("p1", 1, 10, 20, 7).held("p2", 1, 20, 40, 8);
    assertEquals(List.of(), story.found());
  }

  @Test
  void aLongOneIsComparedWithAllThatAreWithin() {
    Story story =
        new Story()
            .held("p1", 1, 10, 100, 7)
            .held("p2", 1, 20, 30, 8)
            .held("p2", 2, 40, 50, 9)
            .held("p3", 1, 110, 120, 10);
    assertEquals(List.of(Kind.OVERLAP, Kind.OVERLAP), story.found());
  }

  @Test
  void oneThatWasGrantedWithTimeLeftWasValidThenThoughItNeverLooked() {
    Story story = new Story().held("p1", 1, 10, 100, 7).asked("p2", 1, 15);
    assertEquals(List.of(), story.granted("p2", 1, 50, 8, 0).killed("p2", 51).found());
    story = new Story().held("p1", 1, 10, 100, 7).asked("p2", 1, 15);
    assertEquals(List.of(Kind.OVERLAP), story.granted("p2", 1, 50, 8, 1).killed("p2", 51).found());
  }

  @Test
  void aKilledHolderBelievesNoLongerThanItSaid() {
    Story story =
        new Story().believed("p1", 1, 10, 20, 7).killed("p1", 25).held("p2", 1, 22, 40, 8);
    assertEquals(List.of(), story.found());
  }

  @Test
  void aSuspendedHolderThatFindsItsEndAfterwardsIsRight() {
    Story story =
        new Story()
            .believed("p1", 1, 10, 20, 7)
            .suspended("p1", 21, 5_000)
            .held("p2", 1, 2_100, 2_200, 8)
            .doubted("p1", 1, 5_001)
            .lost("p1", 1, 5_002)
            .released("p1", 1, 5_003, ReleaseOutcome.ALREADY_LOST);
    assertEquals(List.of(), story.found());
  }

  @Test
  void aSuspendedHolderThatStillBelievesAfterwardsIsNot() {
    Story story =
        new Story()
            .believed("p1", 1, 10, 5_001, 7)
            .suspended("p1", 21, 5_000)
            .held("p2", 1, 2_100, 2_200, 8);
    assertEquals(List.of(Kind.OVERLAP), story.found());
  }

  @Test
  void noLeaseIsValidAgain() {
    Story story = new Story().believed("p1", 1, 10, 20, 7).doubted("p1", 1, 15).lost("p1", 1, 16);
    assertEquals(List.of(Kind.VALID_AGAIN), story.found());
    story = new Story().believed("p1", 1, 10, 20, 7).doubted("p1", 1, 15);
    assertEquals(List.of(Kind.VALID_AGAIN), story.found());
    story = new Story().believed("p1", 1, 10, 20, 7).lost("p1", 1, 16);
    assertEquals(List.of(Kind.VALID_AGAIN), story.found());
    story = new Story().believed("p1", 1, 10, 20, 7).released("p1", 1, 19, ReleaseOutcome.RELEASED);
    assertEquals(List.of(Kind.VALID_AGAIN), story.found());
  }

  @Test
  void tokensGrow() {
    Story story = new Story().held("p1", 1, 10, 20, 7).held("p2", 1, 30, 40, 6);
    assertEquals(List.of(Kind.TOKEN_ORDER), story.found());
    assertEquals(List.of(), story.found(Story.DEMANDED.withFencing(false)));
  }

  @Test
  void noTokenComesTwice() {
    Story story = new Story().held("p1", 1, 10, 20, 7).held("p2", 1, 30, 40, 7);
    assertEquals(List.of(Kind.TOKEN_TWICE), story.found());
  }

  @Test
  void tokensGrowThoughTheLaterOneHadAskedFirst() {
    Story story = new Story().asked("p2", 1, 1).held("p1", 1, 10, 20, 7);
    story.granted("p2", 1, 30, 6, 2_000).released("p2", 1, 31, ReleaseOutcome.RELEASED);
    assertEquals(List.of(Kind.TOKEN_ORDER), story.found());
  }

  @Test
  void aLeasePassedOnByAnEndedTenureIsAsOldAsTheTenure() {
    Story story = new Story().held("p1", 1, 10, 20, 7).held("p2", 1, 30, 40, 9);
    story.asked("p1", 2, 45).passedOnInVain("p1", 2, 1, 50, 8);
    assertEquals(List.of(), story.found());
    story = new Story().held("p1", 1, 10, 20, 7).held("p2", 1, 30, 40, 9);
    story.asked("p1", 2, 45).passedOnInVain("p1", 2, 2, 50, 8);
    assertEquals(List.of(Kind.TOKEN_ORDER), story.found());
  }

  @Test
  void anAcquisitionThatGotNothingMayHaveBegunWhatIsPassedOn() {
    Story story = new Story().asked("p1", 1, 1).held("p2", 1, 30, 40, 9);
    story.asked("p1", 2, 45).passedOnInVain("p1", 2, 2, 50, 8);
    story.refused("p1", 1, 51, Refusal.TIMED_OUT);
    assertEquals(List.of(), story.found());
    story = new Story().asked("p1", 1, 1).held("p2", 1, 30, 40, 9);
    story.asked("p1", 2, 45).passedOn("p1", 2, 2, 50, 8);
    story.refused("p1", 1, 51, Refusal.TIMED_OUT);
    assertEquals(List.of(Kind.TOKEN_ORDER), story.found());
    story = new Story().asked("p3", 1, 1).held("p2", 1, 30, 40, 9);
    story.asked("p1", 2, 45).passedOnInVain("p1", 2, 2, 50, 8);
    story.refused("p3", 1, 51, Refusal.TIMED_OUT);
    assertEquals(List.of(Kind.TOKEN_ORDER), story.found());
  }

  @Test
  void anAnswerThatCameTooLateSaysNothingOfTheOrder() {
    Story story = new Story().asked("p2", 1, 1).held("p1", 1, 10, 20, 7);
    story.granted("p2", 1, 30, 6, 0).doubted("p2", 1, 31).lost("p2", 1, 32);
    assertEquals(List.of(), story.found());
  }

  @Test
  void aHolderIsNotRefused() {
    Story story = new Story().held("p1", 1, 10, 20, 7).writing("p1", 1, 14, 7);
    story.wrote("p1", 1, 15, 7, Answer.REFUSED, 0, 0);
    assertEquals(List.of(Kind.HOLDER_REFUSED), story.found());
  }

  @Test
  void aHolderThatLostMayBeRefused() {
    Story story = new Story().held("p1", 1, 10, 20, 7).held("p2", 1, 30, 40, 8);
    story.wrote("p2", 1, 35, 8, 0).writing("p1", 1, 19, 7);
    story.wrote("p1", 1, 36, 7, Answer.REFUSED, 0, 0);
    assertEquals(List.of(), story.found());
  }
}
