/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which locks of transactions are refused, and which only could not be taken. */
class TransactionLocksRefusalsTest {

  private static PostgresHarness scene;
  private final TransactionLocks locks = TransactionLocks.create();

  @BeforeAll
  static void open() {
    scene = new PostgresHarness().withSchema();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @Test
  void refusesWhatIsNoTransactionAndWhatIsNoName() throws SQLException {
    Connection connection = scene.connect();
    assertThrows(IllegalArgumentException.class, () -> locks.lock(connection, "a"));
    connection.setAutoCommit(false);
    assertThrows(IllegalArgumentException.class, () -> locks.lock(connection, ""));
    assertThrows(IllegalArgumentException.class, () -> locks.lock(connection, "\ud800"));
    TransactionLocks nowhere = TransactionLocks.create(Map.of("schema", "nowhere"));
    LockRejectedException told =
        assertThrows(LockRejectedException.class, () -> nowhere.lock(connection, "a"));
    assertTrue(String.valueOf(told.getMessage()).contains("holdfast.sql"), told.getMessage());
    connection.rollback();
  }

  /** By chance, or in another namespace; whoever waited would wait for nobody that can be found. */
  @ParameterizedTest
  @ValueSource(strings = {"lock", "elsewhere"})
  void aKeyOfAnotherNameIsRefused(String namespace) throws SQLException {
    String other = namespace.equals("lock") ? "another" : "known";
    long key = AdvisoryKey.of("advisory", "lock", "known").value();
    scene.server.ask(
        "INSERT INTO holdfast.advisory_name VALUES (%d, '%s', '%s', now())"
            .formatted(key, namespace, other));
    Connection connection = scene.begin();
    try {
      LockRejectedException told =
          assertThrows(LockRejectedException.class, () -> locks.tryLock(connection, "known"));
      assertTrue(String.valueOf(told.getMessage()).contains("same 64-bit key"), told::toString);
      assertTrue(String.valueOf(told.getMessage()).contains("'" + other + "'"), told::toString);
      connection.rollback();
    } finally {
      scene.server.ask("DELETE FROM holdfast.advisory_name WHERE key = " + key);
    }
    assertTrue(locks.tryLock(connection, "known").isPresent());
    connection.rollback();
  }

  @Test
  void aTimeOutOfTheCallersIsNoRefusal() throws SQLException {
    Connection one = scene.begin();
    Connection two = scene.begin();
    locks.lock(one, "timed");
    PostgresHarness.ask(two, "SET lock_timeout = '50ms'");
    LockUnavailableException told =
        assertThrows(LockUnavailableException.class, () -> locks.lock(two, "timed"));
    assertTrue(String.valueOf(told.getMessage()).contains("'timed'"), told::toString);
    two.rollback();
    one.rollback();
  }

  @Test
  void aSettingThatNobodyKnowsIsRefused() {
    assertThrows(
        LockConfigurationException.class, () -> TransactionLocks.create(Map.of("url", "x")));
  }

  /**
   * A transaction that waits for standbys goes on doing so, and one that waits for nothing waits.
   */
  @Test
  void theTokenIsOnTheDiskWhenTheTransactionIsCommitted() throws SQLException {
    Connection connection = scene.begin();
    for (String[] each : new String[][] {{"off", "on"}, {"remote_apply", "remote_apply"}}) {
      PostgresHarness.ask(connection, "SET LOCAL synchronous_commit = " + each[0]);
      locks.lock(connection, "waits");
      assertEquals(List.of(each[1]), PostgresHarness.ask(connection, "SHOW synchronous_commit"));
      connection.rollback();
    }
  }
}
