/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import io.holdfast.lock.postgres.connect.ConnectionSource;
import io.holdfast.lock.postgres.connect.PgConnection;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * New connections, for a pool that keeps them. Nothing that it shows holds a secret.
 *
 * <p>HikariCP forgets a connection that is made while it closes, and leaves it open. So this knows
 * which connections are open, and closes those that the pool has left.
 */
final class OwnDataSource implements DataSource, AutoCloseable {

  private final ConnectionSource source;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  OwnDataSource(ConnectionSource source) {
    this.source = source;
  }

  @Override
  public Connection getConnection() throws SQLException {
    open.removeIf(OwnDataSource::isClosed);
    Connection made = source.open();
    open.add(made);
    // Either this sees that it is closed, or closing sees this connection.
    if (closed) {
      PgConnection.abort(made);
      throw new SQLException("The pool was closed meanwhile");
    }
    return made;
  }

  private static boolean isClosed(Connection connection) {
    try {
      return connection.isClosed();
    } catch (SQLException e) {
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    open.forEach(PgConnection::abort);
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLFeatureNotSupportedException("The user is set where the DataSource is created");
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {
    // Nothing is written there.
  }

  /** Each connection has its own. */
  @Override
  public void setLoginTimeout(int seconds) {
    // It is set where the source is made.
  }

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("There is no logger");
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    if (isWrapperFor(type)) {
      return type.cast(this);
    }
    throw new SQLException("This is not a " + type.getName());
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }

  @Override
  public String toString() {
    return source.describe();
  }
}
