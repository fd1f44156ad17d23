/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.postgres.advisory.NameRegister;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.schema.EncodedName;
import io.holdfast.lock.postgres.schema.Schema;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.spi.support.LockNames;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.AutoSave;

/**
 * Locks that last until the caller's own transaction ends, however it ends. They need no client, no
 * connection of their own, and no session: they work behind a pooler that gives a connection to
 * each transaction. They and {@code postgres-advisory}'s locks of the same namespace and name
 * exclude each other; a client that waits for one finds its end by polling. They also wait for
 * readers and writers of that name; those that ask meanwhile are refused with a {@link
 * io.holdfast.lock.LockCapacityException}.
 *
 * <p>There is no lease to lose: what the transaction writes is only there if it had the lock until
 * it committed. Of what it does elsewhere, the token tells. For any number of threads.
 *
 * <p>A rollback to a savepoint also frees the locks that were taken since that savepoint, and
 * undoes what was written since. Later statements of the transaction are not protected: take the
 * lock again first, or take it before the savepoint, and it stays. So it is with nested
 * transactions, which are savepoints.
 *
 * <p>The transaction has to be READ COMMITTED, as one with a stable snapshot does not see what the
 * holder before it has committed. So take the lock first: a transaction that has not read or
 * written anything yet is made READ COMMITTED, whatever it was begun with; one with REPEATABLE READ
 * or SERIALIZABLE that has a snapshot already is refused.
 */
public final class TransactionLocks {

  /** As the engine makes fencing tokens of the numbers of backends. */
  private static final int PLACE_BITS = 10;

  /** The state in which the server refuses to change the isolation. */
  private static final String HAS_SNAPSHOT = "25001";

  private final String namespace;
  private final String lockSql;
  private final String trySql;
  private final String nameSql;
  private final String readCommittedSql;
  private final String skipSql;

  private TransactionLocks(String namespace, Schema schema) {
    this.namespace = namespace;
    this.lockSql = schema.statement("advisory-xact-lock.sql");
    this.trySql = schema.statement("advisory-xact-try-lock.sql");
    this.nameSql = schema.statement("advisory-xact-name.sql");
    this.readCommittedSql = schema.statement("transaction/read-committed.sql");
    this.skipSql = schema.statement("session/token-skip.sql");
  }

  /**
   * In the default namespace and schema.
   *
   * @return locks
   */
  public static TransactionLocks create() {
    return create(Map.of());
  }

  /**
   * With settings.
   *
   * @param settings any of {@code namespace} and {@code schema}, as {@link AdvisoryLockProvider}
   *     has them
   * @return locks
   * @throws io.holdfast.lock.LockConfigurationException if a setting is unknown or malformed
   */
  public static TransactionLocks create(Map<String, String> settings) {
    Settings read = new Settings(AdvisoryLockProvider.NAME, settings);
    TransactionLocks locks = new TransactionLocks(read.namespace(), PostgresConfig.schema(read));
    read.finish();
    return locks;
  }

  /**
   * Waits for the lock for as long as it takes, or as the connection's {@code lock_timeout}, {@code
   * statement_timeout} or network time-out allow; after one of these the transaction is good for
   * nothing but a rollback. May be called again in the same transaction.
   *
   * <p>After a crash of the server, the first call commits a transaction of its own on the
   * connection, which makes sure that tokens go on growing; where the caller's transaction has
   * begun already, it does so as a part of that.
   *
   * @param connection in a transaction: without auto-commit
   * @param name of the lock
   * @return the fencing token; greater than every earlier one of this lock that a committed
   *     transaction or a lease was given, across crashes of the server too
   * @throws IllegalArgumentException if the name is not good, or there is no transaction
   * @throws io.holdfast.lock.LockUnavailableException if the server did not answer or a time-out
   *     has passed
   * @throws LockRejectedException if it refused, or if the transaction has a snapshot that it goes
   *     on seeing; then it is good for nothing but a rollback
   */
  public long lock(Connection connection, String name) {
    return ask(connection, name, lockSql)
        .orElseThrow(() -> new IllegalStateException("The server neither locked nor refused"));
  }

  /**
   * Takes the lock if it is free.
   *
   * @param connection in a transaction: without auto-commit
   * @param name of the lock
   * @return the fencing token as {@link #lock} has it; empty if somebody else has the lock
   * @throws IllegalArgumentException if the name is not good, or there is no transaction
   * @throws io.holdfast.lock.LockUnavailableException if the server did not answer
   * @throws LockRejectedException as {@link #lock} does
   */
  public OptionalLong tryLock(Connection connection, String name) {
    return ask(connection, name, trySql);
  }

  private OptionalLong ask(Connection connection, String name, String sql) {
    LockNames.check(name);
    String key = AdvisoryKey.of("advisory", namespace, name).payload();
    try {
      if (connection.getAutoCommit()) {
        throw new IllegalArgumentException(
            "connection must be in a transaction (setAutoCommit(false)), whose end frees the lock");
      }
      boolean fresh = isFresh(connection);
      // Not prepared: behind a pooler, the next transaction may meet another session.
      try (Statement statement = connection.createStatement()) {
        readCommitted(statement);
        if (!checkName(statement, key, name)) {
          if (fresh && endsHere(connection)) {
            statement.execute("SET LOCAL synchronous_commit = on");
            statement.execute(skipSql);
            connection.commit();
            readCommitted(statement);
            checkName(statement, key, name);
          } else {
            statement.execute(skipSql);
          }
        }
        long token = locks(statement, sql.replace("?", key));
        if (token == 0) {
          return OptionalLong.empty();
        }
        if (savesAlways(connection)) {
          // The driver makes its savepoint before this, and so behind the lock. After some errors
          // it goes back to the last one that it has made, which was before the lock until now.
          statement.execute("SELECT 1");
        }
        return OptionalLong.of(token << PLACE_BITS);
      }
    } catch (SQLException | LockRejectedException e) {
      throw PgFailures.typed("Locking '" + name + "' in a transaction", e);
    }
  }

  private static long locks(Statement statement, String sql) throws SQLException {
    try (ResultSet answer = statement.executeQuery(sql)) {
      answer.next();
      return answer.getLong(1);
    }
  }

  /** Whether the driver makes a savepoint before each statement. */
  private static boolean savesAlways(Connection connection) throws SQLException {
    return connection.isWrapperFor(PGConnection.class)
        && connection.unwrap(PGConnection.class).getAutosave() == AutoSave.ALWAYS;
  }

  /** Whether there is nothing in the transaction yet; false if the driver cannot be asked. */
  private static boolean isFresh(Connection connection) throws SQLException {
    return connection.isWrapperFor(BaseConnection.class)
        && connection.unwrap(BaseConnection.class).getTransactionState() == TransactionState.IDLE;
  }

  /** Ends a transaction of which all is ours; false if somebody else has to, as with XA. */
  private static boolean endsHere(Connection connection) {
    try {
      connection.rollback();
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private void readCommitted(Statement statement) throws SQLException {
    String isolation;
    // This takes no snapshot.
    try (ResultSet answer = statement.executeQuery("SHOW transaction_isolation")) {
      answer.next();
      isolation = answer.getString(1);
    }
    if (isolation.startsWith("read ")) {
      return;
    }
    try {
      statement.execute(readCommittedSql);
    } catch (SQLException e) {
      if (HAS_SNAPSHOT.equals(e.getSQLState())) {
        throw new LockRejectedException(
            "The transaction is %s and has taken its snapshot, so it would not see what the lock's last holder committed; roll back, and take the lock before anything else, or use READ COMMITTED"
                .formatted(isolation.toUpperCase(Locale.ROOT)),
            e);
      }
      throw e;
    }
  }

  /** Refuses a key of another name; answers whether tokens are safe since the last crash. */
  private boolean checkName(Statement statement, String key, String name) throws SQLException {
    try (ResultSet answer = statement.executeQuery(nameSql.replace("?", key))) {
      answer.next();
      if (answer.getBoolean(5)) {
        throw new LockRejectedException(
            "a pooler gave this transaction the session of a lock client, which may hold the lock; have that client connect to PostgreSQL directly");
      }
      String otherNamespace = answer.getString(1);
      String otherName = answer.getString(2);
      if (otherName != null
          && !(namespace.equals(otherNamespace) && EncodedName.of(name).equals(otherName))) {
        throw NameRegister.clash(namespace, name, otherNamespace, otherName);
      }
      return answer.getBoolean(3);
    }
  }
}
