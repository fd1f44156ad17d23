/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transaction that holds a row, and the connection that it is on.
 *
 * @param connection of a pool; closing it gives it back
 * @param identity of its session
 * @param begunMicros when the transaction began, by the server's clock
 * @param inUse how many calls of its holder are under way
 */
record Tenure(
    Connection connection, Wire.Identity identity, long begunMicros, AtomicInteger inUse) {

  Tenure(Connection connection, Wire.Identity identity, long begunMicros) {
    this(connection, identity, begunMicros, new AtomicInteger());
  }

  /** Whether the holder is in the middle of a call. */
  boolean isBusy() {
    return inUse.get() > 0;
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

  /** Ends the connection now; whoever uses it gets an exception. */
  void abort() {
    Wire.abort(connection);
  }
}
