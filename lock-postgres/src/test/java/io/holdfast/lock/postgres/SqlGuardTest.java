/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static io.holdfast.lock.postgres.PostgresHarness.ask;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.guard.SqlGuard;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fenced writes to a real database. */
class SqlGuardTest {

  private static PostgresHarness scene;
  private final List<Connection> begun = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void open() throws SQLException, IOException {
    scene = new PostgresHarness();
    Connection connection = scene.connect();
    ask(connection, ddl());
    ask(connection, "CREATE TABLE account (id INT, balance INT, fencing_token BIGINT)");
    ask(connection, "CREATE TABLE history (place SERIAL, token BIGINT)");
  }

  static String ddl() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(SqlGuard.class.getResourceAsStream("holdfast_fence.sql"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    Connection connection = scene.connect();
    ask(connection, "TRUNCATE holdfast_fence, account, history");
    ask(connection, "INSERT INTO account VALUES (1, 0, 0)");
  }

  private Connection begin() throws SQLException {
    Connection connection = scene.connect();
    connection.setAutoCommit(false);
    begun.add(connection);
    return connection;
  }

  /** Or the next test waits for a transaction that a refusal has left open. */
  @AfterEach
  void end() throws SQLException {
    for (Connection connection : begun) {
      connection.close();
    }
  }

  @Test
  void lowerTokensAreRefusedAndTheTransactionStaysUsable() throws SQLException {
    Connection connection = begin();
    SqlGuard.check(connection, "report", 5);
    SqlGuard.check(connection, "report", 5);
    connection.commit();
    SqlGuard.check(connection, "report", 9);
    connection.commit();
    StaleTokenException told =
        assertThrows(StaleTokenException.class, () -> SqlGuard.check(connection, "report", 8));
    assertTrue(String.valueOf(told.getMessage()).contains("Token 8 is stale at 'report': 9"));
    assertEquals(List.of("9"), ask(connection, "SELECT token FROM holdfast_fence"));
    SqlGuard.check(connection, "another 'report'", 8);
    connection.commit();
  }

  /** The first two to write at all: neither sees the other's row, until it is committed. */
  @Test
  void aSmallerTokenThatIsCommittedMeanwhileIsNoReasonToRefuse() throws SQLException {
    for (int other : List.of(5, 9)) {
      String resource = "begun by " + other;
      Connection first = begin();
      SqlGuard.check(first, resource, other);
      Connection second = beforeItsLook(begin(), first::commit);
      if (other == 5) {
        SqlGuard.check(second, resource, 7);
        second.commit();
      } else {
        assertThrows(StaleTokenException.class, () -> SqlGuard.check(second, resource, 7));
        second.rollback();
      }
    }
    assertEquals(
        List.of("7", "9"),
        ask(scene.connect(), "SELECT token FROM holdfast_fence ORDER BY resource"));
  }

  /** The same connection, but for what is done before it asks which token is there. */
  private static Connection beforeItsLook(Connection connection, Work work) {
    return (Connection)
        Proxy.newProxyInstance(
            SqlGuardTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (arguments != null && String.valueOf(arguments[0]).startsWith("SELECT token")) {
                work.run();
              }
              return method.invoke(connection, arguments);
            });
  }

  @Test
  void aMissingTableIsNamedWithTheStatementThatMakesIt() throws SQLException {
    Connection connection = begin();
    ask(connection, "CREATE SCHEMA bare");
    ask(connection, "SET search_path = bare");
    connection.commit();
    LockConfigurationException told =
        assertThrows(
            LockConfigurationException.class, () -> SqlGuard.check(connection, "report", 5));
    connection.rollback();
    String message = String.valueOf(told.getMessage());
    String statement = message.substring(message.indexOf("CREATE TABLE"));
    ask(connection, statement);
    SqlGuard.check(connection, "report", 5);
    connection.commit();
    assertEquals(List.of("5"), ask(connection, "SELECT token FROM bare.holdfast_fence"));
  }

  @Test
  void aTokenThatWasRolledBackHasNotBeenThere() throws SQLException {
    Connection connection = begin();
    SqlGuard.check(connection, "report", 9);
    connection.rollback();
    SqlGuard.check(connection, "report", 5);
    connection.commit();
    SqlGuard.check(connection, "report", 9);
    connection.rollback();
    SqlGuard.check(connection, "report", 6);
    connection.commit();
  }

  @Test
  void aLowerTokenWaitsForAGreaterOneThatIsThereAndIsRefused() throws Exception {
    Connection old = begin();
    SqlGuard.check(old, "report", 1);
    old.commit();
    Connection holder = begin();
    SqlGuard.check(holder, "report", 9);
    CompletableFuture<Void> late = inBackground(() -> SqlGuard.check(old, "report", 8));
    scene.awaitWaiter();
    holder.commit();
    assertInstanceOf(StaleTokenException.class, failure(late));
    old.rollback();
  }

  @Test
  void ofTwoThatAreFirstTheGreaterOneStays() throws Exception {
    Connection holder = begin();
    Connection old = begin();
    SqlGuard.check(holder, "report", 9);
    CompletableFuture<Void> late = inBackground(() -> SqlGuard.check(old, "report", 8));
    scene.awaitWaiter();
    holder.commit();
    assertInstanceOf(StaleTokenException.class, failure(late));
    assertEquals(List.of("1"), ask(old, "SELECT 1"), "the transaction is usable");
    old.rollback();
    SqlGuard.check(old, "second", 8);
    CompletableFuture<Void> next = inBackground(() -> SqlGuard.check(holder, "second", 9));
    scene.awaitWaiter();
    old.commit();
    PostgresHarness.get(next);
    holder.commit();
    assertEquals(List.of("9", "9"), ask(holder, "SELECT token FROM holdfast_fence"));
    holder.rollback();
  }

  @Test
  void withHigherIsolationNobodyIsLetThroughByAnOldView() throws Exception {
    for (int level :
        new int[] {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE}) {
      for (boolean first : new boolean[] {true, false}) {
        String resource = "level " + level + first;
        Connection holder = begin();
        if (!first) {
          SqlGuard.check(holder, resource, 1);
          holder.commit();
        }
        Connection old = begin();
        old.setTransactionIsolation(level);
        ask(old, "SELECT 1 FROM holdfast_fence");
        SqlGuard.check(holder, resource, 9);
        holder.commit();
        SQLException told =
            assertThrows(SQLException.class, () -> SqlGuard.check(old, resource, 8));
        assertTrue(List.of("40001", "23505").contains(told.getSQLState()), "repeat: " + told);
        old.rollback();
        assertThrows(StaleTokenException.class, () -> SqlGuard.check(old, resource, 8));
        old.rollback();
      }
    }
  }

  @Test
  void aRowThatRemembersIsNotOverwritten() throws Exception {
    Connection holder = begin();
    Connection old = begin();
    write(holder, 1, 5);
    holder.commit();
    write(holder, 2, 9);
    CompletableFuture<Void> late = inBackground(() -> write(old, 3, 8));
    scene.awaitWaiter();
    holder.commit();
    assertInstanceOf(StaleTokenException.class, failure(late));
    old.rollback();
    assertThrows(StaleTokenException.class, () -> write(old, 4, 8));
    assertEquals(List.of("2"), ask(old, "SELECT balance FROM account"));
    write(old, 5, 9);
    old.rollback();
  }

  private static void write(Connection connection, int balance, long token) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE account SET balance = ?, fencing_token = ? WHERE id = 1 AND fencing_token <= ?")) {
      update.setInt(1, balance);
      update.setLong(2, token);
      update.setLong(3, token);
      SqlGuard.update(update, "account 1", token);
    }
  }

  @Test
  void badInputIsRefused() throws SQLException {
    Connection plain = scene.connect();
    assertThrows(IllegalArgumentException.class, () -> SqlGuard.check(plain, "a", 1));
    Connection connection = begin();
    assertThrows(IllegalArgumentException.class, () -> SqlGuard.check(connection, "", 1));
    assertThrows(IllegalArgumentException.class, () -> SqlGuard.check(connection, "a", 0));
    assertThrows(
        IllegalArgumentException.class, () -> SqlGuard.check(connection, "a".repeat(513), 1));
    // The database would refuse it, and the transaction then all that follows.
    IllegalArgumentException told =
        assertThrows(
            IllegalArgumentException.class, () -> SqlGuard.check(connection, "a\u0000b", 1));
    assertTrue(String.valueOf(told.getMessage()).contains("'a\\u0000b'"), told.getMessage());
    SqlGuard.check(connection, "ä".repeat(256), 1);
    connection.rollback();
  }

  /** Many transactions, in any order: what was committed is in the order of the tokens. */
  @Test
  void committedTokensNeverGoBack() throws Exception {
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      writers.add(inBackground(this::writeOften));
    }
    for (CompletableFuture<Void> writer : writers) {
      writer.get(60, TimeUnit.SECONDS);
    }
    Connection connection = scene.connect();
    List<Long> history =
        ask(connection, "SELECT token FROM history ORDER BY place").stream()
            .map(Long::valueOf)
            .toList();
    assertEquals(history.stream().sorted().toList(), history);
    assertTrue(history.size() > 10, "written " + history.size());
    assertFalse(history.size() == 800, "nothing was refused");
    assertEquals(
        List.of(history.get(history.size() - 1).toString()),
        ask(connection, "SELECT token FROM holdfast_fence"));
  }

  private void writeOften() throws SQLException {
    Connection connection = begin();
    for (int i = 0; i < 200; i++) {
      long token = 1L + i / 4 + ThreadLocalRandom.current().nextInt(10);
      try {
        SqlGuard.check(connection, "report", token);
        ask(connection, "INSERT INTO history (token) VALUES (" + token + ")");
        connection.commit();
      } catch (StaleTokenException e) {
        connection.rollback();
      }
    }
  }

  private static CompletableFuture<Void> inBackground(Work work) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            work.run();
          } catch (SQLException e) {
            throw new CompletionException(e);
          }
        });
  }

  private static Throwable failure(CompletableFuture<Void> background) {
    return Objects.requireNonNull(
        assertThrows(
                java.util.concurrent.ExecutionException.class,
                () -> PostgresHarness.get(background))
            .getCause());
  }

  @FunctionalInterface
  private interface Work {
    void run() throws SQLException;
  }
}
