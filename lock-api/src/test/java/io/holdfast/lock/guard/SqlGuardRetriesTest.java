/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.StaleTokenException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests what is tried again at a database, and what is not; its answers are written down here. */
class SqlGuardRetriesTest {

  private static final long TOKEN = 7;

  /** The outcomes of the statements, in the order in which they are executed. */
  private final Queue<Object> answers = new ArrayDeque<>();

  private final List<String> executed = new ArrayList<>();

  private final Connection connection =
      fake(
          Connection.class,
          (proxy, method, arguments) ->
              switch (method.getName()) {
                case "getAutoCommit" -> false;
                case "prepareStatement" ->
                    statement(String.valueOf(arguments[0]).replaceAll(" .*", ""));
                case "setSavepoint" -> fake(Savepoint.class, (any, none, of) -> null);
                case "rollback" -> executed.add("ROLLBACK");
                default -> throw new AssertionError(method);
              });

  private PreparedStatement statement(String verb) {
    return fake(
        PreparedStatement.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "executeUpdate", "executeQuery" -> answer(verb);
              default -> null;
            });
  }

  private Object answer(String verb) throws SQLException {
    executed.add(verb);
    Object answer = answers.remove();
    if (answer instanceof SQLException failure) {
      throw failure;
    }
    return answer;
  }

  private static ResultSet row(@Nullable Long token) {
    return fake(
        ResultSet.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "next" -> token != null;
              case "getLong" -> token;
              default -> null;
            });
  }

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            SqlGuardRetriesTest.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static SQLException failure(String state) {
    return new SQLException("on purpose", state);
  }

  private void check() throws SQLException {
    SqlGuard.check(connection, "report", TOKEN);
  }

  @Test
  void aRowThatSomebodyElseHasMadeMeanwhileIsRaised() throws SQLException {
    answers.addAll(List.of(0, row(null), failure("23505"), 1));
    check();
    assertEquals(List.of("UPDATE", "SELECT", "INSERT", "ROLLBACK", "UPDATE"), executed);
  }

  /** A full disk, for example: it is neither hidden nor tried again. */
  @Test
  void anyOtherFailureOfTheInsertIsThrown() {
    SQLException full = failure("53100");
    answers.addAll(List.of(0, row(null), full));
    assertSame(full, assertThrows(SQLException.class, this::check));
    assertEquals(List.of("UPDATE", "SELECT", "INSERT"), executed);
  }

  /** As with an isolation that hides the other's row, in which nothing would ever change. */
  @Test
  void aRowThatIsThereAndCannotBeSeenIsNotTriedForEver() {
    List<SQLException> conflicts = new ArrayList<>();
    answers.add(0);
    for (int i = 0; i < 3; i++) {
      conflicts.add(failure("23505"));
      answers.addAll(List.of(row(null), conflicts.get(i), 0));
    }
    assertSame(conflicts.get(2), assertThrows(SQLException.class, this::check));
    assertTrue(answers.isEmpty());
  }

  /** Callers repeat a transaction that ended with this state. */
  @Test
  void aRowThatIsSeenAndCannotBeRaisedIsAConflict() {
    answers.add(0);
    for (int i = 0; i < 3; i++) {
      answers.addAll(List.of(row(TOKEN), 0));
    }
    assertEquals("40001", assertThrows(SQLException.class, this::check).getSQLState());
    assertTrue(answers.isEmpty());
  }

  @Test
  void aGreaterTokenThatIsFoundAfterAConflictRefusesThisOne() {
    answers.addAll(List.of(0, row(null), failure("23505"), 0, row(TOKEN + 1)));
    assertThrows(StaleTokenException.class, this::check);
  }

  @Test
  void aMissingTableIsKnownByTheStatesOfSeveralDatabases() {
    for (String state : List.of("42P01", "42S02")) {
      answers.add(failure(state));
      LockConfigurationException told = assertThrows(LockConfigurationException.class, this::check);
      assertTrue(String.valueOf(told.getMessage()).contains("CREATE TABLE"), told.getMessage());
    }
    SQLException denied = failure("42501");
    answers.add(denied);
    assertSame(denied, assertThrows(SQLException.class, this::check));
  }

  @Test
  void anUpdateWithATokenThatIsNoneIsNotExecuted() {
    assertThrows(
        IllegalArgumentException.class, () -> SqlGuard.update(statement("UPDATE"), "report", 0));
    assertEquals(List.of(), executed);
  }
}
