/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * The state of a connection when it was lent to us, as far as the driver keeps it and not the
 * server: not every pool sets it anew.
 *
 * @param autoCommit whether each statement is a transaction
 * @param networkTimeoutMillis how long an answer is waited for; 0 for any time
 */
public record SavedJdbcState(boolean autoCommit, int networkTimeoutMillis) {

  /** That of a new connection. */
  static final SavedJdbcState FRESH = new SavedJdbcState(true, 0);

  /** The present one. */
  public static SavedJdbcState of(Connection connection) throws SQLException {
    return new SavedJdbcState(connection.getAutoCommit(), connection.getNetworkTimeout());
  }

  /** Before the connection goes back; it is in no transaction. */
  public void restore(Connection connection) throws SQLException {
    connection.setAutoCommit(autoCommit);
    connection.setNetworkTimeout(Runnable::run, networkTimeoutMillis);
  }
}
