/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import io.holdfast.lock.text.VisibleText;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a lease, as its holder sees it: everything but what would end the transaction
 * that holds the lock, or the connection. After the lease it refuses everything. The same goes for
 * what comes from it and leads back to the connection: statements, their results, metadata, arrays,
 * large objects.
 *
 * <p>A statement that ends the transaction is refused before it is sent. One that hides it, behind
 * another statement for example, is found out by the server's answer.
 */
public final class LeasedConnection implements InvocationHandler {

  /** Of a connection. */
  private static final Set<String> REFUSED =
      Set.of(
          "commit",
          "close",
          "abort",
          "setAutoCommit",
          "setNetworkTimeout",
          "beginRequest",
          "endRequest");

  /** The types that are handed out as a view; the first that fits. */
  private static final List<Class<?>> VIEWS =
      List.of(
          CallableStatement.class,
          PreparedStatement.class,
          Statement.class,
          ResultSet.class,
          DatabaseMetaData.class,
          Array.class,
          Blob.class,
          Clob.class);

  /** SQL that begins with the end of the transaction; going back to a savepoint is none. */
  private static final Pattern ENDS_TRANSACTION =
      Pattern.compile(
          "(?:\\s++|;|--[^\\n]*+\\n|/\\*(?s:.*?)\\*/)*+"
              + "(commit|end|abort|rollback(?!\\s+(?:(?:work|transaction)\\s+)?to\\b)"
              + "|prepare\\s+transaction)\\b.*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final String NO_ACTIVE_TRANSACTION = "25000";

  private final Object target;
  private final Connection self;

  /** For messages. */
  private final String lockName;

  private final BooleanSupplier over;
  private final RowTransaction transaction;
  private final Runnable judge;

  private LeasedConnection(
      RowTransaction transaction, String lockName, BooleanSupplier over, Runnable judge) {
    this.target = transaction.connection();
    this.lockName = VisibleText.of(lockName);
    this.over = over;
    this.transaction = transaction;
    this.judge = judge;
    this.self = Connection.class.cast(proxy(Connection.class, this));
  }

  private LeasedConnection(Object target, LeasedConnection of) {
    this.target = target;
    this.lockName = of.lockName;
    this.over = of.over;
    this.transaction = of.transaction;
    this.judge = of.judge;
    this.self = of.self;
  }

  /**
   * A view.
   *
   * @param over whether the lease has ended
   * @param judge run when a call has failed, or has carried out a statement, before the holder
   *     learns what came of it
   */
  public static Connection of(
      RowTransaction transaction, String lockName, BooleanSupplier over, Runnable judge) {
    return new LeasedConnection(transaction, lockName, over, judge).self;
  }

  @SuppressWarnings("ReferenceEquality") // Its equals would be answered here again.
  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    Object[] given = arguments == null ? new Object[0] : arguments;
    boolean connection = target instanceof Connection;
    if (method.getDeclaringClass() == Object.class) {
      return switch (name) {
        case "equals" -> given[0] == proxy;
        case "hashCode" -> System.identityHashCode(proxy);
        default ->
            connection ? "Connection of the lease of lock '" + lockName + "'" : target.toString();
      };
    }
    if (name.equals("isClosed") && over.getAsBoolean()) {
      return true;
    }
    if (name.equals("getConnection")) {
      return self;
    }
    if (name.equals("isWrapperFor")) {
      return false;
    }
    boolean wholeRollback = name.equals("rollback") && given.length == 0;
    if (name.equals("unwrap") || (connection && (REFUSED.contains(name) || wholeRollback))) {
      throw refused(name + "()");
    }
    if (takesSql(name) && given.length > 0 && given[0] instanceof String sql) {
      Matcher ending = ENDS_TRANSACTION.matcher(sql);
      if (ending.matches()) {
        throw refused(ending.group(1));
      }
    }
    return view(
        name.equals("close") || name.equals("free") ? close(method) : call(method, bare(given)));
  }

  private static boolean takesSql(String name) {
    return name.startsWith("execute") || name.startsWith("prepare") || name.equals("addBatch");
  }

  private SQLException refused(String what) {
    return new SQLException(
        "The transaction holds lock '%s', and ends with the lease: %s is not for its holder; release() commits, close() rolls back"
            .formatted(lockName, what),
        NO_ACTIVE_TRANSACTION);
  }

  private @Nullable Object view(@Nullable Object answer) {
    for (Class<?> type : VIEWS) {
      if (type.isInstance(answer)) {
        return proxy(type, new LeasedConnection(answer, this));
      }
    }
    return answer;
  }

  /** Without the views: what was handed out may come back, an array as a parameter for example. */
  private static Object[] bare(Object[] arguments) {
    Object[] bare = arguments.clone();
    for (int i = 0; i < bare.length; i++) {
      if (bare[i] != null
          && Proxy.isProxyClass(bare[i].getClass())
          && Proxy.getInvocationHandler(bare[i]) instanceof LeasedConnection view) {
        bare[i] = view.target;
      }
    }
    return bare;
  }

  private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    Object answer;
    try {
      answer = callPermitted(method, arguments);
    } catch (SQLException e) {
      judge.run();
      throw e;
    }
    if (target instanceof Statement && method.getName().startsWith("execute")) {
      judge.run();
    }
    return answer;
  }

  private @Nullable Object callPermitted(Method method, Object[] arguments) throws Throwable {
    // First the permit, then the look: the end of the lease does it the other way round.
    if (!transaction.calls().tryAcquire()) {
      throw isOver();
    }
    try {
      if (over.getAsBoolean()) {
        throw isOver();
      }
      return invoke(method, arguments);
    } finally {
      transaction.calls().release();
    }
  }

  /** A statement may be closed at any time; it is closed already if the lease is over. */
  private @Nullable Object close(Method method) throws Throwable {
    if (transaction.calls().tryAcquire()) {
      try {
        return invoke(method);
      } finally {
        transaction.calls().release();
      }
    }
    return null;
  }

  private @Nullable Object invoke(Method method, Object... arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null ? e : cause;
    }
  }

  private SQLException isOver() {
    return new SQLException(
        "The lease of lock '" + lockName + "' is over, and its transaction with it",
        NO_ACTIVE_TRANSACTION);
  }

  private static Object proxy(Class<?> type, InvocationHandler handler) {
    return Proxy.newProxyInstance(
        LeasedConnection.class.getClassLoader(), new Class<?>[] {type}, handler);
  }
}
