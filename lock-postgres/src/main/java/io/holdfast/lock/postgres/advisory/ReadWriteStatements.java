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
import java.util.function.Predicate;

/**
 * The statements of read-write locks, each for many claims. They throw if another session than ours
 * answers, which did nothing then. Which locks of the server they take is described in {@code
 * share/acquire.sql}.
 */
final class ReadWriteStatements {

  /**
   * What came of one attempt.
   *
   * @param token of the grant; 0 if it is not granted
   * @param marked whether it is marked that we wait
   * @param turn whether those who come later wait for us
   * @param locked whether a lock has the name
   * @param again whether somebody was just looking, so that it can be asked at once
   * @param behind whether a reader was refused because a writer had the turn
   */
  record Outcome(
      long token, boolean marked, boolean turn, boolean locked, boolean again, boolean behind) {

    private static final Outcome NOTHING = new Outcome(0, false, false, false, false, false);

    private static Outcome of(ResultSet row) throws SQLException {
      return new Outcome(
          row.getLong(2),
          row.getBoolean(3),
          row.getBoolean(4),
          row.getBoolean(5),
          row.getBoolean(6),
          row.getBoolean(7));
    }
  }

  private final String acquireSql;
  private final String undoSql;
  private final String releaseSql;
  private final String reduceSql;
  private final String channel;

  ReadWriteStatements(Schema schema, String channel) {
    this.acquireSql = schema.statement("advisory/share/acquire.sql");
    this.undoSql = schema.statement("advisory/share/undo.sql");
    this.releaseSql = schema.statement("advisory/share/release.sql");
    this.reduceSql = schema.statement("advisory/share/reduce.sql");
    this.channel = channel;
  }

  /**
   * Asks for shares; answers in the order of the claims.
   *
   * @param stays whether those that have to wait leave a mark, and take the turn if it can be had
   */
  List<Outcome> acquire(
      PgConnection pg, List<AdvisoryClaim> claims, AdvisorySession session, boolean stays)
      throws SQLException {
    PreparedStatement statement = pg.prepare(acquireSql);
    int next = AdvisoryStatements.keys(statement, 1, claims);
    statement.setObject(next, PgConnection.flags(claims, AdvisoryClaim::writes));
    statement.setObject(next + 1, PgConnection.flags(claims, session::readsBeside));
    statement.setObject(next + 2, PgConnection.flags(claims, claim -> stays));
    statement.setObject(next + 3, PgConnection.flags(claims, claim -> claim.isMarkedIn(session)));
    statement.setObject(next + 4, PgConnection.flags(claims, claim -> claim.hasTurnIn(session)));
    statement.setString(next + 5, pg.sessionMark());
    statement.setString(next + 6, channel);
    List<Outcome> outcomes = new ArrayList<>(Collections.nCopies(claims.size(), Outcome.NOTHING));
    try (ResultSet answer = AdvisoryStatements.ours(statement)) {
      while (answer.next()) {
        outcomes.set(answer.getInt(1) - 1, Outcome.of(answer));
      }
    }
    return outcomes;
  }

  /**
   * Takes back what claims have or may have.
   *
   * @param withKey with which the key is given back, as nobody else of the session has it
   */
  void undo(PgConnection pg, List<AdvisoryClaim> claims, Predicate<AdvisoryClaim> withKey)
      throws SQLException {
    PreparedStatement statement = pg.prepare(undoSql);
    int next = AdvisoryStatements.keys(statement, 1, claims);
    statement.setObject(next, PgConnection.flags(claims, withKey));
    statement.setObject(next + 1, PgConnection.flags(claims, claim -> !claim.holds()));
    statement.setString(next + 2, pg.sessionMark());
    AdvisoryStatements.ours(statement).close();
  }

  /**
   * Gives keys, marks and turns back; answers with those claims whose key was ours.
   *
   * @param last with which the key is given back
   */
  Set<AdvisoryClaim> release(
      PgConnection pg, List<AdvisoryClaim> claims, AdvisorySession session, Set<AdvisoryClaim> last)
      throws SQLException {
    PreparedStatement statement = pg.prepare(releaseSql);
    int next = AdvisoryStatements.keys(statement, 1, claims);
    statement.setObject(next, PgConnection.flags(claims, AdvisoryClaim::writes));
    statement.setObject(next + 1, PgConnection.flags(claims, last::contains));
    statement.setObject(next + 2, PgConnection.flags(claims, claim -> claim.isMarkedIn(session)));
    statement.setObject(next + 3, PgConnection.flags(claims, claim -> claim.hasTurnIn(session)));
    statement.setString(next + 4, pg.sessionMark());
    statement.setString(next + 5, channel);
    return found(statement, claims);
  }

  /** Makes writers readers; answers with those that were ours. */
  Set<AdvisoryClaim> reduce(PgConnection pg, List<AdvisoryClaim> claims) throws SQLException {
    PreparedStatement statement = pg.prepare(reduceSql);
    int next = AdvisoryStatements.keys(statement, 1, claims);
    statement.setString(next, pg.sessionMark());
    statement.setString(next + 1, channel);
    return found(statement, claims);
  }

  private static Set<AdvisoryClaim> found(PreparedStatement statement, List<AdvisoryClaim> claims)
      throws SQLException {
    Set<AdvisoryClaim> found = new HashSet<>();
    try (ResultSet answer = AdvisoryStatements.ours(statement)) {
      while (answer.next()) {
        if (answer.getBoolean(2)) {
          found.add(claims.get(answer.getInt(1) - 1));
        }
      }
    }
    return found;
  }
}
