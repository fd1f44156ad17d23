/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;

/**
 * A transaction that holds a row, and the connection that it is on.
 *
 * @param connection of a pool; closing it gives it back
 * @param identity of its session
 * @param begunMicros when the transaction began, by the server's clock
 * @param calls of its holder, and our looks: each has a permit while it is under way
 */
record Tenure(Connection connection, Wire.Identity identity, long begunMicros, Semaphore calls) {

  private static final int ALL = Integer.MAX_VALUE;

  Tenure(Connection connection, Wire.Identity identity, long begunMicros) {
    this(connection, identity, begunMicros, new Semaphore(ALL));
  }

  /**
   * Lets no call of the holder begin any more, once none is under way: one that began before could
   * otherwise reach the connection after the transaction has ended, and write outside of it.
   *
   * @return false if one is still under way at the end of that time
   */
  boolean endCalls(Duration patience) {
    try {
      return calls.tryAcquire(ALL, patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void commit() throws SQLException {
    connection.commit();
    giveBack();
  }

  void rollBack() throws SQLException {
    connection.rollback();
    giveBack();
  }

  private void giveBack() throws SQLException {
    connection.setAutoCommit(true);
    connection.setNetworkTimeout(Runnable::run, 0);
    connection.close();
  }

  /**
   * Whether the connection has ended, which it is asked itself; waits behind what its holder does
   * there, for as long as the lease does not end. To whoever ends it, this is a call of its holder.
   */
  boolean isCutOff() {
    if (!calls.tryAcquire()) {
      return false;
    }
    try {
      return Wire.hasEnded(connection);
    } finally {
      calls.release();
    }
  }

  /** Whether the pool, or the driver, has closed the connection; asks nobody. */
  boolean isClosed() {
    try {
      // Not the pool's own, which may not have taken notice.
      return ((Connection) connection.unwrap(PGConnection.class)).isClosed();
    } catch (SQLException e) {
      return true;
    }
  }

  /** Ends the connection now; whoever uses it gets an exception. */
  void abort() {
    Wire.abort(connection);
  }
}
