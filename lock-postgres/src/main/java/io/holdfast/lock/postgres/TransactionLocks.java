/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.spi.LockNames;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Locks that last until the caller's own transaction ends, however it ends. They need no client, no
 * connection of their own, and no session: they work behind a pooler that gives a connection to
 * each transaction. They shut out {@code postgres-advisory}'s locks of the same namespace and name,
 * and are shut out by them; a client that waits for one finds its end by polling.
 *
 * <p>There is no lease to lose: what the transaction writes is only there if it had the lock until
 * it committed. Of what it does elsewhere, the token tells. For any number of threads.
 */
public final class TransactionLocks {

  /** As the engine makes fencing tokens of the numbers of backends. */
  private static final int PLACE_BITS = 10;

  private final String namespace;
  private final String lockSql;
  private final String trySql;
  private final String nameSql;

  private TransactionLocks(String namespace, Schema schema) {
    this.namespace = namespace;
    this.lockSql = schema.statement("transaction-lock.sql");
    this.trySql = schema.statement("transaction-try.sql");
    this.nameSql = schema.statement("transaction-name.sql");
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
   * @param connection in a transaction: without auto-commit
   * @param name of the lock
   * @return the fencing token; greater than every earlier one of this lock that a committed
   *     transaction or a lease was given
   * @throws IllegalArgumentException if the name is not good, or there is no transaction
   * @throws io.holdfast.lock.LockUnavailableException if the server did not answer or a time-out
   *     has passed
   * @throws LockRejectedException if it refused
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
   * @throws LockRejectedException if it refused
   */
  public OptionalLong tryLock(Connection connection, String name) {
    return ask(connection, name, trySql);
  }

  private OptionalLong ask(Connection connection, String name, String sql) {
    LockNames.check(name);
    String key = Key.of("advisory", namespace, name).payload();
    try {
      if (connection.getAutoCommit()) {
        throw new IllegalArgumentException(
            "connection must be in a transaction (setAutoCommit(false)), whose end frees the lock");
      }
      // Not prepared: behind a pooler, the next transaction may meet another session.
      try (Statement statement = connection.createStatement()) {
        checkName(statement, key, name);
        try (ResultSet answer = statement.executeQuery(sql.replace("?", key))) {
          answer.next();
          long token = answer.getLong(1);
          return token == 0 ? OptionalLong.empty() : OptionalLong.of(token << PLACE_BITS);
        }
      }
    } catch (SQLException e) {
      throw Failures.typed("Locking '" + name + "' in a transaction", e);
    }
  }

  private void checkName(Statement statement, String key, String name) throws SQLException {
    try (ResultSet answer = statement.executeQuery(nameSql.replace("?", key))) {
      if (answer.next()
          && !(namespace.equals(answer.getString(1))
              && Text.of(name).equals(answer.getString(2)))) {
        throw NameRegister.clash(namespace, name, answer.getString(1), answer.getString(2));
      }
    }
  }
}
