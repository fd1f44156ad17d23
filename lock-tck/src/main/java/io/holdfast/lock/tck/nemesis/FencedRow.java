/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck.nemesis;

import io.holdfast.lock.guard.SqlGuard;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A row of a PostgreSQL table for each lock, behind {@link SqlGuard}. Looking and writing are two
 * transactions, so that between them there is something to protect. A process that stands still
 * within one keeps the others away, until the server ends it; they wait for a short time only.
 */
final class FencedRow implements Resource {

  private static final String DRIVER = "org.postgresql.Driver";
  private static final String TABLES =
      """
      CREATE TABLE IF NOT EXISTS holdfast_fence (
        resource VARCHAR(512) NOT NULL PRIMARY KEY, token BIGINT NOT NULL);
      CREATE TABLE IF NOT EXISTS counted (
        resource VARCHAR(512) NOT NULL PRIMARY KEY, value BIGINT NOT NULL)
      """;
  private static final String TERMS =
      "SET lock_timeout = '300ms'; SET idle_in_transaction_session_timeout = '1s'";
  private static final String LOOK = "SELECT value FROM counted WHERE resource = ?";
  private static final String WRITE =
      "INSERT INTO counted VALUES (?, ?) ON CONFLICT (resource) DO UPDATE SET value ="
          + " excluded.value";

  private final String url;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Connection> idle = new ArrayDeque<>();

  FencedRow(String url) {
    this.url = url;
  }

  /** Whether its driver is on the class path. */
  static boolean isPossible() {
    try {
      Class.forName(DRIVER);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Makes the tables. */
  void create() throws IOException {
    inTransaction(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.execute(TABLES);
          }
        });
  }

  @Override
  public String name(String lockName) {
    return "row of " + lockName;
  }

  @Override
  public boolean isFenced() {
    return true;
  }

  @Override
  public long read(String lockName, long token) throws IOException {
    return inTransaction(
        connection -> {
          SqlGuard.check(connection, lockName, token);
          try (PreparedStatement look = connection.prepareStatement(LOOK)) {
            look.setString(1, lockName);
            try (ResultSet found = look.executeQuery()) {
              return found.next() ? found.getLong(1) : 0L;
            }
          }
        });
  }

  @Override
  public void write(String lockName, long token, long value) throws IOException {
    inTransaction(
        connection -> {
          SqlGuard.check(connection, lockName, token);
          try (PreparedStatement write = connection.prepareStatement(WRITE)) {
            write.setString(1, lockName);
            write.setLong(2, value);
            return write.executeUpdate();
          }
        });
  }

  private interface Body<T> {
    T with(Connection connection) throws SQLException;
  }

  private <T> T inTransaction(Body<T> body) throws IOException {
    Connection connection = null;
    boolean good = false;
    try {
      connection = take();
      T result = body.with(connection);
      connection.commit();
      good = true;
      return result;
    } catch (SQLException e) {
      throw new IOException("the row's database does not answer as it should", e);
    } finally {
      giveBack(connection, good);
    }
  }

  private Connection take() throws SQLException {
    lock.lock();
    try {
      Connection waiting = idle.poll();
      if (waiting != null) {
        return waiting;
      }
    } finally {
      lock.unlock();
    }
    Connection fresh = DriverManager.getConnection(url);
    try (Statement terms = fresh.createStatement()) {
      terms.execute(TERMS);
      fresh.setAutoCommit(false);
      return fresh;
    } catch (SQLException e) {
      fresh.close();
      throw e;
    }
  }

  /** Only one that has just worked is used again. */
  private void giveBack(@org.jspecify.annotations.Nullable Connection connection, boolean good) {
    if (connection == null) {
      return;
    }
    if (!good) {
      end(connection);
      return;
    }
    lock.lock();
    try {
      idle.push(connection);
    } finally {
      lock.unlock();
    }
  }

  private static void end(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // It is gone, which is all that was wanted.
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      idle.forEach(FencedRow::end);
      idle.clear();
    } finally {
      lock.unlock();
    }
  }
}
