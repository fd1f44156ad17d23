/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Shares whose table is missing or refused, and a clock that was set back. */
class TableSharesTroubleTest extends TableShareScene {

  @Test
  void aSchemaWithoutSharesGoesOnForLocks() {
    backend().close();
    scene.server.ask("DROP TABLE holdfast.table_share");
    LockBackend<?> backend = backend("create-schema", "false");
    LockClaim lock = claim(backend, "m", Share.LOCK);
    assertTrue(isGranted(lock));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, lock));
    assertEquals(ReleaseAnswer.FREED, get(lock.release()));
    LockClaim shared = claim(backend, "s", Share.READ);
    CompletionException failure =
        assertThrows(CompletionException.class, () -> get(shared.attempt()));
    LockRejectedException refusal =
        assertInstanceOf(LockRejectedException.class, failure.getCause());
    assertTrue(String.valueOf(refusal.getMessage()).contains("holdfast.sql"));
    // It was taken back as a whole.
    assertEquals(
        List.of(), scene.server.ask("SELECT name FROM holdfast.table_lock WHERE name = 's'"));
    // Nothing is left to be released.
    assertEquals(ReleaseAnswer.NOT_OURS, get(shared.release()));
  }

  @Test
  void whatIsRefusedOfSharesFailsNoLock() throws Exception {
    LockBackend<?> backend = backend();
    LockClaim lock = claim(backend, "m", Share.LOCK);
    LockClaim shared = claim(backend, "s", Share.READ);
    assertTrue(isGranted(lock));
    assertTrue(isGranted(shared));
    scene.server.ask("ALTER TABLE holdfast.table_share RENAME TO elsewhere");
    List<RenewalAnswer> answers = renewed(backend, List.of(shared, lock));
    assertInstanceOf(RenewalAnswer.Unknown.class, answers.get(0));
    assertInstanceOf(RenewalAnswer.Extended.class, answers.get(1));
    CompletionStage<ReleaseAnswer> ofLock;
    CompletionStage<ReleaseAnswer> ofShared;
    try (Connection administrator = scene.connect()) {
      administrator.setAutoCommit(false);
      PostgresHarness.ask(administrator, "LOCK TABLE holdfast.table_lock");
      // While it is under way, the releases gather.
      CompletionStage<Attempt> before = claim(backend, "m2", Share.LOCK).attempt();
      PostgresHarness.await(
          "the request before",
          () -> !scene.server.ask("SELECT pid FROM pg_locks WHERE NOT granted").isEmpty());
      ofLock = lock.release();
      ofShared = shared.release();
      administrator.commit();
      assertInstanceOf(Attempt.Granted.class, get(before));
    }
    assertEquals(ReleaseAnswer.FREED, get(ofLock));
    CompletionException failure = assertThrows(CompletionException.class, () -> get(ofShared));
    assertInstanceOf(LockRejectedException.class, failure.getCause());
    scene.server.ask("ALTER TABLE holdfast.elsewhere RENAME TO table_share");
    assertEquals(ReleaseAnswer.FREED, get(shared.release()));
  }

  @Test
  void afterAStepBackANameIsInUseNoLongerThanItsShares() {
    LockBackend<?> backend = backend();
    LockClaim one = claim(backend, "s", Share.of(1, 5));
    LockClaim other = claim(backend, "s", Share.of(1, 5));
    assertTrue(isGranted(one));
    assertTrue(isGranted(other));
    // As if the clock had been an hour ahead when they were granted.
    for (String table : List.of("table_share", "table_lock")) {
      scene.server.ask(
          "UPDATE holdfast." + table + " SET expires_at = expires_at + interval '1 hour'");
    }
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, one));
    PostgresHarness.await("the end of one", () -> ahead("table_share") == 1);
    assertEquals(1, ahead("table_lock"));
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, other));
    PostgresHarness.await("the end of the other", () -> ahead("table_share") == 0);
    assertEquals(0, ahead("table_lock"));
    assertEquals(ReleaseAnswer.FREED, get(one.release()));
    assertEquals(ReleaseAnswer.FREED, get(other.release()));
  }

  /** How many rows end later than a time to live from now. */
  private int ahead(String table) {
    String later = "expires_at > now() + interval '" + TTL.plusSeconds(1).toSeconds() + " s'";
    return scene.server.ask("SELECT name FROM holdfast." + table + " WHERE " + later).size();
  }
}
