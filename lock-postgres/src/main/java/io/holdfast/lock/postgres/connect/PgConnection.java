/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection, which is one session of the server. For one thread, but for {@link #abort}.
 *
 * <p>The session has a mark of ours, the session mark (marks of waiters are something else). A
 * statement that takes locks, frees them or proves that they are held compares it: whatever is in
 * between, what another session answers does not count, and the connection is given up ({@link
 * #isOthers}).
 *
 * <p>Its settings are put back before a connection that was lent to us goes home.
 */
public final class PgConnection {

  private static final Logger LOG = LoggerFactory.getLogger(PgConnection.class);
  private static final int GLANCE_MILLIS = 1;

  /** A setting of our own, which tells whose session it is. Statements in files name it, too. */
  static final String SESSION_MARK = "io_holdfast.session";

  private static final String PROOF =
      "SELECT coalesce(current_setting('" + SESSION_MARK + "', true) = ?, false)";

  /** A state of a broken connection, which no server and no driver tells. */
  private static final String OTHERS = "08HF1";

  /**
   * A session as the server knows it. Processes are numbered anew some day, so their start counts
   * as well.
   *
   * @param process the server's process
   * @param startedMicros when it began, by the server's clock
   * @param role the number of the role that logged in
   */
  public record Identity(int process, long startedMicros, long role) {}

  private final Connection connection;
  private final PGConnection driver;
  private final Identity identity;
  private final String sessionMark;
  private final Map<String, String> settingsBefore;
  private final SavedJdbcState stateBefore;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private final AtomicBoolean aborted = new AtomicBoolean();

  PgConnection(
      Connection connection,
      PGConnection driver,
      Identity identity,
      String sessionMark,
      Map<String, String> settingsBefore,
      SavedJdbcState stateBefore) {
    this.connection = connection;
    this.driver = driver;
    this.identity = identity;
    this.sessionMark = sessionMark;
    this.settingsBefore = settingsBefore;
    this.stateBefore = stateBefore;
  }

  public Identity identity() {
    return identity;
  }

  public Connection connection() {
    return connection;
  }

  /** By which the session is known; a setting of it. */
  public String sessionMark() {
    return sessionMark;
  }

  /** A statement that stays prepared for as long as the connection lasts. */
  public PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement known = prepared.get(sql);
    if (known == null) {
      known = connection.prepareStatement(sql);
      prepared.put(sql, known);
    }
    return known;
  }

  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  public java.sql.Array texts(String[] values) throws SQLException {
    return connection.createArrayOf("text", values);
  }

  /** For a statement's array: of each, whether it is one of some. */
  public static <T> boolean[] flags(List<T> all, Predicate<T> which) {
    boolean[] flags = new boolean[all.size()];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = which.test(all.get(i));
    }
    return flags;
  }

  /** Has our session answer; throws if another does. */
  public void ask() throws SQLException {
    PreparedStatement statement = prepare(PROOF);
    statement.setString(1, sessionMark);
    try (ResultSet answer = statement.executeQuery()) {
      answer.next();
      if (!answer.getBoolean(1)) {
        throw othersAnswer();
      }
    }
  }

  /** That the session that answers is not ours. */
  public static SQLException othersAnswer() {
    return new SQLException(
        "another session of the server answered: a pooler such as PgBouncer shares sessions",
        OTHERS);
  }

  /** Whether a failure shows that the session that answers is not ours, or not any more. */
  public static boolean isOthers(SQLException failure) {
    String state = failure.getSQLState();
    // Two states of statements that stay prepared: ours is unknown there, or another has one of its
    // name.
    return OTHERS.equals(state) || "26000".equals(state) || "42P05".equals(state);
  }

  /** Has our session end, from whichever answers: nobody can reach it to free its locks. */
  public void endSession() {
    try {
      execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = "
              + identity.process()
              + " AND (extract(epoch FROM backend_start) * 1000000)::bigint = "
              + identity.startedMicros());
    } catch (SQLException e) {
      LOG.debug("A session could not be ended", e);
    }
  }

  /** Looks whether the server has said something unasked, its farewell for example. */
  public void glance() throws SQLException {
    driver.getNotifications(GLANCE_MILLIS);
  }

  /** Waits for notifications, for a limited time. */
  public PGNotification[] listen(int millis) throws SQLException {
    PGNotification[] heard = driver.getNotifications(millis);
    return heard == null ? new PGNotification[0] : heard;
  }

  /**
   * Ends it in good order: nothing of it is at the server when this returns. One that was lent is
   * out of reach of {@link #abort} then.
   */
  public void close() {
    try {
      unlockAll();
      if (!settingsBefore.isEmpty()) {
        execute("UNLISTEN *");
        for (PreparedStatement statement : prepared.values()) {
          statement.close();
        }
        if (!ConnectionFactory.restore(connection, sessionMark, settingsBefore)) {
          throw othersAnswer();
        }
        stateBefore.restore(connection);
        // From now on it may be somebody else's.
        if (!aborted.compareAndSet(false, true)) {
          return;
        }
      }
    } catch (SQLException e) {
      LOG.debug("A connection could not be reset", e);
      if (isOthers(e)) {
        endSession();
      }
      abort();
      return;
    }
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("A connection could not be closed", e);
    }
  }

  /** Takes back all advisory locks of our session; throws if another answers. */
  public void unlockAll() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet answer =
            statement.executeQuery(
                "SELECT pg_advisory_unlock_all() WHERE current_setting('"
                    + SESSION_MARK
                    + "', true) = '"
                    + sessionMark
                    + "'")) {
      if (!answer.next()) {
        throw othersAnswer();
      }
    }
  }

  /** Ends it now, from any thread: a caller that waits for an answer gets an exception. */
  public void abort() {
    // The thread that finds it broken aborts it as well, and a pool's connection stands no second
    // close.
    if (!aborted.compareAndSet(false, true)) {
      return;
    }
    try {
      abort(driver, connection);
    } catch (SQLException e) {
      LOG.debug("A connection could not be aborted", e);
    }
  }

  /** The same for a connection that is not one of ours. */
  public static void abort(Connection connection) {
    try {
      abort(connection.unwrap(PGConnection.class), connection);
    } catch (SQLException | RuntimeException e) {
      LOG.debug("A connection could not be aborted", e);
    }
  }

  /** Asks a connection that is not one of ours, without a limit of time. */
  public static boolean hasEnded(Connection connection) {
    try {
      Connection driver = (Connection) connection.unwrap(PGConnection.class);
      try (Statement statement = driver.createStatement()) {
        statement.execute("");
      }
      return false;
    } catch (SQLException e) {
      return PgFailures.endsConnection(e);
    }
  }

  /** The driver's own, as the one of a pool may only make a note of it. */
  private static void abort(PGConnection driver, Connection connection) throws SQLException {
    ((Connection) driver).abort(Runnable::run);
    connection.close();
  }
}
