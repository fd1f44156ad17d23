/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a lease, as its holder sees it: everything but what would end the transaction
 * that holds the lock, or the connection. After the lease it refuses everything.
 *
 * <p>SQL that ends the transaction is not looked for here; the next renewal finds that another one
 * has begun, and the lease is lost.
 */
final class LeasedConnection implements InvocationHandler {

  private static final Set<String> REFUSED =
      Set.of(
          "commit",
          "close",
          "abort",
          "setAutoCommit",
          "setNetworkTimeout",
          "unwrap",
          "beginRequest",
          "endRequest");
  private static final String NO_ACTIVE_TRANSACTION = "25000";

  private final Object target;
  private final Connection self;
  private final String lockName;
  private final BooleanSupplier over;
  private final Tenure tenure;
  private final Runnable cutOff;

  private LeasedConnection(Tenure tenure, String lockName, BooleanSupplier over, Runnable cutOff) {
    this.target = tenure.connection();
    this.lockName = lockName;
    this.over = over;
    this.tenure = tenure;
    this.cutOff = cutOff;
    this.self = proxy(Connection.class, this);
  }

  private LeasedConnection(Statement target, LeasedConnection of) {
    this.target = target;
    this.lockName = of.lockName;
    this.over = of.over;
    this.tenure = of.tenure;
    this.cutOff = of.cutOff;
    this.self = of.self;
  }

  /**
   * A view.
   *
   * @param over whether the lease has ended
   * @param cutOff run when a call has failed, and the connection is closed after it: because it has
   *     ended, or because a pool takes an error for its end
   */
  static Connection of(Tenure tenure, String lockName, BooleanSupplier over, Runnable cutOff) {
    return new LeasedConnection(tenure, lockName, over, cutOff).self;
  }

  @SuppressWarnings("ReferenceEquality") // Its equals would be answered here again.
  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    boolean connection = target instanceof Connection;
    if (name.equals("isClosed") && over.getAsBoolean()) {
      return true;
    }
    if (connection && name.equals("toString")) {
      return "Connection of the lease of lock '" + lockName + "'";
    }
    if (method.getDeclaringClass() == Object.class) {
      return name.equals("equals")
          ? arguments[0] == proxy
          : name.equals("hashCode") ? System.identityHashCode(proxy) : target.toString();
    }
    boolean wholeRollback = name.equals("rollback") && method.getParameterCount() == 0;
    if (connection && (REFUSED.contains(name) || wholeRollback)) {
      throw new SQLException(
          "The transaction holds lock '%s', and ends with the lease: %s() is not for its holder; release() commits, close() rolls back"
              .formatted(lockName, name),
          NO_ACTIVE_TRANSACTION);
    }
    if (!connection && name.equals("getConnection")) {
      return self;
    }
    Object answer = name.equals("close") ? close(method) : call(method, arguments);
    if (connection && answer instanceof CallableStatement made) {
      return proxy(CallableStatement.class, new LeasedConnection(made, this));
    }
    if (connection && answer instanceof PreparedStatement made) {
      return proxy(PreparedStatement.class, new LeasedConnection(made, this));
    }
    if (connection && answer instanceof Statement made) {
      return proxy(Statement.class, new LeasedConnection(made, this));
    }
    return answer;
  }

  private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    try {
      return callPermitted(method, arguments);
    } catch (SQLException e) {
      if (tenure.isClosed()) {
        cutOff.run();
      }
      throw e;
    }
  }

  private @Nullable Object callPermitted(Method method, Object[] arguments) throws Throwable {
    // First the permit, then the look: whoever ends the lease does it the other way round.
    if (!tenure.calls().tryAcquire()) {
      throw isOver();
    }
    try {
      if (over.getAsBoolean()) {
        throw isOver();
      }
      return invoke(method, arguments);
    } finally {
      tenure.calls().release();
    }
  }

  /** A statement may be closed at any time; it is closed already if the lease is over. */
  private @Nullable Object close(Method method) throws Throwable {
    if (tenure.calls().tryAcquire()) {
      try {
        return invoke(method);
      } finally {
        tenure.calls().release();
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

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            LeasedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
