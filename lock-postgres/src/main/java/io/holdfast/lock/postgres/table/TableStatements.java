/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.table;

import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.Schema;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The statements of table locks, each for many claims. */
final class TableStatements {

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
   * @param token of the grant; 0 if somebody else has the lock
   * @param othersFor for how long that one still has it
   */
  record Outcome(long token, Duration othersFor) {}

  /**
   * A row that is still ours.
   *
   * @param claim whose row
   * @param ends in microseconds of the server's clock
   * @param left until then
   */
  record Extended(TableClaim claim, long ends, Duration left) {}

  private final String namespace;
  private final String acquireSql;
  private final String renewSql;
  private final String shortenSql;
  private final String releaseSql;

  TableStatements(PostgresConfig config) {
    Schema schema = config.schema();
    this.namespace = config.namespace();
    this.acquireSql = schema.statement("table/acquire.sql");
    this.renewSql = schema.statement("table/renew.sql");
    this.shortenSql = schema.statement("table/shorten.sql");
    this.releaseSql = schema.statement("table/release.sql");
  }

  /**
   * Takes rows; answers in the order of the claims.
   *
   * @throws SQLException among other reasons, if another session than ours answers
   */
  List<Outcome> acquire(PgConnection pg, List<TableClaim> claims) throws SQLException {
    List<Timed> rows = claims.stream().map(one -> new Timed(one, one.request().ttl())).toList();
    PreparedStatement statement = pg.prepare(acquireSql);
    setRows(statement, pg, rows);
    statement.setString(4, pg.mark());
    statement.setString(5, namespace);
    statement.setString(6, namespace);
    List<Outcome> outcomes =
        new ArrayList<>(Collections.nCopies(claims.size(), new Outcome(0, Duration.ZERO)));
    try (ResultSet answer = statement.executeQuery()) {
      if (!answer.isBeforeFirst()) {
        throw PgConnection.othersAnswer();
      }
      while (answer.next()) {
        Duration othersFor = micros(Math.max(0, answer.getLong(3)));
        outcomes.set(answer.getInt(1) - 1, new Outcome(answer.getLong(2), othersFor));
      }
    }
    return outcomes;
  }

  /** Keeps rows for longer; answers with those that are still ours. */
  List<Extended> renew(PgConnection pg, List<Timed> rows) throws SQLException {
    Map<String, TableClaim> claims = new HashMap<>();
    rows.forEach(row -> claims.put(row.claim().name(), row.claim()));
    PreparedStatement statement = pg.prepare(renewSql);
    setRows(statement, pg, rows);
    statement.setString(4, namespace);
    List<Extended> extended = new ArrayList<>(rows.size());
    try (ResultSet answer = statement.executeQuery()) {
      while (answer.next()) {
        TableClaim claim = claims.get(answer.getString(1));
        if (claim != null) {
          extended.add(new Extended(claim, answer.getLong(2), micros(answer.getLong(3))));
        }
      }
    }
    return extended;
  }

  /**
   * Keeps rows for less long, if their ends have not moved since they were read.
   *
   * @param ends for each row, in microseconds of the server's clock
   */
  void shorten(PgConnection pg, List<Timed> rows, List<Long> ends) throws SQLException {
    PreparedStatement statement = pg.prepare(shortenSql);
    setRows(statement, pg, rows);
    statement.setObject(4, ends.stream().mapToLong(Long::longValue).toArray());
    statement.setString(5, namespace);
    statement.executeUpdate();
  }

  /**
   * Frees rows at the end of their time, or now if that is zero; answers with the owners of those
   * that were ours.
   */
  Set<TableClaim> release(PgConnection pg, List<Timed> rows, String channel) throws SQLException {
    Map<String, TableClaim> claims = new HashMap<>();
    rows.forEach(row -> claims.put(row.claim().request().ownerId(), row.claim()));
    PreparedStatement statement = pg.prepare(releaseSql);
    statement.setArray(1, names(pg, rows));
    statement.setArray(2, owners(pg, rows));
    statement.setObject(3, rows.stream().mapToLong(row -> row.claim().key().value()).toArray());
    statement.setObject(4, times(rows));
    statement.setString(5, namespace);
    statement.setString(6, channel);
    Set<TableClaim> freed = new HashSet<>();
    try (ResultSet answer = statement.executeQuery()) {
      while (answer.next()) {
        TableClaim claim = claims.get(answer.getString(1));
        if (claim != null && answer.getBoolean(2)) {
          freed.add(claim);
        }
      }
    }
    return freed;
  }

  /** The first three parameters; each time is noted before it is sent. */
  private static void setRows(PreparedStatement statement, PgConnection pg, List<Timed> rows)
      throws SQLException {
    rows.forEach(row -> row.claim().requested().request(row.time()));
    statement.setArray(1, names(pg, rows));
    statement.setArray(2, owners(pg, rows));
    statement.setObject(3, times(rows));
  }

  private static java.sql.Array names(PgConnection pg, List<Timed> rows) throws SQLException {
    return pg.texts(rows.stream().map(row -> row.claim().name()).toArray(String[]::new));
  }

  private static java.sql.Array owners(PgConnection pg, List<Timed> rows) throws SQLException {
    return pg.texts(
        rows.stream().map(row -> row.claim().request().ownerId()).toArray(String[]::new));
  }

  private static long[] times(List<Timed> rows) {
    return rows.stream().mapToLong(row -> row.time().toNanos() / 1_000).toArray();
  }

  private static Duration micros(long micros) {
    return Duration.ofNanos(micros * 1_000);
  }
}
