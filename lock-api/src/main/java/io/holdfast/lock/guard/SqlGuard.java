/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.guard;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.spi.support.LockNames;
import io.holdfast.lock.text.VisibleText;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Guards what is in a database, in plain SQL over JDBC, within the caller's own transaction. Two
 * ways:
 *
 * <ul>
 *   <li>The row itself remembers the token: {@code UPDATE account SET balance = ?, fencing_token =
 *       ? WHERE id = ? AND fencing_token <= ?}, run by {@link #update}. Rows begin with token 0.
 *   <li>For everything else, {@link #check} asks and raises the token of a named resource in the
 *       table {@code holdfast_fence} (its DDL is {@code holdfast_fence.sql} beside this class),
 *       before the transaction writes what it likes.
 * </ul>
 *
 * <p>Either holds the row until the transaction ends, so a greater token waits until what was
 * written with the smaller one is committed, and a smaller one that waited finds the greater one.
 * With isolation levels above READ COMMITTED the database may answer with a serialization failure
 * instead; then the transaction is to be repeated, as always there.
 *
 * <p>{@link SQLException}s come through as they are: the transaction is the caller's, and so is
 * what follows from them. Only a missing table is a {@link LockConfigurationException}, which says
 * how to make it.
 */
public final class SqlGuard {

  private static final String RAISE =
      "UPDATE holdfast_fence SET token = ? WHERE resource = ? AND token <= ?";
  private static final String LOOK = "SELECT token FROM holdfast_fence WHERE resource = ?";
  private static final String BEGIN = "INSERT INTO holdfast_fence (resource, token) VALUES (?, ?)";

  /** The class of SQLSTATE that says that such a row is there already. */
  private static final String INTEGRITY_VIOLATION = "23";

  /** The SQLSTATE that says that a transaction is to be repeated. */
  private static final String CONFLICT = "40001";

  /** Two are needed if others begin in between; more, if rows are deleted as well. */
  private static final int MOST_TRIES = 3;

  /** The SQLSTATEs that say that there is no such table. */
  private static final Set<String> NO_TABLE = Set.of("42P01", "42S02");

  private SqlGuard() {}

  /**
   * Lets a transaction go on if no greater token has been used at a resource, and remembers the
   * token there. Call it before the writes; what follows in the same transaction is protected until
   * its end. A refusal leaves the transaction usable.
   *
   * @param connection in a transaction: without auto-commit
   * @param resource any Unicode text of 1 to 512 bytes of UTF-8 without U+0000, which PostgreSQL
   *     cannot store; such as the lock's name
   * @param token of the lease under which the transaction writes
   * @throws StaleTokenException if a greater token has been used there: roll back
   * @throws IllegalArgumentException if resource or token is not good, or there is no transaction
   * @throws LockConfigurationException if there is no table {@code holdfast_fence}
   * @throws SQLException of the database
   */
  public static void check(Connection connection, String resource, long token) throws SQLException {
    LockNames.check("resource", resource);
    if (resource.indexOf('\u0000') >= 0) {
      throw new IllegalArgumentException(
          "resource must not contain U+0000, which not every database can store: '"
              + VisibleText.of(resource)
              + "'");
    }
    TokenChecks.check(token);
    if (connection.getAutoCommit()) {
      throw new IllegalArgumentException(
          "connection must be in a transaction (setAutoCommit(false)), which the check protects");
    }
    if (first(connection, resource, token)) {
      return;
    }
    SQLException conflict = null;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      if (!isThere(connection, resource, token)) {
        Savepoint before = connection.setSavepoint();
        try {
          begin(connection, resource, token);
          return;
        } catch (SQLException e) {
          if (!String.valueOf(e.getSQLState()).startsWith(INTEGRITY_VIOLATION)) {
            throw e;
          }
          connection.rollback(before);
          conflict = e;
        }
      }
      // Somebody else was first, with a smaller token perhaps, and has committed.
      if (raise(connection, resource, token)) {
        return;
      }
    }
    throw conflict == null
        ? new SQLException("Rows of holdfast_fence come and go", CONFLICT)
        : conflict;
  }

  /**
   * Runs an update whose condition compares the row's token, and refuses if it changed nothing.
   *
   * @param update all its parameters are set
   * @param resource what it writes, for the message
   * @param token that it compares
   * @throws StaleTokenException if no row was changed: a greater token has been used there, or
   *     there is no such row
   * @throws IllegalArgumentException if the token is not positive
   * @throws SQLException of the database
   */
  public static void update(PreparedStatement update, String resource, long token)
      throws SQLException {
    TokenChecks.check(token);
    if (update.executeUpdate() == 0) {
      throw new StaleTokenException(
          resource, token, "a greater token has been used, or the row is missing");
    }
  }

  /** Raises, where it may turn out that the table is missing. */
  private static boolean first(Connection connection, String resource, long token)
      throws SQLException {
    try {
      return raise(connection, resource, token);
    } catch (SQLException e) {
      if (NO_TABLE.contains(String.valueOf(e.getSQLState()))) {
        throw new LockConfigurationException(
            "The table holdfast_fence, where tokens are remembered, is not there, or not on the"
                + " search path of this connection. Create it once (holdfast_fence.sql next to"
                + " SqlGuard has this, too): "
                + ddl(),
            e);
      }
      throw e;
    }
  }

  private static String ddl() {
    try (InputStream file =
        Objects.requireNonNull(SqlGuard.class.getResourceAsStream("holdfast_fence.sql"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("--"))
          .map(String::strip)
          .collect(Collectors.joining(" "))
          .strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean raise(Connection connection, String resource, long token)
      throws SQLException {
    try (PreparedStatement raise = connection.prepareStatement(RAISE)) {
      raise.setLong(1, token);
      raise.setString(2, resource);
      raise.setLong(3, token);
      return raise.executeUpdate() > 0;
    }
  }

  private static void begin(Connection connection, String resource, long token)
      throws SQLException {
    try (PreparedStatement begin = connection.prepareStatement(BEGIN)) {
      begin.setString(1, resource);
      begin.setLong(2, token);
      begin.executeUpdate();
    }
  }

  /** Refuses if a greater token is there: only that one is a reason, as any may come meanwhile. */
  private static boolean isThere(Connection connection, String resource, long token)
      throws SQLException {
    OptionalLong newest = newest(connection, resource);
    if (newest.isPresent() && newest.getAsLong() > token) {
      throw new StaleTokenException(resource, token, newest.getAsLong() + " has been there");
    }
    return newest.isPresent();
  }

  private static OptionalLong newest(Connection connection, String resource) throws SQLException {
    try (PreparedStatement look = connection.prepareStatement(LOOK)) {
      look.setString(1, resource);
      try (ResultSet found = look.executeQuery()) {
        return found.next() ? OptionalLong.of(found.getLong(1)) : OptionalLong.empty();
      }
    }
  }
}
