/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Map;
import org.postgresql.PGConnection;

/** Makes connections whose statements a test answers. */
public final class ConnectionWithoutServer {

  private ConnectionWithoutServer() {}

  /** A connection that is only asked what the test expects. */
  public static PgConnection of(InvocationHandler answers) {
    return new PgConnection(
        proxy(Connection.class, answers),
        proxy(PGConnection.class, answers),
        new PgConnection.Identity(1, 1, 1),
        "mark",
        Map.of(),
        SavedJdbcState.FRESH);
  }

  /** Something of JDBC. */
  public static <T> T proxy(Class<T> type, InvocationHandler answers) {
    return type.cast(
        Proxy.newProxyInstance(
            ConnectionWithoutServer.class.getClassLoader(), new Class<?>[] {type}, answers));
  }
}
