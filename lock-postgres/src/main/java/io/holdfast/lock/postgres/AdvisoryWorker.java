/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The statements of advisory locks, and the session in which they are held. */
final class AdvisoryWorker implements ConnectionWorker.Owner {

  private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

  /** As a connection that failed: it is not known what came of it. */
  private static final String OUTCOME_UNKNOWN = "08007";

  private final PostgresConfig config;
  private final NotificationListener notifications;
  private final String channel;
  private final SchemaSetup schemaSetup;
  private final NameRegister names;
  private final AbandonedSessions abandoned;
  private final String acquireSql;
  private final String undoSql;
  private final String releaseSql;
  private final String proofSql;
  private final ConnectionWorker.Kind<AdvisoryClaim, ReleaseAnswer> release =
      ConnectionWorker.kind(0, this::release);
  private final ConnectionWorker.Kind<AdvisoryClaim, Attempt> acquire =
      ConnectionWorker.kind(1, this::acquire);
  private final ConnectionWorker.Kind<Integer, AdvisorySession> prove =
      ConnectionWorker.kind(2, this::prove);
  private final ConnectionWorker worker;
  private final LockInspection inspection;

  /** Of the connection that the worker has now. */
  private AdvisorySession session = new AdvisorySession(new PgConnection.Identity(0, 0));

  AdvisoryWorker(ConnectionFactory connector, NotificationListener notifications, String channel) {
    this.config = connector.config();
    this.notifications = notifications;
    this.channel = channel;
    Schema schema = config.schema();
    this.schemaSetup = new SchemaSetup(schema);
    this.names = new NameRegister(config.namespace(), schema);
    this.abandoned = new AbandonedSessions(config);
    this.acquireSql = schema.statement("advisory-acquire.sql");
    this.undoSql = schema.statement("advisory-undo.sql");
    this.releaseSql = schema.statement("advisory-release.sql");
    this.proofSql = schema.statement("advisory-proof.sql");
    // What is silent for longer has been ended by the server; before, an answer may still come.
    this.worker = ConnectionWorker.open(connector, config.sessionTimeout(), "locks", this);
    this.inspection = new PostgresInspection(worker, config, "advisory", channel);
  }

  CompletableFuture<Attempt> acquire(AdvisoryClaim claim) {
    return worker.ask(acquire, claim, () -> "Acquiring lock '" + claim.lockName() + "'");
  }

  CompletableFuture<ReleaseAnswer> release(AdvisoryClaim claim) {
    return worker.ask(release, claim, () -> "Releasing lock '" + claim.lockName() + "'");
  }

  /** The session, which was alive after this was called. */
  CompletableFuture<AdvisorySession> prove(int leases) {
    return worker.ask(prove, leases, () -> "Renewing " + leases + " lock(s)");
  }

  Duration leaseTime() {
    return config.sessionTimeout().multipliedBy(9).dividedBy(10);
  }

  CompletableFuture<List<ServerReport>> examine(Duration ttl) {
    return PostgresExamination.of(worker, config, AdvisoryLockProvider.CAPABILITIES, ttl);
  }

  LockInspection inspection() {
    return inspection;
  }

  void close() {
    worker.close();
  }

  @Override
  public void opened(PgConnection pg) throws SQLException {
    schemaSetup.prepare(pg, config.create());
    abandoned.terminate(pg);
    names.clear();
    session = new AdvisorySession(pg.identity());
  }

  @Override
  public void lost(PgConnection pg) {
    abandoned.add(session);
    session.ended();
  }

  @Override
  public void idle(PgConnection pg) throws SQLException {
    abandoned.terminate(pg);
    names.idle(pg);
  }

  private void prove(PgConnection pg, List<PendingRequest<Integer, AdvisorySession>> asked)
      throws SQLException {
    prove(pg);
    asked.forEach(one -> one.answer(session));
    names.tidy(pg);
  }

  /** Without a pooler in between, nobody but us can free what the session has. */
  private void prove(PgConnection pg) throws SQLException {
    if (!config.acceptPooler()) {
      pg.ask();
      return;
    }
    long[] held = session.held();
    PreparedStatement statement = pg.prepare(proofSql);
    statement.setString(1, pg.mark());
    statement.setObject(2, held);
    statement.setInt(3, held.length);
    try (ResultSet answer = statement.executeQuery()) {
      answer.next();
      if (!answer.getBoolean(1)) {
        throw PgConnection.othersAnswer();
      }
    }
  }

  private void acquire(PgConnection pg, List<PendingRequest<AdvisoryClaim, Attempt>> asked)
      throws SQLException {
    List<PendingRequest<AdvisoryClaim, Attempt>> sent = new ArrayList<>(asked.size());
    for (PendingRequest<AdvisoryClaim, Attempt> one : newest(asked)) {
      AdvisoryClaim claim = one.request();
      AdvisoryClaim holder = session.holder(claim.key());
      if (claim.isReleasing()) {
        one.answer(CONTENDED);
      } else if (holder == claim) {
        // Asked again: the first grant is older than this question, so the session has to be
        // proven.
        prove(pg);
        one.answer(new Attempt.Granted(claim.token(), leaseTime()));
      } else if (holder != null) {
        notifications.add(claim.key(), claim.signals());
        one.answer(CONTENDED);
      } else {
        // Before the server is told that we wait: its message may be quicker than its answer.
        notifications.add(claim.key(), claim.signals());
        sent.add(one);
      }
    }
    names.check(pg, sent);
    if (!sent.isEmpty()) {
      send(pg, sent);
    }
    names.tidy(pg);
  }

  /**
   * Each claim once, as a session is given a lock as often as it asks for it. Who asks again does
   * not wait for his first answer any more.
   */
  private static Collection<PendingRequest<AdvisoryClaim, Attempt>> newest(
      List<PendingRequest<AdvisoryClaim, Attempt>> asked) {
    Map<AdvisoryClaim, PendingRequest<AdvisoryClaim, Attempt>> newest = new LinkedHashMap<>();
    asked.forEach(one -> newest.put(one.request(), one));
    return newest.values();
  }

  private void send(PgConnection pg, List<PendingRequest<AdvisoryClaim, Attempt>> sent)
      throws SQLException {
    Arrays arrays = new Arrays(sent.stream().map(PendingRequest::request).toList(), session);
    sent.forEach(one -> one.request().sent(session));
    try {
      PreparedStatement statement = pg.prepare(acquireSql);
      arrays.keys(statement, 1);
      statement.setObject(4, arrays.marked);
      statement.setString(5, pg.mark());
      try (ResultSet answer = statement.executeQuery()) {
        if (!answer.isBeforeFirst()) {
          throw PgConnection.othersAnswer();
        }
        while (answer.next()) {
          PendingRequest<AdvisoryClaim, Attempt> one = sent.get(answer.getInt(1) - 1);
          long token = answer.getLong(2);
          answered(one, answer.wasNull() ? Optional.empty() : Optional.of(token));
        }
      }
    } catch (SQLException e) {
      if (!PgFailures.endsConnection(e)) {
        undo(pg, arrays);
        sent.forEach(one -> one.request().settled(session));
      }
      throw e;
    }
  }

  private void undo(PgConnection pg, Arrays arrays) throws SQLException {
    try {
      PreparedStatement undo = pg.prepare(undoSql);
      arrays.keys(undo, 1);
      undo.setObject(4, arrays.marked);
      undo.setString(5, pg.mark());
      try (ResultSet answer = undo.executeQuery()) {
        if (!answer.isBeforeFirst()) {
          throw PgConnection.othersAnswer();
        }
      }
    } catch (SQLException e) {
      if (PgConnection.isOthers(e)) {
        throw e;
      }
      // The session may have locks that nobody would ever release.
      throw new SQLException(
          "What a failed statement took could not be undone", OUTCOME_UNKNOWN, e);
    }
  }

  private void answered(PendingRequest<AdvisoryClaim, Attempt> one, Optional<Long> token) {
    AdvisoryClaim claim = one.request();
    claim.settled(session);
    long number = token.orElse(0L);
    if (number != 0) {
      session.granted(claim, Math.abs(number), number < 0);
      notifications.remove(claim.key(), claim.signals());
      one.answer(new Attempt.Granted(Math.abs(number), leaseTime()));
    } else if (token.isPresent()) {
      session.waits(claim);
      one.answer(CONTENDED);
    } else {
      claim.signals().wake();
      one.answer(CONTENDED);
    }
  }

  private void release(PgConnection pg, List<PendingRequest<AdvisoryClaim, ReleaseAnswer>> asked)
      throws SQLException {
    List<PendingRequest<AdvisoryClaim, ReleaseAnswer>> sent = new ArrayList<>(asked.size());
    Set<AdvisorySession> standing = new HashSet<>();
    for (PendingRequest<AdvisoryClaim, ReleaseAnswer> one : asked) {
      AdvisoryClaim claim = one.request();
      notifications.remove(claim.key(), claim.signals());
      if (claim.released() == null && claim.session() == session) {
        sent.add(one);
      } else {
        ended(pg, one, standing);
      }
    }
    if (sent.isEmpty()) {
      return;
    }
    Arrays arrays = new Arrays(sent.stream().map(PendingRequest::request).toList(), session);
    PreparedStatement statement = pg.prepare(releaseSql);
    statement.setString(1, channel);
    arrays.keys(statement, 2);
    statement.setObject(5, arrays.held);
    statement.setObject(6, arrays.marked);
    statement.setString(7, pg.mark());
    List<PendingRequest<AdvisoryClaim, ReleaseAnswer>> released = new ArrayList<>(sent.size());
    try (ResultSet answer = statement.executeQuery()) {
      if (!answer.isBeforeFirst()) {
        throw PgConnection.othersAnswer();
      }
      while (answer.next()) {
        PendingRequest<AdvisoryClaim, ReleaseAnswer> one = sent.get(answer.getInt(1) - 1);
        released(
            one.request(), answer.getBoolean(2) ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS);
        released.add(one);
      }
    }
    for (PendingRequest<AdvisoryClaim, ReleaseAnswer> one : released) {
      ended(pg, one, standing);
    }
  }

  /**
   * A session that was given up may still have the lock, or take it.
   *
   * @param standing those that the server has just not ended; it is asked once
   */
  private void ended(
      PgConnection pg,
      PendingRequest<AdvisoryClaim, ReleaseAnswer> one,
      Set<AdvisorySession> standing)
      throws SQLException {
    AdvisoryClaim claim = one.request();
    for (AdvisorySession old : claim.before(session)) {
      if (standing.contains(old) || !abandoned.isGone(pg, old)) {
        standing.add(old);
        one.fail(
            new LockUnavailableException(
                "Releasing lock '%s': a session that was asked for it was given up, and the server has not ended it yet"
                    .formatted(claim.lockName())));
        return;
      }
    }
    ReleaseAnswer before = claim.released();
    ReleaseAnswer found = before == null ? ReleaseAnswer.NOT_OURS : before;
    claim.released(found);
    one.answer(found);
  }

  private void released(AdvisoryClaim claim, ReleaseAnswer found) {
    boolean held = claim.holds();
    session.remove(claim);
    claim.released(found);
    if (held) {
      // Others of this client were not sent to the server while this one had it.
      notifications.tell(claim.key().payload());
    }
  }

  /** Claims as the parameters of a statement. */
  private static final class Arrays {

    final long[] keys;
    final int[] high;
    final int[] low;
    final boolean[] held;
    final boolean[] marked;

    Arrays(List<AdvisoryClaim> claims, AdvisorySession session) {
      int count = claims.size();
      keys = new long[count];
      high = new int[count];
      low = new int[count];
      held = new boolean[count];
      marked = new boolean[count];
      for (int i = 0; i < count; i++) {
        AdvisoryClaim claim = claims.get(i);
        keys[i] = claim.key().value();
        high[i] = claim.key().high();
        low[i] = claim.key().low();
        held[i] = claim.holds();
        marked[i] = claim.isMarkedIn(session);
      }
    }

    void keys(PreparedStatement statement, int from) throws SQLException {
      statement.setObject(from, keys);
      statement.setObject(from + 1, high);
      statement.setObject(from + 2, low);
    }
  }
}
