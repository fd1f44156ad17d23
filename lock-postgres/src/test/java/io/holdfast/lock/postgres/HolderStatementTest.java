/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/** Tests what the holder's own statements do to its lock. Nothing here waits for a renewal. */
class HolderStatementTest {

  private static final LockOptions SELDOM_RENEWED =
      LockOptions.defaults()
          .withTtl(Duration.ofMinutes(2))
          .withRenewal(Renewal.every(Duration.ofSeconds(50)));

  private static PostgresHarness scene;
  private static LockClient client;
  private static LockClient other;

  private Lease lease;
  private Connection held;

  @BeforeAll
  static void open() {
    scene = new PostgresHarness("max_prepared_transactions=5");
    client = scene.client(RowLockProvider.NAME, "session-timeout", "120s");
    other = scene.client(RowLockProvider.NAME, "session-timeout", "120s");
    scene.server.ask("CREATE TABLE work (what text PRIMARY KEY)");
    scene.server.ask("CREATE TABLE later (what text UNIQUE DEFERRABLE INITIALLY DEFERRED)");
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @BeforeEach
  void acquire() throws Exception {
    scene.server.ask("DELETE FROM work");
    scene.server.ask("INSERT INTO work VALUES ('there')");
    lease = client.lock("a", SELDOM_RENEWED).acquire(PostgresHarness.SOON);
    held = lease.unwrap(Connection.class).orElseThrow();
  }

  @AfterEach
  void release() throws Exception {
    lease.release();
    for (String prepared : scene.server.ask("SELECT gid FROM pg_prepared_xacts")) {
      scene.server.ask("ROLLBACK PREPARED '" + prepared + "'");
    }
    PostgresHarness.await("a free lock", this::isFree);
  }

  private boolean isFree() {
    return scene
        .server
        .ask("SELECT name FROM holdfast.row_lock WHERE name = 'a' FOR UPDATE SKIP LOCKED")
        .contains("a");
  }

  private void stillHeld() throws Exception {
    assertTrue(lease.isValid());
    assertFalse(lease.loss().isDone());
    assertFalse(isFree(), "given away");
    assertTrue(other.lock("a").tryAcquire().isEmpty(), "granted to another");
    assertTrue(lease.isValid());
  }

  private void lost() throws Exception {
    assertFalse(lease.isValid());
    assertEquals(LossReason.SESSION_ENDED, PostgresHarness.get(lease.loss()).reason());
    assertThrows(SQLException.class, () -> PostgresHarness.ask(held, "SELECT 1"));
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
  }

  private static final String DUPLICATE = "INSERT INTO work VALUES ('there')";

  @Test
  void aStatementThatFailsKeepsTheLockAndCommitsNothing() throws Exception {
    PostgresHarness.ask(held, "INSERT INTO work VALUES ('undone')");
    SQLException told =
        assertThrows(SQLException.class, () -> PostgresHarness.ask(held, DUPLICATE));
    assertEquals("23505", told.getSQLState());
    stillHeld();
    assertThrows(SQLException.class, () -> PostgresHarness.ask(held, "SELECT 1"));
    stillHeld();
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertEquals(List.of("there"), scene.server.ask("SELECT what FROM work"));
  }

  @Test
  void aFailureThatTheReleaseMeetsIsNoSuccess() throws Exception {
    PostgresHarness.ask(held, "INSERT INTO later VALUES ('twice'), ('twice')");
    stillHeld();
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertEquals(List.of("0"), scene.server.ask("SELECT count(*) FROM later"));
  }

  @Test
  void aSavepointOfTheHoldersMakesTheRestGood() throws Exception {
    Savepoint before = held.setSavepoint();
    assertThrows(SQLException.class, () -> PostgresHarness.ask(held, DUPLICATE));
    stillHeld();
    held.rollback(before);
    stillHeld();
    PostgresHarness.ask(held, "INSERT INTO work VALUES ('kept')");
    PostgresHarness.ask(held, "SAVEPOINT b");
    assertThrows(SQLException.class, () -> PostgresHarness.ask(held, "no SQL"));
    PostgresHarness.ask(held, "/* back */ ROLLBACK TO SAVEPOINT b");
    PostgresHarness.ask(held, "ROLLBACK WORK TO b");
    held.releaseSavepoint(before);
    stillHeld();
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertEquals(List.of("kept", "there"), scene.server.ask("SELECT what FROM work ORDER BY 1"));
  }

  @Test
  void anErrorOfTheDriverAloneLosesNothing() throws Exception {
    try (PreparedStatement statement = held.prepareStatement("SELECT ?")) {
      assertThrows(SQLException.class, statement::executeQuery);
      assertThrows(SQLException.class, () -> statement.setInt(2, 1));
    }
    stillHeld();
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COMMIT",
        "commit and chain",
        " -- good\n END",
        "/* all\n of it */ ROLLBACK WORK",
        "ROLLBACK AND CHAIN",
        ";abort",
        "PREPARE  TRANSACTION 'a'"
      })
  void sqlThatEndsTheTransactionIsRefused(String sql) throws Exception {
    refused(() -> PostgresHarness.ask(held, sql));
    refused(() -> held.prepareStatement(sql));
    refused(() -> held.prepareCall(sql));
    try (Statement statement = held.createStatement()) {
      refused(() -> statement.addBatch(sql));
      refused(() -> statement.executeUpdate(sql, Statement.RETURN_GENERATED_KEYS));
    }
    PostgresHarness.ask(held, "INSERT INTO work VALUES ('kept')");
    stillHeld();
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
  }

  private static void refused(org.junit.jupiter.api.function.Executable call) {
    SQLException told = assertThrows(SQLException.class, call);
    assertTrue(String.valueOf(told.getMessage()).contains("lock 'a'"), told.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1; COMMIT",
        "SELECT 1; COMMIT AND CHAIN",
        "SELECT 1; ROLLBACK AND CHAIN",
        "SELECT 1; COMMIT; BEGIN",
        "SELECT 1; PREPARE TRANSACTION 'a'; BEGIN",
        "SELECT 1; ROLLBACK; SELECT 1/0"
      })
  void sqlThatHidesTheEndOfTheTransactionIsFoundOutAtOnce(String sql) throws Exception {
    try (Statement statement = held.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      assertEquals("22012", e.getSQLState());
    }
    lost();
  }

  @Test
  void releasingOurSavepointLosesTheLockWithTheNextErrorAndIsTold() throws Exception {
    PostgresHarness.ask(held, "RELEASE SAVEPOINT holdfast_lease");
    stillHeld();
    assertThrows(SQLException.class, () -> PostgresHarness.ask(held, DUPLICATE));
    lost();
  }

  @Test
  void theNameOfTheApplicationMayBeChanged() throws Exception {
    held.setClientInfo("ApplicationName", "changed");
    PostgresHarness.ask(held, "SELECT 1");
    stillHeld();
    try (Statement statement = held.createStatement()) {
      statement.execute("SELECT 1; COMMIT AND CHAIN");
    }
    lost();
  }

  @Test
  void noWayLeadsToAConnectionThatCanEndTheTransaction() throws Exception {
    PostgresHarness.ask(held, "DECLARE rows CURSOR FOR SELECT ARRAY['x']");
    try (Statement statement = held.createStatement();
        ResultSet answer = statement.executeQuery("SELECT ARRAY['x'], 'rows'::refcursor")) {
      answer.next();
      Array array = answer.getArray(1);
      Array made = held.createArrayOf("text", new Object[] {"x"});
      ResultSet tables = held.getMetaData().getTables(null, null, "work", null);
      for (Connection reached :
          List.of(
              statement.getConnection(),
              answer.getStatement().getConnection(),
              held.getMetaData().getConnection(),
              tables.getStatement().getConnection(),
              array.getResultSet().getStatement().getConnection(),
              made.getResultSet().getStatement().getConnection(),
              ((ResultSet) answer.getObject(2)).getStatement().getConnection())) {
        refused(reached::commit);
        refused(reached::rollback);
        refused(reached::close);
      }
      refused(() -> held.unwrap(PGConnection.class));
      refused(() -> statement.unwrap(org.postgresql.PGStatement.class));
      refused(() -> held.getMetaData().unwrap(org.postgresql.jdbc.PgDatabaseMetaData.class));
      assertFalse(held.isWrapperFor(PGConnection.class));
    }
    stillHeld();
  }

  @Test
  void objectsHandedOutMayComeBackAsParameters() throws Exception {
    Array made = held.createArrayOf("text", new Object[] {"x", "y"});
    try (PreparedStatement statement = held.prepareStatement("SELECT unnest(?::text[])")) {
      statement.setArray(1, made);
      try (ResultSet answer = statement.executeQuery()) {
        assertTrue(answer.next());
        assertEquals("x", answer.getString(1));
        assertEquals(1, answer.getStatement().getResultSet().getRow());
      }
    }
    made.free();
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    made.free();
  }

  @Test
  void savepointsOfTheDriverChangeNothing() throws Exception {
    for (String more : List.of("always", "always&cleanupSavepoints=true", "conservative")) {
      LockClient saving =
          scene.client(RowLockProvider.NAME, "url", scene.server.url() + "?autosave=" + more);
      Lease saved = saving.lock("saved", SELDOM_RENEWED).acquire();
      Connection connection = saved.unwrap(Connection.class).orElseThrow();
      PostgresHarness.ask(connection, "INSERT INTO work VALUES ('" + more + "')");
      assertThrows(SQLException.class, () -> PostgresHarness.ask(connection, DUPLICATE));
      assertTrue(other.lock("saved").tryAcquire().isEmpty(), "granted to another");
      assertTrue(saved.isValid());
      ReleaseOutcome released = saved.release();
      boolean kept = scene.server.ask("SELECT what FROM work").contains(more);
      assertEquals(released == ReleaseOutcome.RELEASED, kept, more + ": " + released);
      assertTrue(kept || more.equals("conservative"), more);
    }
  }

  @Test
  void theDriverDoesNotGoBackBehindTheLock() throws Exception {
    // The row is there, so it is asked for in a transaction that has begun before.
    other.lock("saved").acquire().release();
    LockClient saving =
        scene.client(RowLockProvider.NAME, "url", scene.server.url() + "?autosave=always");
    Lease saved = saving.lock("saved", SELDOM_RENEWED).acquire();
    Connection connection = saved.unwrap(Connection.class).orElseThrow();
    // The driver makes no savepoint before this, so the transaction stays failed.
    assertThrows(
        SQLException.class, () -> PostgresHarness.ask(connection, "RELEASE SAVEPOINT nowhere"));
    // It cannot make one before this either, and goes back to the last one that it has made.
    assertThrows(SQLException.class, () -> PostgresHarness.ask(connection, "SELECT 1"));
    assertTrue(other.lock("saved").tryAcquire().isEmpty(), "granted to another");
    assertTrue(saved.isValid());
    assertEquals(ReleaseOutcome.ALREADY_LOST, saved.release());
  }
}
