/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.lock.servers.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/**
 * A pool that lends what came back just as it is. Its connections have no auto-commit, and a
 * network time-out.
 */
final class PlainPool implements AutoCloseable {

  private static final int NETWORK_TIMEOUT_MILLIS = 54_321;

  private final String url;
  private final List<Connection> all = new ArrayList<>();
  private final Deque<Connection> free = new ArrayDeque<>();
  private AutoSave savepoints = AutoSave.NEVER;
  private boolean open = true;
  private int waiting;

  PlainPool(String url) {
    this.url = url;
  }

  DataSource source() {
    return (DataSource)
        Proxy.newProxyInstance(
            PlainPool.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getConnection")) {
                return lend();
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }

  /** Lends nothing until {@link #open}; a thread that asks waits, also if interrupted. */
  synchronized void shut() {
    open = false;
  }

  synchronized void open() {
    open = true;
    notifyAll();
  }

  /** How many wait for a connection. */
  synchronized int waiting() {
    return waiting;
  }

  synchronized int lent() {
    return all.size() - free.size();
  }

  private void awaitOpen() {
    boolean interrupted = false;
    waiting++;
    while (!open) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    waiting--;
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Connection lend() throws SQLException {
    awaitOpen();
    Connection known = free.poll();
    while (known != null && known.isClosed()) {
      all.remove(known);
      known = free.poll();
    }
    Connection real = known == null ? connect() : known;
    return (Connection)
        Proxy.newProxyInstance(
            PlainPool.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                method.getName().equals("close") ? back(real) : call(real, method, arguments));
  }

  private Connection connect() throws SQLException {
    Connection made = DriverManager.getConnection(url, PostgresServer.USER, "");
    made.setAutoCommit(false);
    made.setNetworkTimeout(Runnable::run, NETWORK_TIMEOUT_MILLIS);
    savepoints = savepoints(made);
    all.add(made);
    return made;
  }

  private synchronized @Nullable Object back(Connection real) {
    free.push(real);
    return null;
  }

  private static @Nullable Object call(
      Connection real, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  synchronized void assertAllAreBackAsTheyWere() throws SQLException {
    assertFalse(all.isEmpty());
    assertEquals(all.size(), free.size(), "connections that came back");
    for (Connection connection : all) {
      assertFalse(connection.isClosed());
      assertFalse(connection.getAutoCommit());
      assertEquals(NETWORK_TIMEOUT_MILLIS, connection.getNetworkTimeout());
      assertEquals(savepoints, savepoints(connection));
    }
  }

  private static AutoSave savepoints(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getAutosave();
  }

  @Override
  public synchronized void close() throws SQLException {
    for (Connection connection : all) {
      connection.close();
    }
  }
}
