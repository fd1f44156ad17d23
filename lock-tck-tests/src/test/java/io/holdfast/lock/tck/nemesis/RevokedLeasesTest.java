/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.tck.NamedFault;
import io.holdfast.lock.tck.history.Event;
import io.holdfast.lock.tck.history.History;
import io.holdfast.lock.tck.history.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RevokedLeasesTest {

  private static final Duration LONGEST = Duration.ofMillis(300);

  private static final NamedFault TAKING = NamedFault.taking("revocation", () -> {});
  private static final NamedFault LOSING =
      NamedFault.losing("restart of one", Duration.ZERO, Duration.ZERO, () -> {}, () -> {});
  private static final NamedFault SURVIVED =
      NamedFault.survived("cut", Duration.ZERO, Duration.ZERO, () -> {}, () -> {});

  private static RevokedLeases revoked(NamedFault fault, long grantedAt, long believedAt) {
    History history =
        new History(
            List.of(
                new Event.Granted(at(grantedAt), "p", 1, "lock", "owner", 7, Duration.ofSeconds(1)),
                new Event.Believed(at(believedAt), "p", 1)));
    ScheduledFault scheduled = new ScheduledFault(Duration.ZERO, Duration.ZERO, "server", fault);
    return new RevokedLeases(
        history,
        List.of(new FaultRunner.Struck(scheduled, at(100), at(110), true)),
        Optional.of(Duration.ofSeconds(1)),
        LONGEST);
  }

  private static long at(long millis) {
    return Duration.ofMillis(millis).toNanos();
  }

  private static List<Violation.Kind> found(NamedFault fault, long grantedAt, long believedAt) {
    return revoked(fault, grantedAt, believedAt).stillBelieved(List.of("lock")).stream()
        .map(Violation::kind)
        .toList();
  }

  @Test
  void aRevokedLeaseIsNotBelievedForLongerThanItIsValid() {
    assertEquals(List.of(Violation.Kind.STILL_BELIEVED), found(TAKING, 90, 411));
    assertEquals(List.of(), found(TAKING, 90, 409));
    assertEquals(List.of(), found(TAKING, 101, 900), "perhaps granted afterwards");
    assertEquals(List.of(), found(LOSING, 90, 900), "perhaps not lost");
    assertEquals(List.of(), found(SURVIVED, 90, 900));
  }

  @Test
  void anAnswerMayHaveComeLate() {
    ScheduledFault scheduled = new ScheduledFault(Duration.ZERO, Duration.ZERO, "server", TAKING);
    for (long left : List.of(970L, 990L)) {
      History history =
          new History(
              List.of(
                  new Event.Asked(at(50), "p", 1, "t", "lock", Duration.ofSeconds(1)),
                  new Event.Granted(at(130), "p", 1, "lock", "owner", 7, Duration.ofMillis(left)),
                  new Event.Believed(at(140), "p", 1),
                  new Event.Asked(at(145), "p", 2, "t", "lock", Duration.ofSeconds(1)),
                  new Event.Granted(at(150), "p", 2, "lock", "owner", 8, Duration.ofMillis(999)),
                  new Event.Believed(at(160), "p", 2)));
      RevokedLeases revoked =
          new RevokedLeases(
              history,
              List.of(new FaultRunner.Struck(scheduled, at(100), at(110), true)),
              Optional.of(Duration.ofSeconds(1)),
              LONGEST);
      long beliefs =
          revoked.without().events().stream().filter(Event.Believed.class::isInstance).count();
      assertEquals(left == 970 ? 0 : 2, beliefs, left + " ms left");
    }
  }

  @Test
  void aReleaseMayBeUndoneByWhatUndoesWhatWasDoneLast() {
    NamedFault undoing =
        NamedFault.undoing("fail-over", Duration.ZERO, Duration.ZERO, () -> {}, () -> {});
    for (NamedFault fault : List.of(undoing, LOSING, TAKING)) {
      ScheduledFault scheduled = new ScheduledFault(Duration.ZERO, Duration.ZERO, "server", fault);
      RevokedLeases revoked =
          new RevokedLeases(
              new History(
                  List.of(
                      new Event.Asked(at(50), "p", 1, "t", "early", Duration.ofSeconds(1)),
                      new Event.Asked(at(120), "p", 2, "t", "late", Duration.ofSeconds(1)))),
              List.of(new FaultRunner.Struck(scheduled, at(100), at(110), true)),
              Optional.of(Duration.ofSeconds(1)),
              LONGEST);
      assertEquals(fault.equals(undoing), revoked.mayBeTakenAgain("key of early"), fault.name());
      assertFalse(revoked.mayBeTakenAgain("key of late"), fault.name());
      assertFalse(revoked.mayBeTakenAgain("another"), fault.name());
    }
  }

  @Test
  void aLinkTakesLocksFromItsOwnPartyOnly() {
    ScheduledFault cut = new ScheduledFault(Duration.ZERO, Duration.ZERO, "link of w1", LOSING);
    for (String process : List.of("w1-2", "w2-1")) {
      RevokedLeases revoked =
          new RevokedLeases(
              new History(
                  List.of(
                      new Event.Granted(
                          at(90), process, 1, "lock", "owner", 7, Duration.ofSeconds(1)),
                      new Event.Believed(at(120), process, 1))),
              List.of(new FaultRunner.Struck(cut, at(100), at(110), true)),
              Optional.of(Duration.ofSeconds(1)),
              LONGEST);
      boolean believed =
          revoked.without().events().stream().anyMatch(Event.Believed.class::isInstance);
      assertEquals(process.equals("w2-1"), believed, process);
    }
  }

  @Test
  void otherLocksAreNotJudged() {
    assertEquals(List.of(), revoked(TAKING, 90, 900).stillBelieved(List.of("another")));
  }

  @Test
  void beliefsAfterALossProveNothingElse() {
    assertEquals(1, revoked(TAKING, 90, 150).without().events().size());
    assertEquals(1, revoked(LOSING, 105, 150).without().events().size());
    assertEquals(2, revoked(TAKING, 90, 95).without().events().size());
    assertEquals(2, revoked(TAKING, 120, 150).without().events().size());
    assertEquals(2, revoked(SURVIVED, 90, 150).without().events().size());
    assertEquals(2, revoked(LOSING, 105, 411).without().events().size(), "it was not lost");
    assertTrue(
        revoked(LOSING, 105, 150).without().events().get(0) instanceof Event.Granted granted
            && granted.remaining().isZero());
  }
}
