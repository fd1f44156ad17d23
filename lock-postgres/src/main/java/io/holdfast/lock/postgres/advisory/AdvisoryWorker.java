/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.advisory;

import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.session.ConnectionWorker;
import io.holdfast.lock.postgres.session.LockSessions;
import io.holdfast.lock.postgres.session.NotificationListener;
import io.holdfast.lock.postgres.session.PendingRequest;
import io.holdfast.lock.postgres.session.ServerSession;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What is asked for advisory locks, and what the answers mean for claims and their session. */
final class AdvisoryWorker {

  static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

  /** As a connection that failed: it is not known what came of it. */
  private static final String OUTCOME_UNKNOWN = "08007";

  private final PostgresConfig config;
  private final NotificationListener notifications;
  private final String channel;
  private final NameRegister names;
  private final AdvisoryStatements statements;
  private final ReadWriteLocks shares;
  private final LockSessions<AdvisorySession> sessions;
  private final ConnectionWorker.Kind<AdvisoryClaim, ReleaseAnswer> release =
      ConnectionWorker.kind(0, this::release);
  private final ConnectionWorker.Kind<AdvisoryClaim, Attempt> acquire =
      ConnectionWorker.kind(1, this::acquire);
  private final ConnectionWorker.Kind<Integer, AdvisorySession> prove =
      ConnectionWorker.kind(2, this::prove);
  private final ConnectionWorker.Kind<AdvisoryClaim, ReleaseAnswer> reduce =
      ConnectionWorker.kind(3, this::reduce);
  private final ConnectionWorker connection;

  AdvisoryWorker(ConnectionFactory connector, NotificationListener notifications, String channel) {
    this.config = connector.config();
    this.notifications = notifications;
    this.channel = channel;
    this.names = new NameRegister(config.namespace(), config.schema());
    this.statements = new AdvisoryStatements(config.schema());
    this.shares = new ReadWriteLocks(config.schema(), notifications, channel, leaseTime());
    this.sessions = new LockSessions<>(config, this::begin, names::idle);
    // What is silent for longer has been ended by the server; before, an answer may still come.
    this.connection = ConnectionWorker.open(connector, config.sessionTimeout(), "locks", sessions);
  }

  /** The server may have lost what the last session has told it. */
  private AdvisorySession begin(PgConnection.Identity identity) {
    names.clear();
    notifications.nameIs(identity);
    return new AdvisorySession(identity);
  }

  CompletableFuture<Attempt> acquire(AdvisoryClaim claim) {
    return connection.ask(acquire, claim, () -> "Acquiring lock '" + claim.lockName() + "'");
  }

  CompletableFuture<ReleaseAnswer> release(AdvisoryClaim claim) {
    return connection.ask(release, claim, () -> "Releasing lock '" + claim.lockName() + "'");
  }

  CompletableFuture<ReleaseAnswer> reduce(AdvisoryClaim claim) {
    return connection.ask(reduce, claim, () -> "Downgrading lock '" + claim.lockName() + "'");
  }

  /** The session, which was alive after this was called. */
  CompletableFuture<AdvisorySession> prove(int leases) {
    return connection.ask(prove, leases, () -> "Renewing " + leases + " lock(s)");
  }

  Duration leaseTime() {
    return config.sessionTimeout().multipliedBy(9).dividedBy(10);
  }

  ConnectionWorker connection() {
    return connection;
  }

  private void prove(PgConnection pg, List<PendingRequest<Integer, AdvisorySession>> asked)
      throws SQLException {
    prove(pg);
    asked.forEach(one -> one.answer(sessions.present()));
    names.tidy(pg);
  }

  /** Without a pooler in between, nobody but us can free what the session has. */
  private void prove(PgConnection pg) throws SQLException {
    if (config.acceptPooler()) {
      statements.prove(pg, sessions.present().held());
    } else {
      pg.ask();
    }
  }

  private void acquire(PgConnection pg, List<PendingRequest<AdvisoryClaim, Attempt>> asked)
      throws SQLException {
    AdvisorySession session = sessions.present();
    List<PendingRequest<AdvisoryClaim, Attempt>> sent = new ArrayList<>(asked.size());
    for (PendingRequest<AdvisoryClaim, Attempt> one : newest(asked)) {
      AdvisoryClaim claim = one.request();
      if (claim.isReleasing()) {
        one.answer(CONTENDED);
      } else if (claim.holdsIn(session)) {
        // Asked again: the first grant is older than this question, so the session has to be
        // proven.
        prove(pg);
        one.answer(new Attempt.Granted(claim.token(), leaseTime()));
      } else {
        // Before the server is told that we wait: its message may be quicker than its answer.
        notifications.add(claim.key(), claim.signals());
        if (session.hasRoom(claim)) {
          sent.add(one);
        } else {
          one.answer(CONTENDED);
        }
      }
    }
    names.check(pg, sent);
    send(pg, sent.stream().filter(one -> !one.request().isShared()).toList());
    shares.acquire(pg, sent.stream().filter(one -> one.request().isShared()).toList(), session);
    names.tidy(pg);
  }

  /**
   * Each claim once, as a session is given a lock as often as it asks for it. One that asks again
   * does not wait for its first answer any more.
   */
  private static Collection<PendingRequest<AdvisoryClaim, Attempt>> newest(
      List<PendingRequest<AdvisoryClaim, Attempt>> asked) {
    Map<AdvisoryClaim, PendingRequest<AdvisoryClaim, Attempt>> newest = new LinkedHashMap<>();
    asked.forEach(one -> newest.put(one.request(), one));
    return newest.values();
  }

  private void send(PgConnection pg, List<PendingRequest<AdvisoryClaim, Attempt>> sent)
      throws SQLException {
    AdvisorySession session = sessions.present();
    List<PendingRequest<AdvisoryClaim, Attempt>> asked = new ArrayList<>(sent);
    asked.removeIf(one -> isRefused(one, session));
    if (asked.isEmpty()) {
      return;
    }
    List<AdvisoryClaim> claims = claims(asked);
    claims.forEach(claim -> claim.involved().add(session));
    try {
      List<AdvisoryStatements.Outcome> outcomes = statements.acquire(pg, claims, session);
      for (int i = 0; i < asked.size(); i++) {
        answered(asked.get(i), outcomes.get(i), session);
      }
    } catch (SQLException e) {
      if (!PgFailures.endsConnection(e)) {
        undo(pg, claims, session);
        claims.forEach(claim -> claim.gotNothingIn(session));
      }
      throw e;
    }
  }

  /** The server does not keep out what the same session has. */
  private static boolean isRefused(
      PendingRequest<AdvisoryClaim, Attempt> one, AdvisorySession session) {
    boolean refused = session.isOfOtherCapacity(one.request());
    if (refused) {
      one.fail(ReadWriteLocks.shared(one.request()));
    }
    return refused;
  }

  private void undo(PgConnection pg, List<AdvisoryClaim> claims, AdvisorySession session)
      throws SQLException {
    try {
      statements.undo(pg, claims, session);
    } catch (SQLException e) {
      if (PgConnection.isOthers(e)) {
        throw e;
      }
      throw unknown(e);
    }
  }

  /** Ends the session: it may have locks that nobody would ever release. */
  static SQLException unknown(SQLException failure) {
    return new SQLException(
        "What a failed statement took could not be undone", OUTCOME_UNKNOWN, failure);
  }

  private void answered(
      PendingRequest<AdvisoryClaim, Attempt> one,
      AdvisoryStatements.Outcome outcome,
      AdvisorySession session) {
    AdvisoryClaim claim = one.request();
    if (outcome.shared()) {
      claim.gotNothingIn(session);
      one.fail(ReadWriteLocks.shared(claim));
    } else if (outcome.token() > 0) {
      session.granted(claim, outcome.token(), outcome.marked());
      notifications.remove(claim.key(), claim.signals());
      one.answer(new Attempt.Granted(outcome.token(), leaseTime()));
    } else if (outcome.marked() && claim.waits()) {
      session.waits(claim);
      one.answer(CONTENDED);
    } else {
      claim.gotNothingIn(session);
      claim.signals().wake();
      one.answer(CONTENDED);
    }
  }

  private void release(PgConnection pg, List<PendingRequest<AdvisoryClaim, ReleaseAnswer>> asked)
      throws SQLException {
    AdvisorySession session = sessions.present();
    Set<AdvisoryClaim> sent = new LinkedHashSet<>();
    for (PendingRequest<AdvisoryClaim, ReleaseAnswer> one : asked) {
      AdvisoryClaim claim = one.request();
      notifications.remove(claim.key(), claim.signals());
      if (claim.released() == null && claim.session() == session) {
        sent.add(claim);
      }
    }
    giveBack(pg, sent, session);
    Set<ServerSession> standing = new HashSet<>();
    for (PendingRequest<AdvisoryClaim, ReleaseAnswer> one : asked) {
      AdvisoryClaim claim = one.request();
      if (sessions.areGone(pg, claim.involved(), standing)) {
        one.answer(claim.over());
      } else {
        one.fail(LockSessions.notGone(claim.lockName()));
      }
    }
  }

  /** What has been answered counts, also if what follows fails. */
  private void giveBack(PgConnection pg, Set<AdvisoryClaim> claims, AdvisorySession session)
      throws SQLException {
    List<AdvisoryClaim> locks = claims.stream().filter(claim -> !claim.isShared()).toList();
    List<AdvisoryClaim> shared = claims.stream().filter(AdvisoryClaim::isShared).toList();
    if (!locks.isEmpty()) {
      released(locks, session, statements.release(pg, locks, session, channel));
    }
    if (!shared.isEmpty()) {
      released(shared, session, shares.release(pg, shared, session));
    }
  }

  private void released(
      List<AdvisoryClaim> claims, AdvisorySession session, Set<AdvisoryClaim> freed) {
    for (AdvisoryClaim claim : claims) {
      boolean keptOut = claim.keepsOut();
      session.remove(claim);
      claim.released(freed.contains(claim) ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS);
      if (keptOut) {
        // Others of this client were not sent to the server while this one had it.
        notifications.tell(claim.key().payload());
      }
    }
  }

  private void reduce(PgConnection pg, List<PendingRequest<AdvisoryClaim, ReleaseAnswer>> asked)
      throws SQLException {
    shares.reduce(pg, asked, sessions.present());
  }

  private static List<AdvisoryClaim> claims(List<PendingRequest<AdvisoryClaim, Attempt>> asked) {
    return asked.stream().map(PendingRequest::request).toList();
  }
}
