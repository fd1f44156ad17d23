/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The note in the row of a lock that somebody was refused: how long it lasts, and its renewal. */
class TableNotesTest extends TableClaimsTestBase {

  private static final Duration LONG = Duration.ofHours(1);

  /**
   * Ends the note that somebody waits after this time.
   *
   * @return when that is
   */
  private String noteLasts(String interval) {
    return scene
        .server
        .ask(
            "UPDATE holdfast.table_lock SET wanted_until = now() + interval '%s' RETURNING wanted_until"
                .formatted(interval))
        .get(0);
  }

  /** It may ask again so seldom that the note of another would end before. */
  @Test
  void aWaiterRenewsANoteThatEndsSoon() {
    LockBackend<?> backend = backend();
    LockClaim holder = claim(backend, "m", Share.LOCK, LONG);
    assertTrue(isGranted(holder));
    assertFalse(isGranted(claim(backend(), "m", Share.LOCK)));
    String until = noteLasts("3 s");
    Waiter waiter = new Waiter();
    assertFalse(isGranted(claim(backend, "m", Share.LOCK, TTL, waiter)));
    String over = "SELECT now() > timestamptz '" + until + "'";
    PostgresHarness.await("the end of that note", () -> scene.server.ask(over).contains("t"));
    waiter.isToldOf("a release", () -> get(holder.release()));
  }

  /** It may ask again no sooner than after 25 s. */
  @Test
  void aNoteThatLastsForLessThanHalfAMinuteIsRenewed() {
    assertTrue(isGranted(claim(backend(), "m", Share.LOCK, LONG)));
    assertFalse(isGranted(claim(backend(), "m", Share.LOCK)));
    String until = noteLasts("29 s");
    assertFalse(isGranted(claim(backend(), "m", Share.LOCK)));
    assertEquals(
        List.of("t"),
        scene.server.ask(
            "SELECT wanted_until > timestamptz '" + until + "' FROM holdfast.table_lock"));
  }

  /** The note of another is relied on if it lasts for half a minute. */
  @Test
  void andAsksAgainBeforeAnyNoteEnds() {
    assertTrue(isGranted(claim(backend(), "m", Share.LOCK, LONG)));
    for (LockBackend<?> waiting : List.of(backend(), backend())) {
      Attempt.Contended told =
          assertInstanceOf(Attempt.Contended.class, get(claim(waiting, "m", Share.LOCK).attempt()));
      Duration again = told.askAgainIn().orElseThrow();
      assertTrue(again.compareTo(Duration.ofSeconds(30)) < 0, () -> "in " + again);
    }
  }
}
