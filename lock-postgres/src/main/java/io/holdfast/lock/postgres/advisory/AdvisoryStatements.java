/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.advisory;

import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.schema.Schema;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The statements of advisory locks, each for many claims. They throw if another session than ours
 * answers, which did nothing then.
 */
final class AdvisoryStatements {

  /**
   * What came of one attempt.
   *
   * @param token of the grant; 0 if somebody else has the lock
   * @param marked whether this statement has marked, or found marked, that we wait; or we do not
   * @param shared whether readers or a writer have the name
   */
  record Outcome(long token, boolean marked, boolean shared) {

    private static final long SHARED = -(1L << 53);
    private static final Outcome NOTHING = new Outcome(0, false, false);

    private static Outcome of(ResultSet row) throws SQLException {
      long answer = row.getLong(2);
      if (row.wasNull()) {
        return NOTHING;
      }
      return answer == SHARED
          ? new Outcome(0, false, true)
          : new Outcome(Math.abs(answer), answer <= 0, false);
    }
  }

  private final String acquireSql;
  private final String undoSql;
  private final String releaseSql;
  private final String proofSql;

  AdvisoryStatements(Schema schema) {
    this.acquireSql = schema.statement("advisory/acquire.sql");
    this.undoSql = schema.statement("advisory/undo.sql");
    this.releaseSql = schema.statement("advisory/release.sql");
    this.proofSql = schema.statement("advisory/proof.sql");
  }

  /** Asks for the locks; answers in the order of the claims. */
  List<Outcome> acquire(PgConnection pg, List<AdvisoryClaim> claims, AdvisorySession session)
      throws SQLException {
    PreparedStatement statement = pg.prepare(acquireSql);
    int next = keys(statement, 1, claims);
    statement.setObject(next, PgConnection.flags(claims, claim -> claim.isMarkedIn(session)));
    statement.setObject(next + 1, PgConnection.flags(claims, AdvisoryClaim::waits));
    statement.setString(next + 2, pg.sessionMark());
    List<Outcome> outcomes = new ArrayList<>(Collections.nCopies(claims.size(), Outcome.NOTHING));
    try (ResultSet answer = ours(statement)) {
      while (answer.next()) {
        outcomes.set(answer.getInt(1) - 1, Outcome.of(answer));
      }
    }
    return outcomes;
  }

  /** Takes back what a failed {@link #acquire} may have taken, as if it had not been sent. */
  void undo(PgConnection pg, List<AdvisoryClaim> claims, AdvisorySession session)
      throws SQLException {
    PreparedStatement statement = pg.prepare(undoSql);
    int next = keys(statement, 1, claims);
    statement.setObject(next, PgConnection.flags(claims, claim -> claim.isMarkedIn(session)));
    statement.setString(next + 1, pg.sessionMark());
    ours(statement).close();
  }

  /** Gives locks and marks back; answers with those claims whose lock was ours. */
  Set<AdvisoryClaim> release(
      PgConnection pg, List<AdvisoryClaim> claims, AdvisorySession session, String channel)
      throws SQLException {
    PreparedStatement statement = pg.prepare(releaseSql);
    statement.setString(1, channel);
    int next = keys(statement, 2, claims);
    statement.setObject(next, PgConnection.flags(claims, AdvisoryClaim::holds));
    statement.setObject(next + 1, PgConnection.flags(claims, claim -> claim.isMarkedIn(session)));
    statement.setString(next + 2, pg.sessionMark());
    Set<AdvisoryClaim> freed = new HashSet<>();
    try (ResultSet answer = ours(statement)) {
      while (answer.next()) {
        AdvisoryClaim claim = claims.get(answer.getInt(1) - 1);
        int said = answer.getInt(2);
        if (said > 0) {
          freed.add(claim);
        }
        if (said > 1) {
          claim.signals().othersFirst();
        }
      }
    }
    return freed;
  }

  /** Shows that our session answers and has these locks. */
  void prove(PgConnection pg, long[] held) throws SQLException {
    PreparedStatement statement = pg.prepare(proofSql);
    statement.setString(1, pg.sessionMark());
    statement.setObject(2, held);
    statement.setInt(3, held.length);
    try (ResultSet answer = statement.executeQuery()) {
      answer.next();
      if (!answer.getBoolean(1)) {
        throw PgConnection.othersAnswer();
      }
    }
  }

  static ResultSet ours(PreparedStatement statement) throws SQLException {
    ResultSet answer = statement.executeQuery();
    if (!answer.isBeforeFirst()) {
      answer.close();
      throw PgConnection.othersAnswer();
    }
    return answer;
  }

  /** The keys, and both halves of each. */
  static int keys(PreparedStatement statement, int from, List<AdvisoryClaim> claims)
      throws SQLException {
    statement.setObject(from, claims.stream().mapToLong(claim -> claim.key().value()).toArray());
    statement.setObject(from + 1, claims.stream().mapToInt(claim -> claim.key().high()).toArray());
    statement.setObject(from + 2, claims.stream().mapToInt(claim -> claim.key().low()).toArray());
    return from + 3;
  }
}
