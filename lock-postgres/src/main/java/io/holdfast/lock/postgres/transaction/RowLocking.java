/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.schema.Schema;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/**
 * Begins transactions and asks for a row in them, in one round trip where it is known which session
 * answers. That has to be known before the row is asked for, so that the session can be ended if
 * the answer never comes. It is asked on the first use of a connection, and each time where a
 * pooler is in between, which may give each transaction another session.
 */
final class RowLocking {

  /**
   * After it, a statement that fails takes back no more than what was done since: the row stays
   * locked.
   */
  static final String SAVEPOINT = "SAVEPOINT holdfast_lease";

  /** Fails in any other transaction than that which has it. */
  static final String SAVEPOINT_AGAIN = "RELEASE " + SAVEPOINT + ";\n" + SAVEPOINT;

  /**
   * The answer to a request for a row.
   *
   * @param holds whether the transaction has the row
   */
  record Answer(RowTransaction transaction, boolean holds) {}

  /** A session, and the role to which the server has shown its transaction. */
  private record Session(PgConnection.Identity identity, String role) {}

  private final Map<BaseConnection, Session> sessions =
      Collections.synchronizedMap(new WeakHashMap<>());

  /** Connections whose sessions have drawn a token that may not be on the disk yet. */
  private final Set<BaseConnection> drawn =
      Collections.newSetFromMap(Collections.synchronizedMap(new WeakHashMap<>()));

  private final ConnectionFactory connector;
  private final String namespace;
  private final String beginSql;
  private final String lockSql;
  private final String askSql;
  private final String makeSql;

  RowLocking(ConnectionFactory connector) {
    this.connector = connector;
    this.namespace = connector.config().namespace();
    Schema schema = connector.config().schema();
    String readCommitted = schema.statement("transaction/read-committed.sql");
    this.beginSql = readCommitted + schema.statement("transaction/begin.sql");
    this.lockSql = schema.statement("transaction/lock.sql") + ";\n" + SAVEPOINT;
    this.askSql = readCommitted + schema.statement("transaction/again.sql") + ";\n" + lockSql;
    this.makeSql =
        "ROLLBACK;\nBEGIN;\n"
            + readCommitted
            + schema.statement("transaction/make.sql")
            + ";\nCOMMIT";
  }

  /**
   * Begins a transaction, and locks the row if it can be had without waiting.
   *
   * @param doubtful takes each transaction before it asks for the row: if this fails, what came of
   *     the last one is not known
   */
  Answer ask(LentConnection lent, String name, Consumer<RowTransaction> doubtful)
      throws SQLException {
    Session known = sessions.get(lent.driver());
    Answer answer = known == null ? null : askIn(known, lent, name, doubtful);
    if (answer != null) {
      return answer;
    }
    RowTransaction begun = begin(lent);
    doubtful.accept(begun);
    try (PreparedStatement lock = lent.connection().prepareStatement(lockSql)) {
      setRow(lock, 1, lent, name);
      lock.execute();
      return answer(begun, lock);
    }
  }

  /** Null if the server does not show the transaction, for all that is known. */
  private @Nullable Answer askIn(
      Session session, LentConnection lent, String name, Consumer<RowTransaction> doubtful)
      throws SQLException {
    doubtful.accept(lent.begun(session.identity(), 0, ""));
    try (PreparedStatement ask = lent.connection().prepareStatement(askSql)) {
      connector.setForTransaction(lent.connection(), ask);
      setRow(ask, 3, lent, name);
      ask.execute();
      ask.getMoreResults();
      ResultSet begun = ask.getResultSet();
      begun.next();
      if (session.role().equals(begun.getString(3)) && begun.getBoolean(4)) {
        RowTransaction transaction =
            lent.begun(session.identity(), begun.getLong(1), begun.getString(2));
        ask.getMoreResults();
        return answer(transaction, ask);
      }
    }
    sessions.remove(lent.driver());
    lent.connection().rollback();
    return null;
  }

  private RowTransaction begin(LentConnection lent) throws SQLException {
    try (PreparedStatement begin = lent.connection().prepareStatement(beginSql)) {
      connector.setForTransaction(lent.connection(), begin);
      begin.execute();
      begin.getMoreResults();
      try (ResultSet answer = begin.getResultSet()) {
        answer.next();
        if (answer.getBoolean(7)) {
          throw new LockRejectedException(
              "The connection leads to a standby, where no row can be locked; connect to the primary");
        }
        long started = answer.getLong(5);
        if (answer.wasNull()) {
          throw new LockRejectedException(
              "The server does not show when this transaction began, so nobody can know whether it is still open; set track_activities to on, and let the connection keep the role that logged in");
        }
        PgConnection.Identity identity =
            new PgConnection.Identity(answer.getInt(4), started, answer.getLong(6));
        // A pooler makes up the number that it tells at the login.
        if (identity.process() == lent.driver().getBackendPID()) {
          sessions.put(lent.driver(), new Session(identity, answer.getString(3)));
        }
        return lent.begun(identity, answer.getLong(1), answer.getString(2));
      }
    }
  }

  private void setRow(PreparedStatement lock, int from, LentConnection lent, String name)
      throws SQLException {
    // Behind a pooler, it is not known what the session has drawn.
    boolean draws = sessions.containsKey(lent.driver()) && !drawn.contains(lent.driver());
    lock.setBoolean(from, draws);
    setName(lock, from + 1, name);
  }

  private void setName(PreparedStatement statement, int from, String name) throws SQLException {
    statement.setString(from, namespace);
    statement.setString(from + 1, name);
  }

  /** The present result is that of the row. */
  private Answer answer(RowTransaction transaction, PreparedStatement lock) throws SQLException {
    try (ResultSet answer = lock.getResultSet()) {
      boolean holds = answer.next();
      long token = holds ? answer.getLong(1) : 0;
      if (token > 0) {
        drawn.add(transaction.driver());
      }
      return new Answer(transaction.drawn(token), holds);
    }
  }

  /** Whether a commit has to wait for the disk, so that the session may draw again. */
  boolean hasDrawn(RowTransaction transaction) {
    return drawn.contains(transaction.driver());
  }

  /** A transaction has written to the log, and its commit has waited for the disk. */
  void committed(RowTransaction transaction) {
    drawn.remove(transaction.driver());
  }

  /** In a transaction of its own: the one before, which did not get the row, ends. */
  boolean makes(LentConnection lent, String name) throws SQLException {
    try (PreparedStatement make = lent.connection().prepareStatement(makeSql)) {
      setName(make, 1, name);
      boolean made = false;
      make.execute();
      do {
        made |= make.getUpdateCount() == 1;
      } while (make.getMoreResults() || make.getUpdateCount() >= 0);
      return made;
    }
  }
}
