/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.table;

import io.holdfast.lock.postgres.connect.PgConnection;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The statements of locks, or of shares, each for many claims. */
interface TableStatements {

  /**
   * What a statement does with a claim's row.
   *
   * @param claim whose row
   * @param time how long the row is to be kept from now on
   */
  record Timed(TableClaim claim, Duration time) {}

  /**
   * What came of one attempt.
   *
   * @param token of the grant; 0 if others are in the way
   * @param othersFor for how long they still are, or less: after which to ask again
   * @param otherCapacity with which the name is in use, if it is not ours; otherwise 0
   */
  record Outcome(long token, Duration othersFor, int otherCapacity) {

    static final Outcome UNKNOWN = new Outcome(0, Duration.ZERO, 0);
  }

  /**
   * A row that is still ours.
   *
   * @param claim whose row
   * @param ends in microseconds of the server's clock
   * @param left until then
   */
  record Extended(TableClaim claim, long ends, Duration left) {}

  /**
   * Asks for rows; answers in the order of the claims.
   *
   * @throws SQLException among other reasons, if another session than ours answers
   */
  List<Outcome> acquire(PgConnection pg, List<TableClaim> claims) throws SQLException;

  /** Keeps rows for longer; answers with those that are still ours. */
  List<Extended> renew(PgConnection pg, List<Timed> rows) throws SQLException;

  /**
   * Keeps rows for less long, if their ends have not moved since they were read.
   *
   * @param ends for each row, in microseconds of the server's clock
   */
  void shorten(PgConnection pg, List<Timed> rows, List<Long> ends) throws SQLException;

  /**
   * Frees rows at the end of their time, or now if that is zero; answers with the claims of those
   * that were ours.
   */
  Set<TableClaim> release(PgConnection pg, List<Timed> rows) throws SQLException;

  /** The first three parameters; each time is noted before it is sent. */
  static void setRows(PreparedStatement statement, PgConnection pg, List<Timed> rows)
      throws SQLException {
    rows.forEach(row -> row.claim().requested().request(row.time()));
    statement.setArray(1, names(pg, rows));
    statement.setArray(2, owners(pg, rows));
    statement.setObject(3, times(rows));
  }

  /** Names of locks, as the table has them. */
  static Array names(PgConnection pg, List<Timed> rows) throws SQLException {
    return pg.texts(rows.stream().map(row -> row.claim().name()).toArray(String[]::new));
  }

  /** Owner ids. */
  static Array owners(PgConnection pg, List<Timed> rows) throws SQLException {
    return pg.texts(
        rows.stream().map(row -> row.claim().request().ownerId()).toArray(String[]::new));
  }

  /** Times in microseconds. */
  static long[] times(List<Timed> rows) {
    return rows.stream().mapToLong(row -> row.time().toNanos() / 1_000).toArray();
  }

  /** A time that the server tells. */
  static Duration micros(long micros) {
    return Duration.ofNanos(Math.max(0, micros) * 1_000);
  }
}
