/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.SavedJdbcState;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.AutoSave;

/**
 * A connection of a pool.
 *
 * @param connection closing it gives it back
 * @param driver the same without the pool, which may not notice what happens to it
 * @param before how it was when it came from the pool
 * @param autosave when the driver makes savepoints before statements of the holder
 */
record LentConnection(
    Connection connection, BaseConnection driver, SavedJdbcState before, AutoSave autosave) {

  static LentConnection of(Connection connection) throws SQLException {
    BaseConnection driver = connection.unwrap(BaseConnection.class);
    return new LentConnection(
        connection, driver, SavedJdbcState.of(connection), driver.getAutosave());
  }

  RowTransaction begun(PgConnection.Identity identity, long begunMicros, String mark)
      throws SQLException {
    return new RowTransaction(connection, before, autosave, identity, begunMicros, mark);
  }
}
