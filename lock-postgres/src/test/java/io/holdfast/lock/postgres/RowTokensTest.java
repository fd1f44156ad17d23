/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Tokens of rows, when a transaction ends between the row and the answer. */
class RowTokensTest extends TableClaimsTestBase {

  @Override
  LockBackend<?> backend(String... more) {
    return scene.closing(
        new RowLockProvider().open(new Settings(RowLockProvider.NAME, patient(more))));
  }

  /** Another has had the lock, and a greater token, in between. */
  @Test
  void aTokenDrawnInATransactionThatEndedIsNotUsed() throws Exception {
    LockBackend<?> backend = backend();
    LockClaim late = claim(backend, "a", Share.LOCK);
    try (Connection administrator = scene.connect()) {
      administrator.setAutoCommit(false);
      PostgresHarness.ask(administrator, "ALTER SEQUENCE holdfast.lock_token INCREMENT BY 1");
      CompletionStage<Attempt> attempt = late.attempt();
      scene.cancelWaiters();
      assertThrows(CompletionException.class, () -> get(attempt), "it has the row");
      administrator.rollback();
    }
    scene.terminate("idle in transaction");
    assertThrows(CompletionException.class, () -> get(late.attempt()), "it has drawn a token");
    LockClaim next = claim(backend(), "a", Share.LOCK);
    // A session that ends tells its client before it gives up its row.
    acquire(next);
    long between = token(next);
    assertEquals(ReleaseAnswer.FREED, get(next.release()));
    assertTrue(token(late) > between);
    assertEquals(ReleaseAnswer.FREED, get(late.release()));
  }
}
