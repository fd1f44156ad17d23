/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.tck.history.Violation.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the checker's verdicts on writes under a lock, with tokens and without. */
class WritesTest {

  /** Two holders, one after the other. */
  private static Story holders() {
    return new Story().held("p1", 1, 10, 20, 7).held("p2", 1, 30, 40, 8);
  }

  @Test
  void oneAfterTheOtherIsRight() {
    Story story = holders().wrote("p1", 1, 12, 7, 0).wrote("p2", 1, 32, 8, 1).counted(90, 2);
    assertEquals(List.of(), story.found());
    story = holders().wrote("p1", 1, 12, 0, 0).wrote("p2", 1, 32, 0, 1).counted(90, 2);
    assertEquals(List.of(), story.found());
  }

  @Test
  void aHolderMayWriteTwice() {
    Story story = holders().wrote("p1", 1, 12, 7, 0).wrote("p1", 1, 14, 7, 1);
    assertEquals(List.of(), story.wrote("p2", 1, 32, 8, 2).counted(90, 3).found());
  }

  @Test
  void anInitialValueIsNoLoss() {
    Story story = holders().counted(1, 5).wrote("p1", 1, 12, 7, 5).wrote("p2", 1, 32, 8, 6);
    assertEquals(List.of(), story.found());
    story = holders().counted(1, 5).wrote("p1", 1, 12, 0, 5).wrote("p2", 1, 32, 0, 6);
    assertEquals(List.of(), story.found());
  }

  @Test
  void aSmallerTokenAfterAGreaterOneIsStale() {
    Story story = holders().wrote("p2", 1, 32, 8, 0).wrote("p1", 1, 33, 7, 1);
    assertEquals(List.of(Kind.STALE_WRITE), story.found());
  }

  @Test
  void aRefusedWriteIsNoViolation() {
    Story story = holders().wrote("p2", 1, 32, 8, 0).writing("p1", 1, 19, 7);
    story.wrote("p1", 1, 33, 7, Answer.REFUSED, 0, 0).counted(90, 1);
    assertEquals(List.of(), story.found());
  }

  @Test
  void twoThatHaveReadTheSameLoseOne() {
    Story story = holders().wrote("p1", 1, 12, 7, 0).wrote("p2", 1, 32, 8, 0);
    assertEquals(List.of(Kind.LOST_UPDATE), story.found());
    story = holders().wrote("p1", 1, 12, 0, 0).wrote("p2", 1, 32, 0, 0);
    assertEquals(List.of(Kind.LOST_UPDATE), story.found());
  }

  @Test
  void valuesDoNotGoBack() {
    Story story = holders().wrote("p1", 1, 12, 7, 1).wrote("p2", 1, 32, 8, 0);
    assertEquals(List.of(Kind.LOST_UPDATE, Kind.STALE_WRITE), story.found());
  }

  @Test
  void theSumIsThatOfTheWrites() {
    assertEquals(
        List.of(Kind.LOST_UPDATE), holders().wrote("p1", 1, 12, 7, 0).counted(90, 0).found());
    assertEquals(
        List.of(Kind.LOST_UPDATE), holders().wrote("p1", 1, 12, 7, 0).counted(90, 2).found());
    assertEquals(
        List.of(Kind.LOST_UPDATE), holders().wrote("p1", 1, 12, 0, 0).counted(90, 0).found());
  }

  @Test
  void aValueFromNowhereIsAViolationAndOneOfAKilledWriterIsNot() {
    Story story = holders().wrote("p1", 1, 12, 7, 0).wrote("p2", 1, 32, 8, 2);
    assertEquals(List.of(Kind.LOST_UPDATE), story.found());
    story.writing("p1", 1, 19, 7).killed("p1", 20);
    assertEquals(List.of(), story.found());
  }

  @Test
  void anUnknownAnswerExplainsOneAndNoMore() {
    Story story = holders().writing("p1", 1, 11, 7).wrote("p1", 1, 12, 7, Answer.UNKNOWN, 0, 0);
    story.wrote("p2", 1, 32, 8, 1);
    assertEquals(List.of(), story.counted(90, 2).found());
    assertEquals(List.of(Kind.LOST_UPDATE), story.counted(91, 4).found());
  }

  @Test
  void withoutTokensAWriteAfterTheEndOfTheLeaseMayLoseOneUpdate() {
    // Begun at 19 and believed until 20, done at 34: after the other's first, and over it.
    Story story = holders().writing("p1", 1, 19, 0).wrote("p2", 1, 32, 0, 0);
    story.wrote("p1", 1, 34, 0, Answer.ACCEPTED, 0, 1).wrote("p2", 1, 36, 0, 1);
    assertEquals(List.of(), story.found());
    assertEquals(List.of(), story.wrote("p2", 1, 38, 0, 2).counted(90, 3).found());
    assertEquals(List.of(Kind.LOST_UPDATE), story.wrote("p2", 1, 39, 0, 2).found());
  }

  @Test
  void withoutTokensAStrayWriteExplainsOneLossOnly() {
    Story story = holders().writing("p1", 1, 19, 0).wrote("p2", 1, 32, 0, 0);
    story.wrote("p1", 1, 39, 0, Answer.ACCEPTED, 0, 1).wrote("p2", 1, 34, 0, 0);
    assertEquals(List.of(), story.found());
    assertEquals(List.of(Kind.LOST_UPDATE), story.wrote("p2", 1, 36, 0, 0).found());
  }

  @Test
  void withTokensNothingIsExcused() {
    Story story = holders().writing("p1", 1, 19, 7).wrote("p2", 1, 32, 8, 0);
    story.wrote("p1", 1, 34, 7, Answer.ACCEPTED, 0, 1);
    assertEquals(List.of(Kind.LOST_UPDATE, Kind.STALE_WRITE), story.found());
  }
}
