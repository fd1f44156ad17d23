/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.table;

import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.Schema;
import io.holdfast.lock.postgres.session.LockSessions;
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

/** Of locks: one row for each name, and marks of those who wait. */
final class LockStatements implements TableStatements {

  /**
   * After which one that waits asks again: its note in the row, or that of another on which it
   * relies, lasts for half a minute at least ({@code 30 s} in {@code table/acquire.sql}, which has
   * to be longer than this), and without a note no release is told.
   */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(25);

  private final String namespace;
  private final String channel;
  private final LockSessions<TableSession> sessions;
  private final String acquireSql;
  private final String renewSql;
  private final String shortenSql;
  private final String releaseSql;

  LockStatements(PostgresConfig config, String channel, LockSessions<TableSession> sessions) {
    Schema schema = config.schema();
    this.namespace = config.namespace();
    this.channel = channel;
    this.sessions = sessions;
    this.acquireSql = schema.statement("table/acquire.sql");
    this.renewSql = schema.statement("table/renew.sql");
    this.shortenSql = schema.statement("table/shorten.sql");
    this.releaseSql = schema.statement("table/release.sql");
  }

  @Override
  public List<Outcome> acquire(PgConnection pg, List<TableClaim> claims) throws SQLException {
    List<Timed> rows = claims.stream().map(one -> new Timed(one, one.request().ttl())).toList();
    PreparedStatement statement = pg.prepare(acquireSql);
    TableStatements.setRows(statement, pg, rows);
    Set<TableClaim> marked = sessions.present().marked;
    statement.setObject(4, keys(rows));
    statement.setObject(
        5, PgConnection.flags(claims, one -> one.request().waits() && !marked.contains(one)));
    statement.setString(6, pg.sessionMark());
    statement.setString(7, namespace);
    statement.setString(8, namespace);
    List<Outcome> outcomes = new ArrayList<>(Collections.nCopies(claims.size(), Outcome.UNKNOWN));
    try (ResultSet answer = statement.executeQuery()) {
      if (!answer.isBeforeFirst()) {
        throw PgConnection.othersAnswer();
      }
      while (answer.next()) {
        Duration othersFor = TableStatements.micros(answer.getLong(3));
        outcomes.set(
            answer.getInt(1) - 1,
            new Outcome(
                answer.getLong(2),
                othersFor.compareTo(ASK_AGAIN) < 0 ? othersFor : ASK_AGAIN,
                answer.getInt(4)));
        if (answer.getBoolean(5)) {
          marked.add(claims.get(answer.getInt(1) - 1));
        }
      }
    } catch (SQLException e) {
      // It may have marked or not. Those who wait mark again when they ask.
      PgFailures.undo(
          e,
          () -> {
            pg.unlockAll();
            marked.clear();
          });
      throw e;
    }
    return outcomes;
  }

  @Override
  public List<Extended> renew(PgConnection pg, List<Timed> rows) throws SQLException {
    Map<String, TableClaim> claims = new HashMap<>();
    rows.forEach(row -> claims.put(row.claim().name(), row.claim()));
    PreparedStatement statement = pg.prepare(renewSql);
    TableStatements.setRows(statement, pg, rows);
    statement.setString(4, namespace);
    List<Extended> extended = new ArrayList<>(rows.size());
    try (ResultSet answer = statement.executeQuery()) {
      while (answer.next()) {
        TableClaim claim = claims.get(answer.getString(1));
        if (claim != null) {
          extended.add(
              new Extended(claim, answer.getLong(2), TableStatements.micros(answer.getLong(3))));
        }
      }
    }
    return extended;
  }

  @Override
  public void shorten(PgConnection pg, List<Timed> rows, List<Long> ends) throws SQLException {
    PreparedStatement statement = pg.prepare(shortenSql);
    TableStatements.setRows(statement, pg, rows);
    statement.setObject(4, ends.stream().mapToLong(Long::longValue).toArray());
    statement.setString(5, namespace);
    statement.executeUpdate();
  }

  @Override
  public Set<TableClaim> release(PgConnection pg, List<Timed> rows) throws SQLException {
    Map<String, TableClaim> claims = new HashMap<>();
    rows.forEach(row -> claims.put(row.claim().request().ownerId(), row.claim()));
    PreparedStatement statement = pg.prepare(releaseSql);
    statement.setArray(1, TableStatements.names(pg, rows));
    statement.setArray(2, TableStatements.owners(pg, rows));
    Set<TableClaim> marked = sessions.present().marked;
    statement.setObject(3, keys(rows));
    statement.setObject(4, TableStatements.times(rows));
    statement.setObject(5, PgConnection.flags(rows, row -> marked.contains(row.claim())));
    statement.setString(6, namespace);
    statement.setString(7, channel);
    Set<TableClaim> freed = new HashSet<>();
    try (ResultSet answer = statement.executeQuery()) {
      while (answer.next()) {
        TableClaim claim = claims.get(answer.getString(1));
        if (claim != null && answer.getBoolean(2)) {
          freed.add(claim);
        }
        // 0 stands for null: nobody was named.
        if (claim != null && answer.getInt(4) > 0) {
          claim.signals().othersFirst();
        }
      }
    }
    rows.forEach(row -> marked.remove(row.claim()));
    return freed;
  }

  private static long[] keys(List<Timed> rows) {
    return rows.stream().mapToLong(row -> row.claim().key().value()).toArray();
  }
}
