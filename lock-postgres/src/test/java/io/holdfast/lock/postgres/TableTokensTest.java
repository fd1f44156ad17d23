/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tokens of locks in a table, when a statement waits for a row. */
class TableTokensTest extends TableClaimsTestBase {

  /** A number that is drawn before the row is locked may be smaller than that of the last owner. */
  @Test
  void theTokenIsGreaterThanThatOfWhoHadTheRowMeanwhile() throws Exception {
    LockBackend<?> backend = backend();
    LockClaim before = claim(backend, "a", Share.LOCK);
    assertTrue(isGranted(before));
    assertEquals(ReleaseAnswer.FREED, get(before.release()));
    LockClaim next = claim(backend, "a", Share.LOCK);
    try (Connection other = scene.connect()) {
      other.setAutoCommit(false);
      PostgresHarness.ask(
          other, "SELECT name FROM holdfast.table_lock WHERE name = 'a' FOR UPDATE");
      CompletableFuture<Long> token = CompletableFuture.supplyAsync(() -> token(next));
      scene.awaitWaiter();
      String grants =
          "UPDATE holdfast.table_lock SET token = nextval('holdfast.lock_token') WHERE name = 'a'"
              + " RETURNING token";
      long meanwhile = Long.parseLong(PostgresHarness.ask(other, grants).get(0));
      other.commit();
      assertTrue(get(token) > meanwhile);
    }
  }
}
