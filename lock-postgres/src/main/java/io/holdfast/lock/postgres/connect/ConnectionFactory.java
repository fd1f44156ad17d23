/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import io.holdfast.lock.LockRejectedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/**
 * Opens connections that may be relied on. Each is checked: it leads to the primary (a standby
 * grants advisory locks that nobody else sees), in a version that can end silent sessions, and not
 * by way of a pooler (which may share one session among many clients, or give one client another
 * session for each statement).
 *
 * <p>A pooler is found out by the number of the server's process, which is told at login and can be
 * asked for: a pooler makes up the first. Where one is accepted, the session mark shows that it is
 * still ours: a pooler may begin to share sessions at any time (see {@link PgConnection}).
 */
public final class ConnectionFactory {

  private static final int OLDEST_VERSION = 140_000;

  /** Far less than the minute for which the row of a free lock stays (decision 11). */
  private static final int LONGEST_STATEMENT_MILLIS = 20_000;

  private final PostgresConfig config;
  private final String sessionSql;

  public ConnectionFactory(PostgresConfig config) {
    this.config = config;
    this.sessionSql = config.schema().statement("connect/session.sql");
  }

  public PostgresConfig config() {
    return config;
  }

  /**
   * For locks: the server ends it when it has said nothing for the session time-out.
   *
   * @param patience how long an answer is waited for, before the connection is given up
   */
  public PgConnection openSession(Duration patience) throws SQLException {
    return open(config.sessionTimeout(), patience);
  }

  /** For what holds nothing at the server, and may be silent for long. */
  public PgConnection openIdle() throws SQLException {
    return open(Duration.ZERO, config.sessionTimeout());
  }

  private PgConnection open(Duration idleTimeout, Duration patience) throws SQLException {
    Connection connection = config.source().open();
    Map<String, String> wanted = wanted(idleTimeout);
    String sessionMark = UUID.randomUUID().toString();
    wanted.put(PgConnection.SESSION_MARK, sessionMark);
    Map<String, String> before = Map.of();
    SavedJdbcState state = SavedJdbcState.FRESH;
    try {
      state = SavedJdbcState.of(connection);
      connection.setNetworkTimeout(Runnable::run, millis(config.connectTimeout()));
      connection.setAutoCommit(true);
      PGConnection driver = connection.unwrap(PGConnection.class);
      if (config.source().lends()) {
        before = current(connection, wanted.keySet());
      }
      PgConnection.Identity identity = check(connection, driver, wanted);
      connection.setNetworkTimeout(Runnable::run, millis(patience));
      return new PgConnection(connection, driver, identity, sessionMark, before, state);
    } catch (SQLException | RuntimeException e) {
      giveBack(connection, sessionMark, before, state);
      throw e;
    }
  }

  private static void giveBack(
      Connection connection, String sessionMark, Map<String, String> before, SavedJdbcState state) {
    try {
      if (!before.isEmpty()) {
        restore(connection, sessionMark, before);
      }
      state.restore(connection);
      connection.close();
    } catch (SQLException | RuntimeException e) {
      PgConnection.abort(connection);
    }
  }

  private PgConnection.Identity check(
      Connection connection, PGConnection driver, Map<String, String> settings)
      throws SQLException {
    try (PreparedStatement asked = once(connection, sessionSql)) {
      set(connection, asked, settings);
      asked.setInt(3, driver.getBackendPID());
      asked.setBoolean(4, config.acceptPooler());
      return checked(asked, driver);
    }
  }

  /** A pooler that shares sessions knows no statement that another client has prepared. */
  private static PreparedStatement once(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.unwrap(PGStatement.class).setPrepareThreshold(0);
    return statement;
  }

  private PgConnection.Identity checked(PreparedStatement asked, PGConnection driver)
      throws SQLException {
    try (ResultSet answer = asked.executeQuery()) {
      answer.next();
      int process = answer.getInt(1);
      if (process != driver.getBackendPID() && !config.acceptPooler()) {
        throw refused(
            "a pooler such as PgBouncer is in between, and session locks are not safe behind"
                + " one that shares sessions; connect to PostgreSQL directly, or set"
                + " pooler=session if it keeps one session for each client");
      }
      if (!answer.getString(6).isEmpty()) {
        throw refused(
            "the session that answers is another lock client's: a pooler in between shares sessions"
                + " (PgBouncer: pool_mode must be session, with server_reset_query = DISCARD ALL);"
                + " connect to PostgreSQL directly");
      }
      if (answer.getBoolean(3)) {
        throw refused(
            "this is a standby, and no other server sees its locks; connect to the primary");
      }
      if (answer.getInt(4) < OLDEST_VERSION) {
        throw refused("PostgreSQL 14 or newer is needed, which can end silent sessions");
      }
      if (!"UTF8".equals(answer.getString(5))) {
        throw refused(
            "the database's encoding is "
                + answer.getString(5)
                + ", which cannot hold every name; UTF8 is needed");
      }
      long started = answer.getLong(2);
      if (answer.wasNull()) {
        throw refused(
            "the role is not the one that logged in, and may not see and end sessions of that one,"
                + " so it cannot know that an earlier session of this client is gone; log in as"
                + " the role itself, or GRANT pg_read_all_stats, pg_signal_backend TO "
                + answer.getString(7));
      }
      return new PgConnection.Identity(process, started, answer.getLong(8));
    }
  }

  private LockRejectedException refused(String why) {
    return new LockRejectedException("Connecting to " + config.source().describe() + ": " + why);
  }

  private static Map<String, String> current(Connection connection, Set<String> names)
      throws SQLException {
    Map<String, String> current = new LinkedHashMap<>();
    try (PreparedStatement asked =
        once(
            connection,
            // Of the server's own, whatever the search path.
            // Without what this version does not have.
            "SELECT name, coalesce(pg_catalog.current_setting(name, true), '')"
                + " FROM pg_catalog.unnest(?::pg_catalog.text[]) AS name"
                + " WHERE name OPERATOR(pg_catalog.<>) 'transaction_timeout'"
                + " OR pg_catalog.current_setting(name, true) IS NOT NULL")) {
      asked.setArray(1, connection.createArrayOf("text", names.toArray()));
      try (ResultSet answer = asked.executeQuery()) {
        while (answer.next()) {
          current.put(answer.getString(1), answer.getString(2));
        }
      }
    }
    return current;
  }

  /**
   * Settings that the promises need: the kernel and the server give a vanished client up within the
   * session time-out, and a token that was seen has reached the disk. And plans that last.
   */
  private Map<String, String> wanted(Duration idleTimeout) {
    Map<String, String> wanted = endOfTheSilent(idleTimeout);
    wanted.put(
        "idle_in_transaction_session_timeout", Integer.toString(millis(config.sessionTimeout())));
    wanted.put(
        "statement_timeout",
        Integer.toString(
            Math.max(
                1, Math.min(LONGEST_STATEMENT_MILLIS, millis(config.commandTimeout()) * 3 / 4))));
    wanted.put("lock_timeout", "0");
    // Since PostgreSQL 17. It would end the session, and not only a statement that waits.
    wanted.put("transaction_timeout", "0");
    // So nobody who may make functions or operators in a schema of the path has us carry them out.
    wanted.put("search_path", "pg_catalog, pg_temp");
    wanted.put("synchronous_commit", "on");
    wanted.put("default_transaction_isolation", "read committed");
    // Planning takes longer than carrying out. So plans are kept, and must do for any number of
    // rows.
    wanted.put("plan_cache_mode", "force_generic_plan");
    wanted.put("enable_seqscan", "off");
    // By that reckoning, a plan that has to scan all the same would be worth compiling.
    wanted.put("jit", "off");
    wanted.put("client_min_messages", "error");
    return wanted;
  }

  /** Settings for a connection that holds locks, be it by a session or by a transaction. */
  private Map<String, String> endOfTheSilent(Duration idleTimeout) {
    int session = millis(config.sessionTimeout());
    int probe = Math.toIntExact(config.probeInterval().toSeconds());
    Map<String, String> wanted = new LinkedHashMap<>();
    wanted.put("idle_session_timeout", Integer.toString(millis(idleTimeout)));
    wanted.put("tcp_keepalives_idle", Integer.toString(probe));
    wanted.put("tcp_keepalives_interval", Integer.toString(probe));
    // Where there is no user time-out, these give a client up, and not before the session time-out.
    wanted.put("tcp_keepalives_count", Integer.toString(session / (probe * 1_000) + 1));
    wanted.put("tcp_user_timeout", Integer.toString(session));
    return wanted;
  }

  /**
   * Puts settings back in the session that has this session mark, and touches no other.
   *
   * @return false if another session answered
   */
  static boolean restore(Connection connection, String sessionMark, Map<String, String> settings)
      throws SQLException {
    try (PreparedStatement set =
        once(
            connection,
            "SELECT set_config(name, value, false) FROM unnest(?::text[], ?::text[])"
                + " AS s (name, value) WHERE current_setting('"
                + PgConnection.SESSION_MARK
                + "', true) = ?")) {
      set(connection, set, settings);
      set.setString(3, sessionMark);
      try (ResultSet answer = set.executeQuery()) {
        return answer.next();
      }
    }
  }

  /**
   * The settings of a transaction that holds a lock, as the first two parameters of a statement. It
   * may be silent for as long as its holder likes.
   */
  public void setForTransaction(Connection connection, PreparedStatement statement)
      throws SQLException {
    Map<String, String> settings = endOfTheSilent(Duration.ZERO);
    settings.put("idle_in_transaction_session_timeout", "0");
    settings.put("statement_timeout", "0");
    // Since PostgreSQL 17.
    settings.put("transaction_timeout", "0");
    set(connection, statement, settings);
  }

  private static void set(
      Connection connection, PreparedStatement statement, Map<String, String> settings)
      throws SQLException {
    statement.setArray(1, connection.createArrayOf("text", settings.keySet().toArray()));
    statement.setArray(2, connection.createArrayOf("text", settings.values().toArray()));
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(duration.toMillis());
  }
}
