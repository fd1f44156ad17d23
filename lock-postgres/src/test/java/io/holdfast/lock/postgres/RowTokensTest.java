/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.row.RowBackend;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests where tokens of rows are drawn, and what comes of one whose transaction ends. */
class RowTokensTest extends TableClaimsTestBase {

  /** As after a crash: tokens are not drawn by the statement that locks the row. */
  static final String DRAWN_ELSEWHERE = "TRUNCATE holdfast.since_crash";

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
    scene.server.ask(DRAWN_ELSEWHERE);
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

  private LockBackend<?> hooked(StatementHooks hooks) {
    Settings settings = new Settings(RowLockProvider.NAME, Map.of("command-timeout", "20s"));
    PostgresConfig config = PostgresConfig.of(settings, hooks, RowBackend.COMMAND_TIMEOUT);
    return scene.closing(RowBackend.open(config, hooks, 2));
  }

  @Test
  void aTokenIsDrawnByTheStatementThatLocks() {
    StatementHooks hooks = new StatementHooks(scene.server.url());
    LockBackend<?> backend = hooked(hooks);
    long last = 0;
    for (int i = 0; i < 3; i++) {
      LockClaim claim = claim(backend, "a", Share.LOCK);
      long token = token(claim);
      assertTrue(token > last);
      last = token;
      assertEquals(ReleaseAnswer.FREED, get(claim.release()));
    }
    assertEquals(0, hooks.count("SELECT nextval"));
  }

  /** The second one's transactions do not wait for the disk. */
  @ParameterizedTest
  @ValueSource(strings = {DRAWN_ELSEWHERE, "ALTER DATABASE postgres SET synchronous_commit = off"})
  void aTokenThatACrashMayTakeBackIsDrawnElsewhere(String before) {
    StatementHooks hooks = new StatementHooks(scene.server.url());
    LockBackend<?> backend = hooked(hooks);
    scene.server.ask(before);
    LockClaim claim = claim(backend, "a", Share.LOCK);
    assertTrue(token(claim) > 0);
    assertEquals(1, hooks.count("SELECT nextval"));
    assertEquals(ReleaseAnswer.FREED, get(claim.release()));
  }

  /** Or a session could draw more in a row than numbers are left out after a crash. */
  @Test
  void aTokenOfATransactionIsOnTheDiskAfterItsCommit() throws Exception {
    LockClient client = scene.client(RowLockProvider.NAME);
    client.lock("a").acquire().release();
    scene.server.ask("ALTER SYSTEM SET wal_writer_delay = '10s'");
    scene.server.ask("SELECT pg_reload_conf()");
    for (int i = 0; i < 3; i++) {
      Lease lease = client.lock("a").acquire();
      PostgresHarness.ask(
          lease.unwrap(Connection.class).orElseThrow(), "SET LOCAL synchronous_commit = off");
      String drawn = scene.server.ask("SELECT pg_current_wal_insert_lsn()").get(0);
      assertEquals(ReleaseOutcome.RELEASED, lease.release());
      assertEquals(
          List.of("t"),
          scene.server.ask("SELECT pg_current_wal_flush_lsn() >= '" + drawn + "'::pg_lsn"));
    }
  }
}
