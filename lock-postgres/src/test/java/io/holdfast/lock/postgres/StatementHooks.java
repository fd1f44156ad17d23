/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.servers.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Connections on which something happens when the server has carried out a query. They know which
 * queries it has carried out.
 */
final class StatementHooks extends PGSimpleDataSource {

  private static final long serialVersionUID = 1;

  /** The step that happens then; its failure is that of the query. */
  interface Action {

    /** Happens. */
    void run() throws SQLException;
  }

  /**
   * A planned step.
   *
   * @param beginning of the text of the query
   */
  private record Hook(String beginning, Action action) {}

  private final transient AtomicReference<@Nullable Hook> next = new AtomicReference<>();

  private final transient Queue<String> carriedOut = new ConcurrentLinkedQueue<>();

  StatementHooks(String url) {
    setUrl(url);
    setUser(PostgresServer.USER);
  }

  /** Has it happen once, after the next query that begins so. */
  void afterNext(String beginning, Action action) {
    next.set(new Hook(beginning, action));
  }

  boolean haveRun() {
    return next.get() == null;
  }

  /** How many queries that begin so were carried out. */
  long count(String beginning) {
    return carriedOut.stream().filter(text -> text.startsWith(beginning)).count();
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection real = super.getConnection();
    return (Connection)
        Proxy.newProxyInstance(
            StatementHooks.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              Object made = call(real, method, arguments);
              return made instanceof PreparedStatement statement
                  ? hooked(statement, String.valueOf(arguments[0]))
                  : made;
            });
  }

  private PreparedStatement hooked(PreparedStatement real, String text) {
    return (PreparedStatement)
        Proxy.newProxyInstance(
            StatementHooks.class.getClassLoader(),
            new Class<?>[] {PreparedStatement.class},
            (proxy, method, arguments) -> {
              Object answer = call(real, method, arguments);
              if (method.getName().equals("executeQuery")) {
                ran(text);
              }
              return answer;
            });
  }

  private void ran(String text) throws SQLException {
    carriedOut.add(text);
    Hook hook = next.get();
    if (hook != null && text.startsWith(hook.beginning()) && next.compareAndSet(hook, null)) {
      hook.action().run();
    }
  }

  private static @Nullable Object call(Object real, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
