/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.postgres.schema.Schema;
import io.holdfast.lock.spi.support.Failures;
import io.holdfast.lock.spi.support.Outage;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/** Turns what PostgreSQL and its driver say into what a caller can act on. */
public final class PgFailures {

  /** Classes of states in which the same statement will fail again. */
  private static final Set<String> LASTING = Set.of("0A", "22", "23", "26", "28", "3D", "3F", "42");

  private static final String LACKS_PRIVILEGE = "42501";

  /** The driver does not go on with what the server demands or offers: a password, TLS. */
  private static final String REFUSED_BY_DRIVER = "08004";

  /** What takes back what a statement has done. */
  public interface Undoing {

    /** Takes it back. */
    void run() throws SQLException;
  }

  private PgFailures() {}

  /**
   * The typed form of a failure.
   *
   * @param operation what was tried, to begin the message
   * @param failure what came of it
   */
  public static LockException typed(String operation, Throwable failure) {
    Throwable cause = Failures.cause(failure);
    if (cause instanceof LockException typed) {
      return naming(operation, typed);
    }
    if (cause instanceof TimeoutException) {
      return new LockUnavailableException(
          operation + ": PostgreSQL did not answer within the command time-out", cause);
    }
    if (cause instanceof SQLException sql) {
      return typed(operation, sql);
    }
    return new LockUnavailableException(operation + ": the PostgreSQL client failed", cause);
  }

  /** A failure that many share is told to each of them, with its own operation. */
  private static LockException naming(String operation, LockException failure) {
    String message = String.valueOf(failure.getMessage());
    if (message.startsWith(operation) || failure instanceof LockCapacityException) {
      return failure;
    }
    return failure instanceof LockRejectedException
        ? new LockRejectedException(operation + ": " + message, failure)
        : new LockUnavailableException(operation + ": " + message, failure);
  }

  private static LockException typed(String operation, SQLException cause) {
    String state = state(cause);
    Optional<String> login = TlsFailures.hint(cause);
    String told =
        operation
            + ": "
            + login.orElseGet(() -> isForeign(cause) ? Outage.foreign("PostgreSQL") : hint(state))
            + " ("
            + cause.getMessage()
            + ")";
    boolean lasting =
        login.isPresent()
            || state.equals("25006")
            || state.equals(REFUSED_BY_DRIVER)
            || (state.length() == 5 && LASTING.contains(state.substring(0, 2)));
    return lasting
        ? new LockRejectedException(told, cause)
        : new LockUnavailableException(told, cause);
  }

  /** The driver does not understand a word; a server or pooler would have said so itself. */
  private static boolean isForeign(SQLException failure) {
    return state(failure).equals("08P01") && !isTold(failure);
  }

  private static String hint(String state) {
    return switch (state) {
      case "28000", "28P01" ->
          "PostgreSQL does not accept the user or password; check the settings 'username' and"
              + " 'password', and pg_hba.conf";
      case REFUSED_BY_DRIVER ->
          "the server asks for a different kind of login; check the settings 'password' and"
              + " 'sslmode' in the url";
      case "3D000" -> "there is no such database; check the setting 'url'";
      case LACKS_PRIVILEGE ->
          "a privilege is missing; the GRANTs that are needed are in " + Schema.FILE;
      case "42P01", "3F000", "42703", "42883" ->
          "a table or sequence is missing; run "
              + Schema.FILE
              + ", or set create-schema=true, and check the setting 'schema'";
      case "26000", "42P05" ->
          "a pooler such as PgBouncer is in between, and shares sessions; connect to PostgreSQL"
              + " directly";
      case "42704" -> "PostgreSQL 14 or newer is needed, which can end silent sessions";
      case "25006" -> "the server or the role is read-only, so it cannot keep locks";
      case "53300" -> "the server has no connection left";
      case "53200" ->
          "the server's lock table is full; raise max_locks_per_transaction, or hold fewer locks";
      case "57014" -> "the server ended the statement at its time-out";
      case "40001", "40P01" -> "the server asks to try again";
      default -> "the request to PostgreSQL failed";
    };
  }

  /**
   * Takes back what a failed statement may have done, unless the connection has come to its end
   * with it. The failure stays the one to be told: if this fails as well, that is {@linkplain
   * Throwable#addSuppressed added} to it.
   */
  public static void undo(SQLException failure, Undoing undoing) {
    if (!endsConnection(failure)) {
      try {
        undoing.run();
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /** What {@linkplain #endsConnection ends the connection}: a failure, or what was added to it. */
  public static Optional<SQLException> end(SQLException failure) {
    return Stream.concat(Stream.of(failure), Stream.of(failure.getSuppressed()))
        .filter(SQLException.class::isInstance)
        .map(SQLException.class::cast)
        .filter(PgFailures::endsConnection)
        .findFirst();
  }

  /**
   * Whether the connection has come to its end with this failure, and it is not known what came of
   * the statement.
   */
  public static boolean endsConnection(SQLException failure) {
    String state = state(failure);
    return state.length() != 5
        || PgConnection.isOthers(failure)
        || state.startsWith("08")
        || state.startsWith("99")
        || isFarewell(state);
  }

  /**
   * Whether the server told it and goes on with the session. A statement's request to other servers
   * may fail with the states of a broken connection.
   */
  public static boolean leavesConnection(SQLException failure) {
    // That of a batch says again what the next one says.
    SQLException next = failure instanceof BatchUpdateException ? failure.getNextException() : null;
    return Stream.iterate(
            next == null ? failure : next, Objects::nonNull, SQLException::getNextException)
        .allMatch(PgFailures::isTold);
  }

  /**
   * Whether the server told that it did not carry the statement out, since something is missing: a
   * table, a column, a privilege.
   */
  public static boolean isRefusal(SQLException failure) {
    return isTold(failure) && state(failure).startsWith("42");
  }

  /** Whether the server ended a statement, and took it back, as it had waited for too long. */
  public static boolean isTimeout(SQLException failure) {
    return isTold(failure) && Set.of("57014", "55P03").contains(state(failure));
  }

  private static boolean isTold(SQLException failure) {
    return failure instanceof PSQLException told
        && told.getServerErrorMessage() != null
        && !isFarewell(state(failure));
  }

  /** With these the server ends a session. */
  private static boolean isFarewell(String state) {
    return state.startsWith("57P") || state.equals("25P03") || state.equals("25P04");
  }

  /** Whether the role may not do what the statement does. */
  public static boolean lacksPrivilege(SQLException failure) {
    return state(failure).equals(LACKS_PRIVILEGE);
  }

  private static String state(SQLException failure) {
    @Nullable String state = failure.getSQLState();
    return state == null ? "" : state;
  }
}
