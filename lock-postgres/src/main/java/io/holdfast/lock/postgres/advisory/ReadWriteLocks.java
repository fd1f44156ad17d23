/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.advisory;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.schema.Schema;
import io.holdfast.lock.postgres.session.NotificationListener;
import io.holdfast.lock.postgres.session.PendingRequest;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is asked for read-write locks. The server counts a session's locks of one key, and they do
 * not keep each other out; so those of one client are compared here, and a claim for which there is
 * no room in its own client is not sent. For the worker's thread.
 */
final class ReadWriteLocks {

  private static final Attempt CONTENDED = AdvisoryWorker.CONTENDED;

  private final ReadWriteStatements statements;
  private final NotificationListener notifications;
  private final Duration leaseTime;

  ReadWriteLocks(
      Schema schema, NotificationListener notifications, String channel, Duration leaseTime) {
    this.statements = new ReadWriteStatements(schema, channel);
    this.notifications = notifications;
    this.leaseTime = leaseTime;
  }

  /** Those that do not fit together with others of the same statement go in the next one. */
  void acquire(
      PgConnection pg, List<PendingRequest<AdvisoryClaim, Attempt>> asked, AdvisorySession session)
      throws SQLException {
    List<PendingRequest<AdvisoryClaim, Attempt>> left = asked;
    while (!left.isEmpty()) {
      List<PendingRequest<AdvisoryClaim, Attempt>> now = new ArrayList<>();
      List<PendingRequest<AdvisoryClaim, Attempt>> later = new ArrayList<>();
      for (PendingRequest<AdvisoryClaim, Attempt> one : left) {
        AdvisoryClaim claim = one.request();
        if (session.isOfOtherCapacity(claim)) {
          one.fail(inUse(claim));
        } else if (!session.hasRoom(claim)) {
          one.answer(CONTENDED);
        } else if (now.stream().allMatch(other -> claim.fitsBeside(other.request()))) {
          now.add(one);
        } else {
          later.add(one);
        }
      }
      send(pg, now, session);
      left = later;
    }
  }

  /**
   * One that has to wait is asked again, as most do not have to: they leave nothing that others
   * would have to look at.
   */
  private void send(
      PgConnection pg, List<PendingRequest<AdvisoryClaim, Attempt>> sent, AdvisorySession session)
      throws SQLException {
    List<PendingRequest<AdvisoryClaim, Attempt>> waiting = new ArrayList<>();
    List<PendingRequest<AdvisoryClaim, Attempt>> fresh = new ArrayList<>();
    sent.forEach(one -> (one.request().isMarkedIn(session) ? waiting : fresh).add(one));
    send(pg, fresh, session, false);
    fresh.removeIf(one -> one.answer().isDone());
    waiting.addAll(fresh);
    send(pg, waiting, session, true);
  }

  private void send(
      PgConnection pg,
      List<PendingRequest<AdvisoryClaim, Attempt>> sent,
      AdvisorySession session,
      boolean stays)
      throws SQLException {
    if (sent.isEmpty()) {
      return;
    }
    List<AdvisoryClaim> claims = sent.stream().map(PendingRequest::request).toList();
    claims.forEach(claim -> claim.involved().add(session));
    try {
      List<ReadWriteStatements.Outcome> outcomes = statements.acquire(pg, claims, session, stays);
      for (int i = 0; i < sent.size(); i++) {
        answered(sent.get(i), outcomes.get(i), session, stays);
      }
    } catch (SQLException e) {
      throw undone(pg, claims, session, e);
    }
  }

  private void answered(
      PendingRequest<AdvisoryClaim, Attempt> one,
      ReadWriteStatements.Outcome outcome,
      AdvisorySession session,
      boolean stays) {
    AdvisoryClaim claim = one.request();
    if (outcome.token() > 0) {
      session.grantedShare(claim, outcome.token());
      notifications.remove(claim.key(), claim.signals());
      one.answer(new Attempt.Granted(outcome.token(), leaseTime));
      return;
    }
    if (outcome.marked()) {
      session.waitsForShare(claim, outcome.turn());
    } else {
      claim.gotNothingIn(session);
    }
    if (outcome.locked()) {
      one.fail(inUse(claim));
    } else if (stays || !claim.waits()) {
      if (outcome.again()) {
        claim.signals().wake();
      }
      one.answer(CONTENDED);
    }
  }

  /** Gives back what they have in the session; answers with those that held a share. */
  Set<AdvisoryClaim> release(PgConnection pg, List<AdvisoryClaim> claims, AdvisorySession session)
      throws SQLException {
    try {
      return statements.release(pg, claims, session);
    } catch (SQLException e) {
      throw certain(claims, session, e);
    }
  }

  /** Writers become readers, and keep that. */
  void reduce(
      PgConnection pg,
      List<PendingRequest<AdvisoryClaim, ReleaseAnswer>> asked,
      AdvisorySession session)
      throws SQLException {
    Set<AdvisoryClaim> writers = new HashSet<>();
    for (PendingRequest<AdvisoryClaim, ReleaseAnswer> one : asked) {
      AdvisoryClaim claim = one.request();
      if (!claim.holdsIn(session) || claim.isReleasing()) {
        one.answer(ReleaseAnswer.NOT_OURS);
      } else if (claim.writes()) {
        writers.add(claim);
      }
    }
    Set<AdvisoryClaim> reduced = Set.of();
    if (!writers.isEmpty()) {
      try {
        reduced = statements.reduce(pg, List.copyOf(writers));
      } catch (SQLException e) {
        throw PgFailures.endsConnection(e) ? e : AdvisoryWorker.unknown(e);
      }
    }
    reduced.forEach(
        claim -> {
          claim.reduced();
          notifications.tell(claim.key().payload());
        });
    for (PendingRequest<AdvisoryClaim, ReleaseAnswer> one : asked) {
      one.answer(one.request().writes() ? ReleaseAnswer.NOT_OURS : ReleaseAnswer.FREED);
    }
  }

  /** What to throw after a failed attempt, of which nothing is left if the session goes on. */
  private SQLException undone(
      PgConnection pg, List<AdvisoryClaim> claims, AdvisorySession session, SQLException failure) {
    SQLException certain = certain(claims, session, failure);
    if (!PgFailures.endsConnection(certain)) {
      try {
        statements.undo(pg, claims);
        claims.forEach(session::leftNothing);
      } catch (SQLException e) {
        return PgConnection.isOthers(e) ? e : AdvisoryWorker.unknown(e);
      }
    }
    return certain;
  }

  /**
   * A statement that failed may have been carried out in part. What it counted up or down is known
   * where nobody else of this session has something of the key; otherwise the session has to end.
   */
  private static SQLException certain(
      List<AdvisoryClaim> claims, AdvisorySession session, SQLException failure) {
    Set<Long> keys = new HashSet<>();
    boolean alone =
        claims.stream().allMatch(claim -> keys.add(claim.key().value()) && session.isAlone(claim));
    return alone || PgFailures.endsConnection(failure) ? failure : AdvisoryWorker.unknown(failure);
  }

  private static LockCapacityException inUse(AdvisoryClaim claim) {
    return new LockCapacityException(claim.lockName(), claim.share().capacity(), 1);
  }

  /** For one of 1 of 1, whose name readers and writers use. */
  static LockCapacityException shared(AdvisoryClaim claim) {
    return new LockCapacityException(claim.lockName(), 1, Share.READ_WRITE_CAPACITY);
  }
}
