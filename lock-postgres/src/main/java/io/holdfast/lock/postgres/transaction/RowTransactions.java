/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
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
 * Takes connections from a pool, and begins transactions on them that hold a row. Statements that
 * can go to the server together are one text: the driver sends them without waiting for answers in
 * between. A statement that fails aborts the transaction, so that a {@code COMMIT} behind it
 * commits nothing.
 */
public final class RowTransactions {

  private final DataSource pool;
  private final RowLocking locking;
  private final Consumer<String> made;
  private final String channel;
  private final int patienceMillis;
  private final String commitSql;
  private final String rollBackSql;

  /**
   * Takes nothing yet.
   *
   * @param made is told of each row that is made
   */
  public RowTransactions(
      DataSource pool, ConnectionFactory connector, String channel, Consumer<String> made) {
    PostgresConfig config = connector.config();
    this.pool = pool;
    this.locking = new RowLocking(connector);
    this.made = made;
    this.channel = channel;
    this.patienceMillis = Math.toIntExact(config.commandTimeout().toMillis());
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
      LentConnection lent = LentConnection.of(connection);
      takeOver(connection);
      connection.setAutoCommit(false);
      RowLocking.Answer answer = locking.ask(lent, name, doubtful);
      if (!answer.holds() && locking.makes(lent, name)) {
        made.accept(name);
        answer = locking.ask(lent, name, doubtful);
      }
      RowTransaction transaction = answer.transaction();
      if (answer.holds()) {
        leaveToHolder(transaction);
        return Optional.of(transaction);
      }
      transaction.giveBack();
      return Optional.empty();
    } catch (SQLException | RuntimeException e) {
      PgConnection.abort(connection);
      throw e;
    }
  }

  /**
   * Asks the transaction itself whether it is still open, and leaves it to the holder; for one that
   * had the row before.
   */
  public void prove(RowTransaction transaction) throws SQLException {
    Connection connection = transaction.connection();
    takeOver(connection);
    try (Statement statement = connection.createStatement()) {
      statement.execute(RowLocking.SAVEPOINT_AGAIN);
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
      end.setInt(1, key.high());
      end.setInt(2, key.low());
      end.setString(3, channel);
      end.setString(4, key.payload());
      end.setObject(5, begunMicros, Types.BIGINT);
      end.setBoolean(6, locking.hasDrawn(transaction));
      end.execute();
    }
    if (begunMicros != null) {
      locking.committed(transaction);
    }
    try {
      transaction.giveBack();
    } catch (SQLException e) {
      // How the transaction ended is known; only the pool will have to make another connection.
      PgConnection.abort(connection);
    }
  }
}
