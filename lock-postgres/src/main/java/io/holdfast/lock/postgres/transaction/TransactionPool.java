/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.postgres.connect.ConnectionSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.PGConnection;

/** A pool of connections of our own, one for each transaction that holds a row. */
public final class TransactionPool extends HikariDataSource {

  /** Hikari takes no less. */
  private static final long SHORTEST_PATIENCE_MILLIS = 250;

  private final OwnDataSource connections;

  private TransactionPool(HikariConfig config, OwnDataSource connections) {
    super(config);
    this.connections = connections;
  }

  /**
   * A pool. It is not told how connections are made, as it logs what it is told, secrets included.
   * It is told the isolation of transactions that is usual there: it would ask its first
   * connection, and not again if that one breaks meanwhile, and all that follow would be refused.
   *
   * @param size how many connections there can be
   * @param patience how long one is waited for
   */
  public static TransactionPool open(ConnectionSource source, int size, Duration patience)
      throws SQLException {
    int isolation;
    try (Connection first = source.open()) {
      // A prepared statement stays in a session that a pooler gives to the next client.
      first.unwrap(PGConnection.class).setPrepareThreshold(0);
      isolation = first.getTransactionIsolation();
    }
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("holdfast-postgres-rows");
    OwnDataSource connections = new OwnDataSource(source);
    pool.setDataSource(connections);
    pool.setMaximumPoolSize(size);
    pool.setMinimumIdle(0);
    pool.setTransactionIsolation(Integer.toString(isolation));
    pool.setExceptionOverride(new PoolEvictionPolicy());
    pool.setInitializationFailTimeout(-1);
    pool.setConnectionTimeout(Math.max(SHORTEST_PATIENCE_MILLIS, patience.toMillis()));
    return new TransactionPool(pool, connections);
  }

  @Override
  public void close() {
    super.close();
    connections.close();
  }
}
