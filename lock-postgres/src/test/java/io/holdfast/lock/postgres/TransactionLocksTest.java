/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.servers.PgBouncer;
import io.holdfast.lock.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionLocksTest {

  private static PostgresHarness scene;
  private final TransactionLocks locks = TransactionLocks.create();

  @BeforeAll
  static void open() {
    scene = new PostgresHarness();
    scene.client(AdvisoryLockProvider.NAME).close();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @Test
  void lastsUntilTheTransactionEndsAndTokensGrow() throws SQLException {
    Connection one = scene.begin();
    Connection two = scene.begin();
    long first = locks.lock(one, "a");
    assertTrue(first > 0);
    assertEquals(OptionalLong.empty(), locks.tryLock(two, "a"));
    assertTrue(locks.tryLock(two, "b").isPresent());
    assertTrue(locks.lock(one, "a") > first, "taken again in one transaction");
    one.commit();
    long second = locks.tryLock(two, "a").orElseThrow();
    assertTrue(second > first);
    two.rollback();
    assertTrue(locks.tryLock(one, "a").orElseThrow() > second);
    one.rollback();
  }

  /** As the server has it: with what was written since, and not with the transaction. */
  @Test
  void aRollbackToASavepointFreesWhatWasLockedSince() throws SQLException {
    Connection one = scene.begin();
    Connection two = scene.begin();
    locks.lock(one, "before");
    Savepoint savepoint = one.setSavepoint();
    locks.lock(one, "before");
    locks.lock(one, "since");
    assertEquals(OptionalLong.empty(), locks.tryLock(two, "since"));
    one.rollback(savepoint);
    assertEquals(OptionalLong.empty(), locks.tryLock(two, "before"));
    long other = locks.tryLock(two, "since").orElseThrow();
    assertEquals(OptionalLong.empty(), locks.tryLock(one, "since"));
    two.commit();
    assertTrue(locks.lock(one, "since") > other, "taken again");
    assertEquals(OptionalLong.empty(), locks.tryLock(two, "since"));
    one.rollback();
    two.rollback();
  }

  @Test
  void theDriverDoesNotGoBackBehindTheLock() throws SQLException {
    Properties always = new Properties();
    always.put("user", PostgresServer.USER);
    always.put("autosave", "always");
    Connection two = scene.begin();
    try (Connection one = DriverManager.getConnection(scene.server.url(), always)) {
      one.setAutoCommit(false);
      PostgresHarness.ask(one, "SELECT 'before the lock'");
      locks.lock(one, "saved");
      // The driver makes no savepoint before this, so the transaction stays failed.
      assertThrows(SQLException.class, () -> PostgresHarness.ask(one, "RELEASE SAVEPOINT nowhere"));
      // It cannot make one before this either, and goes back to the last one that it has made.
      assertThrows(SQLException.class, () -> PostgresHarness.ask(one, "SELECT 1"));
      assertEquals(List.of("1"), PostgresHarness.ask(one, "SELECT 1"));
      assertEquals(OptionalLong.empty(), locks.tryLock(two, "saved"));
      one.commit();
      assertTrue(locks.tryLock(two, "saved").isPresent());
    }
    two.rollback();
  }

  @Test
  void waits() throws Exception {
    Connection one = scene.begin();
    Connection two = scene.begin();
    locks.lock(one, "waits");
    CompletableFuture<Long> waiting = CompletableFuture.supplyAsync(() -> locks.lock(two, "waits"));
    PostgresHarness.await(
        "the server to see a waiter",
        () ->
            scene
                .server
                .ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
                .contains("1"));
    one.commit();
    assertTrue(PostgresHarness.get(waiting) > 0);
    two.rollback();
  }

  @Test
  void shutsOutLeasesAndIsShutOutByThem() throws Exception {
    LockClient client = scene.client(AdvisoryLockProvider.NAME);
    Connection connection = scene.begin();
    long token = locks.lock(connection, "both");
    assertTrue(client.lock("both").tryAcquire().isEmpty());
    assertTrue(client.lock("both", client.lock("x").options()).tryAcquire().isEmpty());
    connection.commit();
    try (Lease lease = client.lock("both").acquire()) {
      assertTrue(lease.fencingToken() > token);
      assertEquals(OptionalLong.empty(), locks.tryLock(connection, "both"));
    }
    assertTrue(locks.tryLock(connection, "both").isPresent());
    connection.rollback();
  }

  @Test
  void namespacesAreApart() throws SQLException {
    Connection one = scene.begin();
    Connection two = scene.begin();
    locks.lock(one, "n");
    assertTrue(TransactionLocks.create(Map.of("namespace", "other")).tryLock(two, "n").isPresent());
    one.rollback();
    two.rollback();
  }

  @Test
  void aTransactionThatHasItsSnapshotIsRefused() throws SQLException {
    Connection connection = scene.begin();
    for (int isolation :
        List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE)) {
      connection.setTransactionIsolation(isolation);
      PostgresHarness.ask(connection, "SELECT 1");
      LockRejectedException told =
          assertThrows(LockRejectedException.class, () -> locks.lock(connection, "snapshot"));
      assertTrue(String.valueOf(told.getMessage()).contains("'snapshot'"), told.getMessage());
      assertTrue(String.valueOf(told.getMessage()).contains("snapshot, so"), told.getMessage());
      connection.rollback();
      assertTrue(locks.tryLock(connection, "snapshot").isPresent());
      assertEquals(
          List.of("read committed"), PostgresHarness.ask(connection, "SHOW transaction_isolation"));
      connection.commit();
    }
    for (int isolation :
        List.of(Connection.TRANSACTION_READ_UNCOMMITTED, Connection.TRANSACTION_READ_COMMITTED)) {
      connection.setTransactionIsolation(isolation);
      PostgresHarness.ask(connection, "SELECT 1");
      assertTrue(locks.lock(connection, "snapshot") > 0);
      connection.rollback();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"repeatable read", "serializable"})
  void aHolderSeesWhatTheOneBeforeItCommitted(String isolation) throws Exception {
    scene.server.ask("DROP TABLE IF EXISTS counted");
    scene.server.ask("CREATE TABLE counted (value bigint)");
    scene.server.ask("ALTER ROLE holdfast SET default_transaction_isolation = '" + isolation + "'");
    try {
      List<CompletableFuture<Void>> counting = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Connection connection = scene.begin();
        counting.add(CompletableFuture.runAsync(() -> count(connection, 40)));
      }
      for (CompletableFuture<Void> one : counting) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      scene.server.ask("ALTER ROLE holdfast RESET default_transaction_isolation");
    }
    assertEquals(List.of("160"), scene.server.ask("SELECT count(DISTINCT value) FROM counted"));
  }

  private void count(Connection connection, int times) {
    try {
      for (int i = 0; i < times; i++) {
        locks.lock(connection, "counted");
        PostgresHarness.ask(connection, "INSERT INTO counted SELECT count(*) FROM counted");
        connection.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void worksBehindAPoolerOfTransactions() throws SQLException {
    assumeTrue(PgBouncer.isAvailable());
    try (PgBouncer pooler = PgBouncer.launch(scene.server, "transaction", 2)) {
      Properties simple = new Properties();
      simple.put("user", PostgresServer.USER);
      simple.put("prepareThreshold", "0");
      try (Connection one = DriverManager.getConnection(pooler.url(), simple);
          Connection two = DriverManager.getConnection(pooler.url(), simple)) {
        one.setAutoCommit(false);
        two.setAutoCommit(false);
        for (int i = 0; i < 10; i++) {
          assertTrue(locks.lock(one, "pooled") > 0);
          assertEquals(OptionalLong.empty(), locks.tryLock(two, "pooled"));
          two.rollback();
          one.commit();
          assertTrue(locks.tryLock(two, "pooled").isPresent());
          two.commit();
        }
      }
    }
    assertFalse(
        scene.server.ask("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'").contains("1"));
  }
}
