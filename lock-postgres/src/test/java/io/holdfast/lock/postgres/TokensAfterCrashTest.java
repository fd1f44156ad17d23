/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that is killed has lost what it had not written yet, and tokens grow all the same. */
class TokensAfterCrashTest {

  private static final int CRASHES = 5;

  /** The work of the transaction besides taking the lock. */
  enum Use {
    COMMITS("", true),
    COMMITS_WITHOUT_WAITING_FOR_THE_DISK("SET synchronous_commit = off", true),
    STAYS_OPEN("", false),
    HAS_BEGUN("SELECT 1", true);

    final String before;
    final boolean commits;

    Use(String before, boolean commits) {
      this.before = before;
      this.commits = commits;
    }
  }

  private final PostgresHarness scene = new PostgresHarness();
  private final TransactionLocks locks = TransactionLocks.create();

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @EnumSource
  void tokensOfTransactionsGrow(Use use) throws SQLException {
    scene.client(AdvisoryLockProvider.NAME).close();
    long last = 0;
    for (int i = 0; i < CRASHES; i++) {
      // More than the sequence writes ahead, so that some are not on the disk when it crashes.
      for (int j = 0; j < 40; j++) {
        last = greater(last, draw(use));
      }
      crash();
    }
    greater(last, draw(use));
  }

  private long draw(Use use) throws SQLException {
    Connection connection = scene.connect();
    connection.setAutoCommit(false);
    if (!use.before.isEmpty()) {
      PostgresHarness.ask(connection, use.before);
    }
    long token = locks.lock(connection, use.commits ? "a" : "a" + System.nanoTime());
    if (use.commits) {
      connection.commit();
      connection.close();
    }
    return token;
  }

  @Test
  void oneTransactionThatStaysOpenIsEnough() throws SQLException {
    scene.client(AdvisoryLockProvider.NAME).close();
    long last = 0;
    for (int i = 0; i < CRASHES; i++) {
      last = greater(last, draw(Use.STAYS_OPEN));
      crash();
    }
    greater(last, draw(Use.STAYS_OPEN));
  }

  @Test
  void leasesAndTransactionsHaveTheirTokensInOneOrder() throws Exception {
    long last = 0;
    for (int i = 0; i < CRASHES; i++) {
      try (LockClient client = scene.client(AdvisoryLockProvider.NAME)) {
        for (int j = 0; j < 20; j++) {
          try (Lease lease = client.lock("a").acquire()) {
            last = greater(last, lease.fencingToken());
          }
          last = greater(last, draw(Use.COMMITS));
        }
        crash();
        last = greater(last, draw(Use.COMMITS));
      }
    }
  }

  /** Tokens are made safe in a transaction of its own, which the caller's comes after. */
  @Test
  void aHolderAfterACrashSeesWhatTheOneBeforeItCommitted() throws SQLException {
    scene.client(AdvisoryLockProvider.NAME).close();
    scene.server.ask("ALTER ROLE holdfast SET default_transaction_isolation = 'repeatable read'");
    crash();
    Connection connection = scene.connect();
    connection.setAutoCommit(false);
    locks.lock(connection, "a");
    assertEquals(
        List.of("read committed"), PostgresHarness.ask(connection, "SHOW transaction_isolation"));
    connection.rollback();
  }

  private static long greater(long last, long token) {
    assertTrue(token > last, token + " after " + last);
    return token;
  }

  private void crash() {
    scene.server.kill();
    scene.server.start();
  }
}
