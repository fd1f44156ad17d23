/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.advisory;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.advisory.ReadWriteStatements.Outcome;
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
import java.util.function.Predicate;

/**
 * Requests for read-write locks. The server does not keep a session out for what that session has
 * itself; so claims of one client are compared here, and one for which there is no room in its own
 * client is not sent. The server counts how often a session takes a lock, and does not tell; so a
 * session has a key once, however many of its claims read, and what a statement that failed has
 * left can be taken back. For the worker's thread.
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

  /** Of one key, each goes in a statement of its own. */
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
        } else if (now.stream().noneMatch(other -> other.request().key().equals(claim.key()))) {
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
   * would have to look at. And so is one that finds a lock, as a writer may look like one for a
   * moment: what a session has does not end all at once. A reader that does not wait may have met
   * the moment of a writer that was refused itself, and is asked once more.
   */
  private void send(
      PgConnection pg, List<PendingRequest<AdvisoryClaim, Attempt>> sent, AdvisorySession session)
      throws SQLException {
    List<PendingRequest<AdvisoryClaim, Attempt>> waiting = new ArrayList<>();
    List<PendingRequest<AdvisoryClaim, Attempt>> fresh = new ArrayList<>();
    sent.forEach(one -> (one.request().isMarkedIn(session) ? waiting : fresh).add(one));
    List<Outcome> first = send(pg, fresh, session, false);
    List<PendingRequest<AdvisoryClaim, Attempt>> locked = those(fresh, first, Outcome::locked);
    List<PendingRequest<AdvisoryClaim, Attempt>> behind = those(fresh, first, Outcome::behind);
    behind.removeIf(one -> one.request().waits());
    locked.addAll(those(behind, send(pg, behind, session, false), Outcome::locked));
    those(locked, send(pg, locked, session, false), Outcome::locked)
        .forEach(one -> one.fail(inUse(one.request())));
    fresh.stream().filter(one -> !one.request().waits()).forEach(one -> one.answer(CONTENDED));
    fresh.removeIf(one -> one.answer().isDone());
    waiting.addAll(fresh);
    send(pg, waiting, session, true);
  }

  private static List<PendingRequest<AdvisoryClaim, Attempt>> those(
      List<PendingRequest<AdvisoryClaim, Attempt>> sent,
      List<Outcome> outcomes,
      Predicate<Outcome> met) {
    List<PendingRequest<AdvisoryClaim, Attempt>> found = new ArrayList<>();
    for (int i = 0; i < sent.size(); i++) {
      if (met.test(outcomes.get(i))) {
        found.add(sent.get(i));
      }
    }
    return found;
  }

  /** Answers those that are not asked again. */
  private List<Outcome> send(
      PgConnection pg,
      List<PendingRequest<AdvisoryClaim, Attempt>> sent,
      AdvisorySession session,
      boolean stays)
      throws SQLException {
    if (sent.isEmpty()) {
      return List.of();
    }
    List<AdvisoryClaim> claims = sent.stream().map(PendingRequest::request).toList();
    claims.forEach(claim -> claim.involved().add(session));
    try {
      List<Outcome> outcomes = statements.acquire(pg, claims, session, stays);
      for (int i = 0; i < sent.size(); i++) {
        answered(sent.get(i), outcomes.get(i), session, stays);
      }
      return outcomes;
    } catch (SQLException e) {
      undo(pg, claims, claim -> !session.readsBeside(claim), session, e);
      claims.forEach(session::leftNothing);
      throw e;
    }
  }

  private void answered(
      PendingRequest<AdvisoryClaim, Attempt> one,
      Outcome outcome,
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
    if (stays || !(claim.waits() || outcome.locked() || outcome.behind())) {
      if (outcome.again()) {
        claim.signals().wake();
      }
      one.answer(CONTENDED);
    }
  }

  /**
   * Gives back what they have in the session; answers with those that held a share. Where that
   * fails it is done at once in another way, and those who wait are not told: it may have been
   * carried out, and when it is tried again, another reader of this session may have the key.
   */
  Set<AdvisoryClaim> release(PgConnection pg, List<AdvisoryClaim> claims, AdvisorySession session)
      throws SQLException {
    Set<AdvisoryClaim> last = session.lastOf(Set.copyOf(claims));
    Set<AdvisoryClaim> ours = new HashSet<>(claims);
    ours.removeIf(claim -> !claim.holds());
    try {
      Set<AdvisoryClaim> freed = statements.release(pg, claims, session, last);
      ours.removeIf(claim -> last.contains(claim) && !freed.contains(claim));
    } catch (SQLException e) {
      undo(pg, claims, last::contains, session, e);
    }
    return ours;
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

  /**
   * After a statement that failed, and may have been carried out in part: takes back what it has
   * taken, or was to give back. That is certain, unless other claims of this session wait for the
   * same key, whose marks and turns count with those of these; then the session has to end.
   */
  private void undo(
      PgConnection pg,
      List<AdvisoryClaim> claims,
      Predicate<AdvisoryClaim> withKey,
      AdvisorySession session,
      SQLException failure)
      throws SQLException {
    if (PgFailures.endsConnection(failure)) {
      throw failure;
    }
    if (!session.waitAlone(Set.copyOf(claims))) {
      throw AdvisoryWorker.unknown(failure);
    }
    try {
      statements.undo(pg, claims, withKey);
    } catch (SQLException e) {
      throw PgConnection.isOthers(e) ? e : AdvisoryWorker.unknown(e);
    }
  }

  private static LockCapacityException inUse(AdvisoryClaim claim) {
    return new LockCapacityException(claim.lockName(), claim.share().capacity(), 1);
  }

  /** For one of 1 of 1, whose name readers and writers use. */
  static LockCapacityException shared(AdvisoryClaim claim) {
    return new LockCapacityException(claim.lockName(), 1, Share.READ_WRITE_CAPACITY);
  }
}
