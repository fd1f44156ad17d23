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
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Of shares: a row for each that holds permits of a name or waits for them, and the name's own row,
 * which says how many permits there are. Each statement locks the name's row before it looks at the
 * others, so a sum is never out of date.
 */
final class ShareStatements implements TableStatements {

  /** How long a waiter that asks no more is remembered, and others let it go first. */
  private static final Duration REMEMBERED = Duration.ofSeconds(4);

  private static final String TAG = "shares of ";

  private final String namespace;
  private final String channel;
  private final String acquireSql;
  private final String renewSql;
  private final String shortenSql;
  private final String releaseSql;
  private final String capacitySql;

  ShareStatements(PostgresConfig config, String channel) {
    Schema schema = config.schema();
    String lock = schema.statement("table/share/lock.sql");
    this.namespace = config.namespace();
    this.channel = channel;
    this.acquireSql = lock + schema.statement("table/share/acquire.sql");
    this.renewSql = lock + schema.statement("table/share/renew.sql");
    this.shortenSql = lock + schema.statement("table/share/shorten.sql");
    this.releaseSql = lock + schema.statement("table/share/release.sql");
    this.capacitySql = schema.statement("table/share/capacity.sql");
  }

  @Override
  public List<Outcome> acquire(PgConnection pg, List<TableClaim> claims) throws SQLException {
    List<Timed> rows = claims.stream().map(one -> new Timed(one, one.request().ttl())).toList();
    rows.forEach(row -> row.claim().requested().request(row.time()));
    PreparedStatement statement = locking(pg, acquireSql, rows);
    int next = claimed(statement, pg, rows);
    statement.setObject(next, TableStatements.times(rows));
    statement.setObject(
        next + 1, claims.stream().mapToInt(claim -> claim.share().permits()).toArray());
    statement.setObject(
        next + 2, claims.stream().mapToInt(claim -> claim.share().capacity()).toArray());
    statement.setObject(
        next + 3, claims.stream().mapToLong(ShareStatements::rememberedMicros).toArray());
    statement.setString(next + 4, pg.sessionMark());
    statement.setString(next + 5, namespace);
    List<Outcome> outcomes = new ArrayList<>(Collections.nCopies(claims.size(), Outcome.UNKNOWN));
    try (ResultSet answer = second(statement)) {
      while (answer.next()) {
        outcomes.set(answer.getInt(1) - 1, outcome(answer));
      }
    }
    return outcomes;
  }

  /** Zero for a claim that does not wait: nobody is to let it go first. */
  private static long rememberedMicros(TableClaim claim) {
    return claim.request().waits() ? REMEMBERED.toNanos() / 1_000 : 0;
  }

  private static Outcome outcome(ResultSet row) throws SQLException {
    Duration othersFor = TableStatements.micros(row.getLong(3));
    // It has to ask again before it is forgotten.
    Duration again = REMEMBERED.dividedBy(4);
    String usedBy = row.getString(4);
    int otherCapacity = 0;
    if (usedBy != null) {
      otherCapacity = usedBy.startsWith(TAG) ? Integer.parseInt(usedBy.substring(TAG.length())) : 1;
    }
    return new Outcome(
        row.getLong(2), othersFor.compareTo(again) < 0 ? othersFor : again, otherCapacity);
  }

  @Override
  public List<Extended> renew(PgConnection pg, List<Timed> rows) throws SQLException {
    rows.forEach(row -> row.claim().requested().request(row.time()));
    Map<String, TableClaim> claims = byOwner(rows);
    PreparedStatement statement = locking(pg, renewSql, rows);
    int next = claimed(statement, pg, rows);
    statement.setObject(next, TableStatements.times(rows));
    statement.setObject(next + 1, rows.stream().mapToInt(row -> row.claim().permits()).toArray());
    statement.setObject(
        next + 2, rows.stream().mapToLong(row -> row.claim().key().value()).toArray());
    statement.setString(next + 3, pg.sessionMark());
    statement.setString(next + 4, namespace);
    statement.setString(next + 5, channel);
    List<Extended> extended = new ArrayList<>(rows.size());
    try (ResultSet answer = second(statement)) {
      while (answer.next()) {
        TableClaim claim = claims.get(answer.getString(1));
        long ends = answer.getLong(2);
        if (claim != null && !answer.wasNull()) {
          extended.add(new Extended(claim, ends, TableStatements.micros(answer.getLong(3))));
        }
      }
    }
    return extended;
  }

  @Override
  public void shorten(PgConnection pg, List<Timed> rows, List<Long> ends) throws SQLException {
    rows.forEach(row -> row.claim().requested().request(row.time()));
    PreparedStatement statement = locking(pg, shortenSql, rows);
    int next = claimed(statement, pg, rows);
    statement.setObject(next, TableStatements.times(rows));
    statement.setObject(next + 1, ends.stream().mapToLong(Long::longValue).toArray());
    statement.setString(next + 2, pg.sessionMark());
    statement.setString(next + 3, namespace);
    statement.execute();
  }

  @Override
  public Set<TableClaim> release(PgConnection pg, List<Timed> rows) throws SQLException {
    Long[] times = Arrays.stream(TableStatements.times(rows)).boxed().toArray(Long[]::new);
    return giveBack(pg, rows, times, 0);
  }

  /** Keeps no more than some permits, and their time. */
  Set<TableClaim> reduce(PgConnection pg, TableClaim claim, int kept) throws SQLException {
    return giveBack(
        pg, List.of(new Timed(claim, Duration.ZERO)), new @Nullable Long[] {null}, kept);
  }

  private Set<TableClaim> giveBack(
      PgConnection pg, List<Timed> rows, @Nullable Long[] times, int kept) throws SQLException {
    String[] names = rows.stream().map(row -> row.claim().name()).toArray(String[]::new);
    String[] owners =
        rows.stream().map(row -> row.claim().request().ownerId()).toArray(String[]::new);
    long[] keys = rows.stream().mapToLong(row -> row.claim().key().value()).toArray();
    Map<String, TableClaim> claims = byOwner(rows);
    Set<TableClaim> freed = new HashSet<>();
    for (String owner : giveBack(pg, names, owners, keys, times, kept)) {
      TableClaim claim = claims.get(owner);
      if (claim != null) {
        freed.add(claim);
      }
    }
    return freed;
  }

  /** Takes a share from whoever holds it; answers whether it did. */
  boolean evict(PgConnection pg, String name, String owner, long key) throws SQLException {
    return !giveBack(
            pg, new String[] {name}, new String[] {owner}, new long[] {key}, new Long[] {0L}, 0)
        .isEmpty();
  }

  /** The owners of those that were held. */
  private Set<String> giveBack(
      PgConnection pg,
      String[] names,
      String[] owners,
      long[] keys,
      @Nullable Long[] times,
      int kept)
      throws SQLException {
    int[] permits = new int[names.length];
    Arrays.fill(permits, kept == 0 ? Integer.MAX_VALUE : kept);
    PreparedStatement statement = locking(pg, releaseSql, names);
    statement.setArray(4, pg.texts(names));
    statement.setArray(5, pg.texts(owners));
    statement.setObject(6, keys);
    statement.setArray(7, pg.connection().createArrayOf("bigint", times));
    statement.setObject(8, permits);
    statement.setString(9, pg.sessionMark());
    statement.setString(10, namespace);
    statement.setString(11, channel);
    Set<String> held = new HashSet<>();
    try (ResultSet answer = second(statement)) {
      while (answer.next()) {
        if (answer.getBoolean(2)) {
          held.add(answer.getString(1));
        }
      }
    }
    return held;
  }

  /** Gives a name that is in use another capacity; answers whether it had the first. */
  boolean changeCapacity(PgConnection pg, String name, long key, int from, int to)
      throws SQLException {
    PreparedStatement statement = pg.prepare(capacitySql);
    statement.setInt(1, from);
    statement.setInt(2, to);
    statement.setString(3, pg.sessionMark());
    statement.setString(4, namespace);
    statement.setString(5, name);
    statement.setString(6, channel);
    statement.setLong(7, key);
    try (ResultSet answer = statement.executeQuery()) {
      if (!answer.next()) {
        throw PgConnection.othersAnswer();
      }
      return answer.getBoolean(1);
    }
  }

  private static Map<String, TableClaim> byOwner(List<Timed> rows) {
    Map<String, TableClaim> claims = new HashMap<>();
    rows.forEach(row -> claims.put(row.claim().request().ownerId(), row.claim()));
    return claims;
  }

  private PreparedStatement locking(PgConnection pg, String sql, List<Timed> rows)
      throws SQLException {
    return locking(pg, sql, rows.stream().map(row -> row.claim().name()).toArray(String[]::new));
  }

  /** Two statements, which the driver sends as one: the first has three parameters. */
  private PreparedStatement locking(PgConnection pg, String sql, String[] names)
      throws SQLException {
    PreparedStatement statement = pg.prepare(sql);
    statement.setArray(1, pg.texts(names));
    statement.setString(2, namespace);
    statement.setString(3, pg.sessionMark());
    return statement;
  }

  private static int claimed(PreparedStatement statement, PgConnection pg, List<Timed> rows)
      throws SQLException {
    statement.setArray(4, TableStatements.names(pg, rows));
    statement.setArray(5, TableStatements.owners(pg, rows));
    return 6;
  }

  /** The answer to the second statement, which our session gives with a row for each claim. */
  private static ResultSet second(PreparedStatement statement) throws SQLException {
    statement.execute();
    statement.getMoreResults();
    ResultSet answer = statement.getResultSet();
    if (answer == null) {
      throw new SQLException("a statement about shares was not answered", "08P01");
    }
    if (!answer.isBeforeFirst()) {
      throw PgConnection.othersAnswer();
    }
    return answer;
  }
}
