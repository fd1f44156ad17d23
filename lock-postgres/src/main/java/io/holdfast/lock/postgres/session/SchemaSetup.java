/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.schema.Schema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Makes what is missing in the schema, and checks what is there. What is made is given the time of
 * a connection, not that of a request, within its transaction only.
 */
public final class SchemaSetup {

  /** Several clients may start at once. */
  private static final String ONE_AT_A_TIME =
      "SELECT pg_advisory_xact_lock(" + AdvisoryKey.of("create", "", "").value() + ")";

  private final Schema schema;
  private final int statementMillis;
  private final int patienceMillis;
  private final String thereSql;
  private final String checkSql;
  private final String skipSql;

  public SchemaSetup(PostgresConfig config) {
    this.schema = config.schema();
    this.statementMillis = Math.toIntExact(config.setupTimeout().toMillis());
    // So that the server gives up first, and says so.
    this.patienceMillis = Math.toIntExact(statementMillis * 4L / 3);
    this.thereSql = schema.statement("session/tables.sql");
    this.checkSql = schema.statement("session/token-check.sql");
    this.skipSql = schema.statement("session/token-skip.sql");
  }

  /** For a session that is to take locks. */
  public void prepare(PgConnection pg, boolean create) throws SQLException {
    if (create && !isThere(pg)) {
      create(pg);
    }
    checkTokens(pg);
  }

  /** Runs the DDL file. Nothing happens to what is there. */
  private void create(PgConnection pg) throws SQLException {
    try {
      inTransaction(pg, () -> pg.execute(schema.statement(Schema.FILE)));
    } catch (SQLException e) {
      if (PgFailures.lacksPrivilege(e)) {
        throw mayNotCreate(pg.connection(), e);
      }
      throw e;
    }
  }

  private LockRejectedException mayNotCreate(Connection connection, SQLException cause)
      throws SQLException {
    return new LockRejectedException(
        "The role may not make what is missing in the schema '%s'. It needs GRANT CREATE ON DATABASE %s TO %s, and CREATE on the schema if that is there already; or let the database's owner run %s, and remove 'create-schema' (%s)"
            .formatted(
                schema.name(),
                quoted(connection.getCatalog()),
                quoted(connection.getMetaData().getUserName()),
                Schema.FILE,
                cause.getMessage()),
        cause);
  }

  /** A name as it stands in a statement. */
  private static String quoted(String name) {
    return name.matches("[a-z_][a-z0-9_]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
  }

  /** A role that may not create anything can ask for it all the same, once it is there. */
  private boolean isThere(PgConnection pg) throws SQLException {
    try (ResultSet answer = pg.prepare(thereSql).executeQuery()) {
      answer.next();
      return answer.getBoolean(1);
    }
  }

  /**
   * Makes sure that tokens grow: that the sequence gives them out in order, and that a crash which
   * took back the last ones makes no difference.
   */
  private void checkTokens(PgConnection pg) throws SQLException {
    boolean safe;
    try (ResultSet answer = pg.prepare(checkSql).executeQuery()) {
      if (!answer.next()) {
        throw new SQLException("the sequence lock_token is missing", "42P01");
      }
      safe = answer.getBoolean(2);
      if (!answer.getBoolean(1)) {
        throw new LockRejectedException(
            "The sequence "
                + schema.name()
                + ".lock_token must have CACHE 1, a positive increment and NO CYCLE; tokens would"
                + " not grow otherwise. It is made by "
                + Schema.FILE);
      }
    }
    if (!safe) {
      inTransaction(pg, () -> pg.execute(skipSql));
    }
  }

  private interface Step {
    void take() throws SQLException;
  }

  /** One client at a time. The server's limit ends with the transaction. */
  private void inTransaction(PgConnection pg, Step step) throws SQLException {
    Connection connection = pg.connection();
    int patienceBefore = connection.getNetworkTimeout();
    connection.setAutoCommit(false);
    try {
      connection.setNetworkTimeout(Runnable::run, patienceMillis);
      pg.execute("SET LOCAL statement_timeout = " + statementMillis);
      pg.execute(ONE_AT_A_TIME);
      step.take();
      connection.commit();
    } catch (SQLException e) {
      connection.rollback();
      throw e;
    } finally {
      connection.setAutoCommit(true);
      connection.setNetworkTimeout(Runnable::run, patienceBefore);
    }
  }
}
