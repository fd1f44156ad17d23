/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Tests the failures of the server and its driver, and the messages about them. */
class PgFailuresTest {

  private static PSQLException told(String state) {
    return new PSQLException(new ServerErrorMessage("SERROR\0C" + state + "\0Mtold"));
  }

  private static void endsTheSession(boolean ends, String state) {
    PSQLException failure = told(state);
    assertEquals(state, failure.getSQLState());
    assertEquals(ends, PgFailures.endsConnection(failure));
    assertEquals(!ends, PgFailures.leavesConnection(failure));
  }

  /** An administrator, a crash, a start that is under way, and three of the server's time-outs. */
  @ParameterizedTest
  @ValueSource(strings = {"57P01", "57P02", "57P03", "57P05", "25P03", "25P04"})
  void theServerTakesItsLeave(String state) {
    endsTheSession(true, state);
    assertFalse(PgFailures.isTimeout(told(state)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"57014", "55P03", "40001", "40P01", "25006", "42P01", "53200"})
  void theServerGoesOn(String state) {
    endsTheSession(false, state);
  }

  /** By what the driver says itself, and by what shows that another session answers. */
  @ParameterizedTest
  @ValueSource(strings = {"", "08003", "08006", "08P01", "99999", "08HF1", "26000", "42P05"})
  void theConnectionIsNotToBeUsedAnyMore(String state) {
    SQLException failure = new SQLException("met", state);
    assertTrue(PgFailures.endsConnection(failure));
    assertFalse(PgFailures.leavesConnection(failure));
  }

  @Test
  void whatCannotBeUndoneIsAddedToTheFailure() {
    SQLException failure = told("57014");
    PgFailures.undo(failure, () -> {});
    assertEquals(Optional.empty(), PgFailures.end(failure));
    SQLException refusal = told("42501");
    PgFailures.undo(failure, () -> throwing(refusal));
    assertEquals(Optional.empty(), PgFailures.end(failure));
    SQLException end = told("57P01");
    PgFailures.undo(failure, () -> throwing(end));
    assertEquals(Optional.of(end), PgFailures.end(failure));
    assertEquals(List.of(refusal, end), List.of(failure.getSuppressed()));
  }

  private static void throwing(SQLException failure) throws SQLException {
    throw failure;
  }

  @Test
  void nothingIsUndoneOnAConnectionThatHasEnded() {
    SQLException failure = told("57P01");
    PgFailures.undo(failure, () -> throwing(new SQLException("asked")));
    assertEquals(List.of(), List.of(failure.getSuppressed()));
    assertEquals(Optional.of(failure), PgFailures.end(failure));
  }

  @Test
  void aFailureWithoutAStateEndsTheConnection() {
    assertTrue(PgFailures.endsConnection(new SQLException("met")));
  }

  @Test
  void anotherSessionIsKnownByItsStates() {
    assertTrue(PgConnection.isOthers(PgConnection.othersAnswer()));
    assertTrue(PgConnection.isOthers(told("26000")));
    assertTrue(PgConnection.isOthers(told("42P05")));
    assertFalse(PgConnection.isOthers(told("42P01")));
    assertFalse(PgConnection.isOthers(new SQLException("met", "08006")));
  }

  /** Of the driver's own it is not known whether the server carried the statement out. */
  @Test
  void statementsThatWereNotCarriedOut() {
    for (String state : new String[] {"57014", "55P03"}) {
      assertTrue(PgFailures.isTimeout(told(state)), state);
      assertFalse(PgFailures.isTimeout(new SQLException("met", state)), state);
    }
    assertFalse(PgFailures.isTimeout(told("42P01")));
    assertTrue(PgFailures.isRefusal(told("42P01")));
    assertFalse(PgFailures.isRefusal(told("57014")));
    assertFalse(PgFailures.isRefusal(new SQLException("met", "42P01")));
  }

  /**
   * A client that is refused for good must not try again for minutes, and one that is not, must.
   */
  @ParameterizedTest
  @CsvSource({
    "28000, true, pg_hba.conf",
    "28P01, true, 'password'",
    "08004, true, 'sslmode'",
    "3D000, true, 'url'",
    "42501, true, GRANTs",
    "42P01, true, create-schema=true",
    "3F000, true, 'schema'",
    "42703, true, holdfast.sql",
    "42883, true, holdfast.sql",
    "26000, true, pooler",
    "42P05, true, pooler",
    "42704, true, PostgreSQL 14 or newer",
    "25006, true, read-only",
    "0A000, true, request to PostgreSQL failed",
    "22021, true, request to PostgreSQL failed",
    "23505, true, request to PostgreSQL failed",
    "53300, false, no connection left",
    "53200, false, max_locks_per_transaction",
    "57014, false, at its time-out",
    "40001, false, try again",
    "40P01, false, try again",
    "57P03, false, request to PostgreSQL failed",
    "08P01, false, request to PostgreSQL failed",
    "XX000, false, request to PostgreSQL failed"
  })
  void messagesGiveAdvice(String state, boolean lasting, String advice) {
    LockException typed = PgFailures.typed("Acquiring lock 'a'", told(state));
    String message = String.valueOf(typed.getMessage());
    assertTrue(message.startsWith("Acquiring lock 'a': "), message);
    assertTrue(message.contains(advice), message);
    assertEquals(lasting, typed instanceof LockRejectedException, message);
    assertEquals(!lasting, typed instanceof LockUnavailableException, message);
  }

  @Test
  void aServerOfAnotherKind() {
    LockException typed = PgFailures.typed("Opening", new SQLException("met", "08P01"));
    assertInstanceOf(LockUnavailableException.class, typed);
    assertTrue(String.valueOf(typed.getMessage()).contains("not PostgreSQL"), typed::toString);
  }

  @Test
  void failuresThatAreNotTheServers() {
    LockException late = PgFailures.typed("Asking", new TimeoutException());
    assertInstanceOf(LockUnavailableException.class, late);
    assertTrue(String.valueOf(late.getMessage()).contains("command time-out"), late::toString);
    LockException other = PgFailures.typed("Asking", new IllegalStateException("unexpected"));
    assertInstanceOf(LockUnavailableException.class, other);
    assertTrue(String.valueOf(other.getMessage()).startsWith("Asking: "), other::toString);
  }

  /** Of many requests that fail together, each is told by its own name, and with the same type. */
  @Test
  void aTypedFailureStaysAsItIs() {
    LockException refused =
        PgFailures.typed(
            "Asking", new CompletionException(new LockRejectedException("is a standby")));
    assertInstanceOf(LockRejectedException.class, refused);
    assertEquals("Asking: is a standby", refused.getMessage());
    LockException broken = PgFailures.typed("Asking", new LockUnavailableException("was lost"));
    assertInstanceOf(LockUnavailableException.class, broken);
    assertEquals("Asking: was lost", broken.getMessage());
    assertSame(broken, PgFailures.typed("Asking", broken));
    LockException capacity = new LockCapacityException("a", 1, 2);
    assertSame(capacity, PgFailures.typed("Asking", capacity));
  }
}
