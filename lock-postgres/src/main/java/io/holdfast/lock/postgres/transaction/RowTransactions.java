/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.connect.SavedJdbcState;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/**
 * Takes connections from a pool, and begins transactions on them that hold a row. What can go to
 * the server together is one text of several statements: the driver sends them without waiting for
 * answers in between. A statement that fails aborts the transaction, so that a {@code COMMIT}
 * behind it commits nothing.
 */
public final class RowTransactions {

  private final DataSource pool;
  private final ConnectionFactory connector;
  private final String namespace;
  private final String channel;
  private final int patienceMillis;
  private final String beginSql;
  private final String lockSql;
  private final String makeSql;
  private final String commitSql;
  private final String rollBackSql;

  public RowTransactions(DataSource pool, ConnectionFactory connector, String channel) {
    PostgresConfig config = connector.config();
    this.pool = pool;
    this.connector = connector;
    this.namespace = config.namespace();
    this.channel = channel;
    this.patienceMillis = Math.toIntExact(config.commandTimeout().toMillis());
    String readCommitted = config.schema().statement("transaction/read-committed.sql");
    this.beginSql = readCommitted + config.schema().statement("transaction/begin.sql");
    this.lockSql = config.schema().statement("transaction/lock.sql");
    this.makeSql =
        "ROLLBACK;\nBEGIN;\n"
            + readCommitted
            + config.schema().statement("transaction/make.sql")
            + ";\nCOMMIT";
    String tell = config.schema().statement("transaction/tell.sql");
    this.commitSql = tell + ";\nCOMMIT";
    this.rollBackSql = "ROLLBACK;\n" + tell;
  }

  /**
   * A transaction that holds the row, if it can be had without waiting.
   *
   * @param doubtful takes each transaction before it asks for the row: if this fails, what came of
   *     the last one is not known
   */
  public Optional<RowTransaction> begin(String name, Consumer<RowTransaction> doubtful)
      throws SQLException {
    Connection connection = pool.getConnection();
    try {
      SavedJdbcState before = SavedJdbcState.of(connection);
      AutoSave autosave = connection.unwrap(PGConnection.class).getAutosave();
      takeOver(connection);
      connection.setAutoCommit(false);
      RowTransaction transaction = begin(connection, before, autosave);
      doubtful.accept(transaction);
      if (locks(connection, name)) {
        return Optional.of(transaction);
      }
      if (makes(connection, name)) {
        transaction = begin(connection, before, autosave);
        doubtful.accept(transaction);
        if (locks(connection, name)) {
          return Optional.of(transaction);
        }
      }
      transaction.giveBack();
      return Optional.empty();
    } catch (SQLException | RuntimeException e) {
      PgConnection.abort(connection);
      throw e;
    }
  }

  private RowTransaction begin(Connection connection, SavedJdbcState before, AutoSave autosave)
      throws SQLException {
    try (PreparedStatement begin = connection.prepareStatement(beginSql)) {
      connector.setForTransaction(connection, begin);
      begin.execute();
      begin.getMoreResults();
      try (ResultSet answer = begin.getResultSet()) {
        answer.next();
        if (answer.getBoolean(4)) {
          throw new LockRejectedException(
              "The connection leads to a standby, where no row can be locked; connect to the primary");
        }
        long started = answer.getLong(2);
        if (answer.wasNull()) {
          throw new LockRejectedException(
              "The server does not show when this transaction began, so nobody can know whether it is still open; set track_activities to on, and let the connection keep the role that logged in");
        }
        PgConnection.Identity identity =
            new PgConnection.Identity(answer.getInt(1), started, answer.getLong(6));
        return new RowTransaction(
            connection, before, autosave, identity, answer.getLong(3), answer.getString(5));
      }
    }
  }

  private boolean locks(Connection connection, String name) throws SQLException {
    try (PreparedStatement lock = connection.prepareStatement(lockSql)) {
      lock.setString(1, namespace);
      lock.setString(2, name);
      try (ResultSet answer = lock.executeQuery()) {
        return answer.next();
      }
    }
  }

  /** In a transaction of its own: the one before, which did not get the row, ends. */
  private boolean makes(Connection connection, String name) throws SQLException {
    try (PreparedStatement make = connection.prepareStatement(makeSql)) {
      make.setString(1, namespace);
      make.setString(2, name);
      boolean made = false;
      make.execute();
      do {
        made |= make.getUpdateCount() == 1;
      } while (make.getMoreResults() || make.getUpdateCount() >= 0);
      return made;
    }
  }

  /**
   * Asks the transaction itself whether it is still open, and leaves it to the holder. The
   * savepoint keeps the row locked when a statement of the holder fails: the server then only
   * aborts what was done since.
   */
  public void prove(RowTransaction transaction) throws SQLException {
    Connection connection = transaction.connection();
    takeOver(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute("SAVEPOINT holdfast_lease");
    }
    leaveToHolder(transaction);
  }

  /**
   * For statements of ours: they have a limit of time, and no savepoints of the driver. A row that
   * is locked after such a savepoint is free once the driver goes back to it.
   */
  private void takeOver(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, patienceMillis);
    connection.unwrap(PGConnection.class).setAutosave(AutoSave.NEVER);
  }

  /** The holder's own statements may take as long as they like. */
  private static void leaveToHolder(RowTransaction transaction) throws SQLException {
    transaction.driver().setAutosave(transaction.autosave());
    transaction.connection().setNetworkTimeout(Runnable::run, 0);
  }

  /**
   * Ends the transaction, the wake-up being a part of it.
   *
   * @throws SQLException among other reasons, if the holder's SQL has ended it before; what it did
   *     afterwards, without the lock, is not committed
   */
  public void commit(RowTransaction transaction, AdvisoryKey key) throws SQLException {
    end(transaction, commitSql, key, transaction.begunMicros());
  }

  /** Undoes the transaction, also one that a failed statement has aborted, and wakes afterwards. */
  public void rollBack(RowTransaction transaction, AdvisoryKey key) throws SQLException {
    end(transaction, rollBackSql, key, null);
  }

  private void end(
      RowTransaction transaction, String sql, AdvisoryKey key, @Nullable Long begunMicros)
      throws SQLException {
    Connection connection = transaction.connection();
    takeOver(connection);
    try (PreparedStatement end = connection.prepareStatement(sql)) {
      end.setString(1, channel);
      end.setString(2, key.payload());
      end.setObject(3, begunMicros, Types.BIGINT);
      end.execute();
    }
    try {
      transaction.giveBack();
    } catch (SQLException e) {
      // How the transaction ended is known; only the pool will have to make another connection.
      PgConnection.abort(connection);
    }
  }
}
