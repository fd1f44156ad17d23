/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import io.holdfast.lock.postgres.connect.PgConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Removes rows that nobody uses any more, a slice of the table at a time, in the order of its key.
 * For each use of a name it looks at {@value #ROWS_PER_USE} rows, so it goes round faster than
 * names are added, at any rate, and removes rows as steadily as they come. For the worker's thread.
 *
 * <p>With {@code r} new names a second, and rows that are kept for {@code k} seconds, the table has
 * no more than {@code r * (k + 10) * 4 / 3} rows that are free.
 */
public final class UnusedRowSweeper {

  private static final int ROWS_PER_USE = 4;
  private static final int SLICE = 400;
  private static final int QUIET_SLICES = 5;
  private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long ROUND_NANOS = Duration.ofSeconds(10).toNanos();

  private final String sql;
  private final Optional<String> namespace;
  private int due;
  private @Nullable String last;
  private long roundAt = System.nanoTime() - ROUND_NANOS;
  private long sliceAt = System.nanoTime() - PAUSE_NANOS;

  /**
   * Of a table.
   *
   * @param sql looks at a slice, and removes what is old
   * @param namespace its first parameter, if it has one
   */
  public UnusedRowSweeper(String sql, Optional<String> namespace) {
    this.sql = sql;
    this.namespace = namespace;
  }

  /** Names were used, for which there may be rows now; perhaps a slice is due. */
  public void used(PgConnection pg, int names) throws SQLException {
    due += names * ROWS_PER_USE;
    while (due >= SLICE && isRoundDue()) {
      due -= SLICE;
      look(pg);
    }
    if (!isRoundDue()) {
      due = 0;
    }
    idle(pg);
  }

  /** No names were used, for all that this knows; perhaps a slice is due. */
  public void idle(PgConnection pg) throws SQLException {
    if (isRoundDue() && System.nanoTime() - sliceAt > PAUSE_NANOS) {
      look(pg);
    }
  }

  /** There is nothing else to do, and this is the time for some slices. */
  public void quiet(PgConnection pg) throws SQLException {
    for (int i = 0; i < QUIET_SLICES && isRoundDue(); i++) {
      look(pg);
    }
  }

  private boolean isRoundDue() {
    return last != null || System.nanoTime() - roundAt > ROUND_NANOS;
  }

  private void look(PgConnection pg) throws SQLException {
    sliceAt = System.nanoTime();
    if (last == null) {
      roundAt = sliceAt;
    }
    PreparedStatement statement = pg.prepare(sql);
    int parameter = 1;
    if (namespace.isPresent()) {
      statement.setString(parameter++, namespace.get());
    }
    statement.setString(parameter++, last);
    statement.setInt(parameter, SLICE);
    try (ResultSet answer = statement.executeQuery()) {
      answer.next();
      last = answer.getInt(2) < SLICE ? null : answer.getString(1);
    }
  }
}
