/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.postgres.PostgresHarness;
import io.holdfast.lock.postgres.connect.ConnectionSource;
import io.holdfast.lock.spi.Settings;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Tests what a pool shows of its connections, and which of them it knows. */
class OwnDataSourceTest {

  @Test
  void descriptionsHoldNoSecret() {
    String url = "jdbc:postgresql://localhost/app?password=secret&sslpassword=secret";
    Settings settings = new Settings("postgres-row", Map.of("url", url));
    ConnectionSource source = ConnectionSource.Own.of(settings, 5);
    assertEquals("//localhost/app", new OwnDataSource(source).toString());
  }

  /** Also those that the pool has taken out meanwhile, and those that come too late for it. */
  @Test
  void openConnectionsEndWithIt() throws Exception {
    List<Connection> made = new ArrayList<>();
    OwnDataSource source = new OwnDataSource(source(made));
    Connection closed = source.getConnection();
    Connection open = source.getConnection();
    closed.close();
    assertFalse(open.isClosed());
    source.close();
    assertTrue(open.isClosed());
    assertThrows(SQLException.class, source::getConnection);
    assertEquals(3, made.size());
    assertTrue(made.get(2).isClosed());
  }

  /** A pool makes new ones all its life. */
  @Test
  void closedConnectionsAreNotKept() throws Exception {
    List<Connection> made = new ArrayList<>();
    OwnDataSource source = new OwnDataSource(source(made));
    List<WeakReference<Connection>> closed = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      closed.add(new WeakReference<>(closed(source)));
      made.clear();
    }
    // It looks when it makes the next one.
    PostgresHarness.await("all but the last to be forgotten", () -> kept(closed) <= 3);
    source.close();
  }

  private static Connection closed(OwnDataSource source) throws SQLException {
    Connection made = source.getConnection();
    made.close();
    return made;
  }

  private static long kept(List<WeakReference<Connection>> all) {
    System.gc();
    return all.stream().filter(one -> !one.refersTo(null)).count();
  }

  private static ConnectionSource source(List<Connection> made) {
    return new ConnectionSource() {
      @Override
      public Connection open() {
        Connection connection = connection();
        made.add(connection);
        return connection;
      }

      @Override
      public boolean lends() {
        return false;
      }

      @Override
      public String describe() {
        return "a test";
      }
    };
  }

  @SuppressWarnings("ReferenceEquality") // This very connection is meant.
  private static Connection connection() {
    AtomicBoolean closed = new AtomicBoolean();
    return (Connection)
        Proxy.newProxyInstance(
            OwnDataSourceTest.class.getClassLoader(),
            new Class<?>[] {Connection.class, PGConnection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "unwrap" -> proxy;
                  case "abort", "close" -> closed.getAndSet(true);
                  case "isClosed" -> closed.get();
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }
}
