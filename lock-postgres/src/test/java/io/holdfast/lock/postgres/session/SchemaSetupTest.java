/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.Locks;
import io.holdfast.lock.postgres.PostgresHarness;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made when a session begins, while another client is at it for long. */
class SchemaSetupTest {

  private static final Duration COMMAND = Duration.ofSeconds(3);

  private static final String MADE =
      "SELECT concat(CASE relkind WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, ' holdfast.', relname)"
          + " FROM pg_class WHERE relnamespace = 'holdfast'::regnamespace AND relkind IN ('r', 'S')"
          + " ORDER BY relname";

  private final PostgresHarness scene = new PostgresHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void itMayTakeAsLongAsConnecting(String provider) throws Exception {
    try (Connection other = scene.connect()) {
      setsUp(other);
      CompletableFuture<LockClient> opened =
          CompletableFuture.supplyAsync(
              () ->
                  Locks.open(
                      provider, scene.settings("command-timeout", "3s", "connect-timeout", "60s")));
      PostgresHarness.await("it to begin", () -> opened.isDone() || waits(other));
      Conditions.stays(
          "waits for its turn", COMMAND.multipliedBy(3).dividedBy(2), () -> !opened.isDone());
      other.commit();
      opened.get(60, TimeUnit.SECONDS).close();
    }
  }

  @Test
  void closingTheClientEndsIt() throws Exception {
    LockClient client =
        Locks.open(
            "postgres-table", scene.settings("command-timeout", "3s", "connect-timeout", "60s"));
    try (Connection other = scene.connect()) {
      PostgresHarness.ask(other, "DROP SCHEMA holdfast CASCADE");
      setsUp(other);
      PostgresHarness.ask(
          other,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name = 'holdfast'");
      PostgresHarness.await("it to begin", () -> waits(other));
      client.close();
      other.rollback();
      other.setAutoCommit(true);
      PostgresHarness.await("the end of its sessions", () -> !hasSessions(other));
      assertEquals(
          List.of(),
          PostgresHarness.ask(other, "SELECT 1 FROM pg_namespace WHERE nspname = 'holdfast'"),
          "made after its end");
    }
  }

  @Test
  void itTakesNoLongerThanThat() throws Exception {
    PostgresConfig config = config("command-timeout", "3s", "connect-timeout", "12s");
    PgConnection pg = new ConnectionFactory(config).openSession(config.commandTimeout());
    try (Connection other = scene.connect()) {
      setsUp(other);
      SchemaSetup setup = new SchemaSetup(config);
      SQLException told = assertThrows(SQLException.class, () -> setup.prepare(pg, true));
      // The server gave up, and the connection is as good as before.
      assertEquals("57014", told.getSQLState());
      pg.ask();
      assertLimitsOfRequests(pg);
    } finally {
      pg.close();
    }
  }

  @Test
  void otherStatementsHaveTheTimeOfRequests() throws Exception {
    PostgresConfig config = config("command-timeout", "3s", "connect-timeout", "60s");
    PgConnection pg = new ConnectionFactory(config).openSession(config.commandTimeout());
    try {
      new SchemaSetup(config).prepare(pg, true);
      assertLimitsOfRequests(pg);
    } finally {
      pg.close();
    }
  }

  /** As in a schema that an earlier version has made. */
  @Test
  void whateverIsMissingIsMade() throws Exception {
    PostgresConfig config = config("command-timeout", "20s", "connect-timeout", "60s");
    PgConnection pg = new ConnectionFactory(config).openSession(config.commandTimeout());
    try (Connection other = scene.connect()) {
      SchemaSetup setup = new SchemaSetup(config);
      setup.prepare(pg, true);
      List<String> made = PostgresHarness.ask(other, MADE);
      assertTrue(made.contains("TABLE holdfast.table_share"), made::toString);
      for (String one : made) {
        PostgresHarness.ask(other, "DROP " + one + " CASCADE");
        setup.prepare(pg, true);
        assertEquals(made, PostgresHarness.ask(other, MADE), "without " + one);
      }
    } finally {
      pg.close();
    }
  }

  /** A crash empties the table, and may have taken back what the sequence gave out last. */
  @Test
  void numbersAreLeftOutOnceAfterACrash() throws Exception {
    PostgresConfig config = config("command-timeout", "20s", "connect-timeout", "60s");
    PgConnection pg = new ConnectionFactory(config).openSession(config.commandTimeout());
    try {
      SchemaSetup setup = new SchemaSetup(config);
      setup.prepare(pg, true);
      long before = Long.parseLong(ask(pg, "SELECT nextval('holdfast.lock_token')"));
      setup.prepare(pg, false);
      assertEquals(
          before + 1, Long.parseLong(ask(pg, "SELECT nextval('holdfast.lock_token')")), "again");
      pg.execute("TRUNCATE holdfast.since_crash");
      setup.prepare(pg, false);
      long after = Long.parseLong(ask(pg, "SELECT nextval('holdfast.lock_token')"));
      long connections = Long.parseLong(ask(pg, "SHOW max_connections"));
      assertTrue(after - before > 128 * connections, after + " after " + before);
      assertEquals("1", ask(pg, "SELECT count(*) FROM holdfast.since_crash"));
    } finally {
      pg.close();
    }
  }

  private static void assertLimitsOfRequests(PgConnection pg) throws SQLException {
    assertEquals("2250ms", ask(pg, "SHOW statement_timeout"));
    assertEquals(COMMAND.toMillis(), pg.connection().getNetworkTimeout());
    assertTrue(pg.connection().getAutoCommit());
  }

  private static String ask(PgConnection pg, String sql) throws SQLException {
    try (Statement statement = pg.connection().createStatement();
        ResultSet answer = statement.executeQuery(sql)) {
      answer.next();
      return answer.getString(1);
    }
  }

  /** Whether another session waits until this one commits. */
  private static boolean waits(Connection other) {
    return finds(other, "FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
  }

  private static boolean hasSessions(Connection other) {
    return finds(other, "FROM pg_stat_activity WHERE application_name = 'holdfast'");
  }

  private static boolean finds(Connection other, String rows) {
    try {
      return !PostgresHarness.ask(other, "SELECT 1 " + rows).isEmpty();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** Until it commits, nobody else does. */
  private static void setsUp(Connection other) throws SQLException {
    other.setAutoCommit(false);
    long key = AdvisoryKey.of("create", "", "").value();
    assertEquals(
        List.of(""), PostgresHarness.ask(other, "SELECT pg_advisory_xact_lock(" + key + ")"));
  }

  private PostgresConfig config(String... more) {
    return PostgresConfig.of(
        new Settings("postgres-table", scene.settings(more)), Duration.ofSeconds(5));
  }
}
