/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** With which failures a session has come to its end. */
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
}
