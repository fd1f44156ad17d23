/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the checker's verdicts on readers, writers and permits. */
class SharesTest {

  private static final Expectations FIFO = Story.DEMANDED.withFifo(true);

  private static Story reading(String process, long from, long until, long token) {
    return new Story().as(Share.READ).held(process, 1, from, until, token);
  }

  private static String sentence(Story story) {
    return Checker.check(story.history(), Story.DEMANDED).get(0).sentence();
  }

  @Test
  void readersHoldTogetherInAnyOrderOfTokens() {
    Story story = reading("p1", 10, 100, 9).held("p2", 1, 20, 90, 7).held("p3", 1, 30, 40, 9);
    assertEquals(List.of(), story.found());
  }

  @Test
  void aWriterHoldsAlone() {
    Story story = reading("p1", 10, 100, 7).held("p2", 1, 20, 40, 8);
    story.as(Share.WRITE).held("p3", 1, 101, 110, 9).as(Share.READ).held("p1", 2, 111, 120, 10);
    assertEquals(List.of(), story.found());
    story = reading("p1", 10, 100, 7).as(Share.WRITE).held("p3", 1, 99, 110, 9);
    assertEquals(List.of(Kind.OVERLAP), story.found());
    assertTrue(
        sentence(story).startsWith("p1/t1 (read) and p3/t1 (write) held a at once"),
        sentence(story));
    story = new Story().as(Share.WRITE).held("p3", 1, 10, 20, 7);
    assertEquals(List.of(Kind.OVERLAP), story.as(Share.READ).held("p1", 1, 19, 30, 8).found());
    story = new Story().as(Share.WRITE).held("p3", 1, 10, 20, 7).held("p1", 1, 19, 30, 8);
    assertEquals(List.of(Kind.OVERLAP), story.found());
  }

  @Test
  void permitsDoNotExceedTheCapacityAtAnyInstant() {
    Story story = new Story().as(Share.of(1, 3)).held("p1", 1, 10, 100, 7);
    story.held("p2", 1, 20, 40, 8).as(Share.of(2, 3)).held("p3", 1, 40, 90, 9);
    assertEquals(List.of(), story.found());
    story.as(Share.of(1, 3)).held("p2", 2, 89, 95, 10);
    assertEquals(List.of(Kind.OVERLAP), story.found());
    assertTrue(sentence(story).contains("for at least 1.000 ms"), sentence(story));
  }

  @Test
  void manySmallOnesAreSummedUp() {
    Story story = new Story().as(Share.of(1, 3));
    for (int i = 1; i <= 3; i++) {
      story.held("p" + i, 1, 10 + i, 100 - i, i);
    }
    assertEquals(List.of(), story.found());
    assertEquals(List.of(Kind.OVERLAP), story.held("p4", 1, 50, 60, 9).found());
    assertEquals(8, Checker.check(story.history(), Story.DEMANDED).get(0).events().size());
  }

  @Test
  void aNameHasOneCapacityAtATime() {
    Story story = new Story().as(Share.of(1, 3)).held("p1", 1, 10, 20, 7);
    story.as(Share.of(1, 4)).held("p2", 1, 20, 40, 8);
    assertEquals(List.of(), story.found());
    story.as(Share.of(1, 3)).held("p3", 1, 30, 50, 9);
    assertEquals(List.of(Kind.TWO_CAPACITIES), story.found());
    story = new Story().held("p1", 1, 10, 20, 7).as(Share.READ).held("p2", 1, 19, 40, 8);
    assertEquals(List.of(Kind.TWO_CAPACITIES), story.found());
  }

  @Test
  void tokensOfThoseThatDoNotFitTogetherGrow() {
    Story story = reading("p1", 10, 20, 7).as(Share.WRITE).held("p2", 1, 30, 40, 6);
    assertEquals(List.of(Kind.TOKEN_ORDER), story.found());
    story = new Story().as(Share.WRITE).held("p2", 1, 10, 20, 7);
    assertEquals(List.of(Kind.TOKEN_ORDER), story.as(Share.READ).held("p1", 1, 30, 40, 6).found());
    story = reading("p1", 10, 20, 7).as(Share.WRITE).held("p2", 1, 30, 40, 7);
    assertEquals(List.of(Kind.TOKEN_TWICE), story.found());
    story = new Story().as(Share.of(2, 3)).held("p1", 1, 10, 20, 7);
    assertEquals(List.of(), story.as(Share.of(1, 3)).held("p2", 1, 30, 40, 6).found());
    assertEquals(
        List.of(Kind.TOKEN_ORDER), story.as(Share.of(2, 3)).held("p3", 1, 50, 60, 6).found());
  }

  @Test
  void aWriterBetweenADowngradeAndItsReaderHasAGreaterToken() {
    Story story = new Story().as(Share.WRITE).held("p1", 1, 10, 20, 7).held("p2", 1, 23, 25, 9);
    story.as(Share.READ).asked("p1", 2, 20).passedOn("p1", 2, 1, 30, 8);
    assertEquals(List.of(Kind.TOKEN_ORDER), story.found());
  }

  @Test
  void ofThoseThatFitTogetherTheLaterMayBeFirst() {
    Story story = new Story().as(Share.WRITE).held("p0", 1, 10, 100, 7);
    story.as(Share.READ).asked("p1", 1, 20).queued("p1", 1, 22);
    story.held("p2", 1, 110, 140, 8).granted("p1", 1, 130, 9, 2_000);
    assertEquals(List.of(), story.found(FIFO));
    story = new Story().as(Share.WRITE).held("p0", 1, 10, 100, 7);
    story.asked("p1", 1, 20).queued("p1", 1, 22).as(Share.READ).held("p2", 1, 110, 120, 8);
    story.as(Share.WRITE).granted("p1", 1, 130, 9, 2_000);
    assertEquals(List.of(Kind.OUT_OF_TURN), story.found(FIFO));
  }

  /** A writer waits from 20 on, told so every 50 ms; readers come every 10 ms for 8 ms. */
  private static Story busy(int readers) {
    Story story = reading("p0", 10, 100, 1).as(Share.WRITE).asked("p1", 1, 19);
    for (int i = 0; i < 20; i++) {
      story.queued("p1", 1, 20 + 50L * i);
    }
    story.as(Share.READ);
    for (int i = 1; i <= readers; i++) {
      story.held("p2", i, 22 + 10L * i, 30 + 10L * i, 1 + i);
    }
    return story;
  }

  @Test
  void aWriterIsNotPassedByReaderAfterReader() {
    assertEquals(List.of(), busy(20).found());
    assertEquals(List.of(Kind.STARVED), busy(21).found());
    String sentence = sentence(busy(30));
    assertTrue(sentence.startsWith("p1 waited for a (write) from 0.011"), sentence);
    assertTrue(sentence.contains("passed by 30 that came later"), sentence);
  }

  @Test
  void aWaiterThatLostItsPlaceByAFaultOrItsOwnSilenceIsNotStarved() {
    assertEquals(List.of(), busy(30).fault(150, 200, 1, "cut").found());
    assertEquals(List.of(), busy(30).suspended("p1", 150, 200).found());
    assertEquals(List.of(Kind.STARVED), busy(30).suspended("p2", 150, 152).found());
    Story story = new Story().as(Share.WRITE).asked("p1", 1, 19);
    story.queued("p1", 1, 20).queued("p1", 1, 521).as(Share.READ);
    for (int i = 1; i <= 30; i++) {
      story.held("p2", i, 22 + 10L * i, 30 + 10L * i, 1 + i);
    }
    assertEquals(List.of(), story.found());
  }

  @Test
  void aLeasePassedOnWithinAClientPassesNobody() {
    Story story = busy(0).asked("p2", 1, 21).granted("p2", 1, 22, 2, 2_000);
    for (int i = 2; i <= 40; i++) {
      story.asked("p2", i, 20 + 10L * i).passedOn("p2", i, 1, 21 + 10L * i, 1 + i);
      story.released("p2", i, 22 + 10L * i, ReleaseOutcome.RELEASED);
    }
    assertEquals(List.of(), story.found());
  }

  @Test
  void aPlainLockWithoutAQueuePromisesNoOrder() {
    Story story = new Story().asked("p1", 1, 19);
    for (int i = 0; i < 20; i++) {
      story.queued("p1", 1, 20 + 50L * i);
    }
    for (int i = 1; i <= 40; i++) {
      story.held("p2", i, 22 + 10L * i, 28 + 10L * i, 1 + i);
    }
    assertEquals(List.of(), story.found());
  }
}
