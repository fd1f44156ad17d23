/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.SavedJdbcState;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.postgresql.core.BaseConnection;
import org.postgresql.jdbc.AutoSave;

/** Tests the look whether a holder's connection has ended, without a server. */
class CutOffTest {

  private static final int ALL = Integer.MAX_VALUE;

  private final Semaphore calls = new Semaphore(ALL);

  /** At each question to the connection, how many more calls there could be. */
  private final List<Integer> asked = new ArrayList<>();

  private final RowTransaction transaction =
      new RowTransaction(
          proxy(
              Connection.class,
              (proxy, method, arguments) -> {
                asked.add(calls.availablePermits());
                throw new SQLException("This connection has been closed.", "08003");
              }),
          proxy(
              BaseConnection.class,
              (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
              }),
          new SavedJdbcState(true, 0),
          AutoSave.NEVER,
          new PgConnection.Identity(1, 1, 1),
          1,
          "mark",
          0,
          calls);

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(CutOffTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Or a release would wait for a call that has long ended, and commit nothing. */
  @Test
  void itCountsAsACallOnlyForAsLongAsItLasts() {
    assertTrue(transaction.isCutOff());
    assertTrue(transaction.isCutOff());
    assertEquals(List.of(ALL - 1, ALL - 1), asked);
    assertTrue(transaction.endCalls(Duration.ZERO));
  }

  /** By then the connection may be somebody else's. */
  @Test
  void nothingIsAskedOnceCallsHaveEnded() {
    assertTrue(transaction.endCalls(Duration.ZERO));
    assertFalse(transaction.isCutOff());
    assertEquals(List.of(), asked);
  }
}
