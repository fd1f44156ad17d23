/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ServerReport;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The statements of advisory locks, and the session in which they are held. */
final class AdvisoryLane implements Lane.Owner {

  private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

  /** As a connection that failed: it is not known what came of it. */
  private static final String OUTCOME_UNKNOWN = "08007";

  private final PostgresConfig config;
  private final Wakeups wakeups;
  private final String channel;
  private final Preparation preparation;
  private final NameRegister names;
  private final Predecessors predecessors;
  private final String acquireSql;
  private final String undoSql;
  private final String releaseSql;
  private final String proofSql;
  private final Lane.Kind<AdvisoryClaim, ReleaseAnswer> release = Lane.kind(0, this::release);
  private final Lane.Kind<AdvisoryClaim, Attempt> acquire = Lane.kind(1, this::acquire);
  private final Lane.Kind<Integer, AdvisorySession> prove = Lane.kind(2, this::prove);
  private final Lane lane;
  private final LockInspection inspection;

  /** Of the connection that the lane has now. */
  private AdvisorySession session = new AdvisorySession(new Wire.Identity(0, 0));

  AdvisoryLane(Connector connector, Wakeups wakeups, String channel) {
    this.config = connector.config();
    this.wakeups = wakeups;
    this.channel = channel;
    Schema schema = config.schema();
    this.preparation = new Preparation(schema);
    this.names = new NameRegister(config.namespace(), schema);
    this.predecessors = new Predecessors(config);
    this.acquireSql = schema.statement("advisory-acquire.sql");
    this.undoSql = schema.statement("advisory-undo.sql");
    this.releaseSql = schema.statement("advisory-release.sql");
    this.proofSql = schema.statement("advisory-proof.sql");
    // What is silent for longer has been ended by the server; before, an answer may still come.
    this.lane = Lane.open(connector, config.sessionTimeout(), "locks", this);
    this.inspection = new PostgresInspection(lane, config, "advisory", channel);
  }

  CompletableFuture<Attempt> acquire(AdvisoryClaim claim) {
    return lane.ask(acquire, claim, () -> "Acquiring lock '" + claim.lockName() + "'");
  }

  CompletableFuture<ReleaseAnswer> release(AdvisoryClaim claim) {
    return lane.ask(release, claim, () -> "Releasing lock '" + claim.lockName() + "'");
  }

  /** The session, which was alive after this was called. */
  CompletableFuture<AdvisorySession> prove(int leases) {
    return lane.ask(prove, leases, () -> "Renewing " + leases + " lock(s)");
  }

  Duration leaseTime() {
    return config.sessionTimeout().multipliedBy(9).dividedBy(10);
  }

  CompletableFuture<List<ServerReport>> examine(Duration ttl) {
    return Examination.of(lane, config, AdvisoryLockProvider.CAPABILITIES, ttl);
  }

  LockInspection inspection() {
    return inspection;
  }

  void close() {
    lane.close();
  }

  @Override
  public void opened(Wire wire) throws SQLException {
    preparation.prepare(wire, config.create());
    predecessors.terminate(wire);
    names.clear();
    session = new AdvisorySession(wire.identity());
  }

  @Override
  public void lost(Wire wire) {
    predecessors.add(session);
    session.ended();
  }

  @Override
  public void idle(Wire wire) throws SQLException {
    predecessors.terminate(wire);
    names.idle(wire);
  }

  private void prove(Wire wire, List<Asked<Integer, AdvisorySession>> asked) throws SQLException {
    prove(wire);
    asked.forEach(one -> one.answer(session));
    names.tidy(wire);
  }

  /** Without a pooler in between, nobody but us can free what the session has. */
  private void prove(Wire wire) throws SQLException {
    if (!config.acceptPooler()) {
      wire.ask();
      return;
    }
    long[] held = session.held();
    PreparedStatement statement = wire.prepare(proofSql);
    statement.setString(1, wire.mark());
    statement.setObject(2, held);
    statement.setInt(3, held.length);
    try (ResultSet answer = statement.executeQuery()) {
      answer.next();
      if (!answer.getBoolean(1)) {
        throw Wire.othersAnswer();
      }
    }
  }

  private void acquire(Wire wire, List<Asked<AdvisoryClaim, Attempt>> asked) throws SQLException {
    List<Asked<AdvisoryClaim, Attempt>> sent = new ArrayList<>(asked.size());
    for (Asked<AdvisoryClaim, Attempt> one : newest(asked)) {
      AdvisoryClaim claim = one.request();
      AdvisoryClaim holder = session.holder(claim.key());
      if (claim.isReleasing()) {
        one.answer(CONTENDED);
      } else if (holder == claim) {
        // Asked again: the first grant is older than this question, so the session has to be
        // proven.
        prove(wire);
        one.answer(new Attempt.Granted(claim.token(), leaseTime()));
      } else if (holder != null) {
        wakeups.add(claim.key(), claim.signals());
        one.answer(CONTENDED);
      } else {
        // Before the server is told that we wait: its message may be quicker than its answer.
        wakeups.add(claim.key(), claim.signals());
        sent.add(one);
      }
    }
    names.check(wire, sent);
    if (!sent.isEmpty()) {
      send(wire, sent);
    }
    names.tidy(wire);
  }

  /**
   * Each claim once, as a session is given a lock as often as it asks for it. Who asks again does
   * not wait for his first answer any more.
   */
  private static Collection<Asked<AdvisoryClaim, Attempt>> newest(
      List<Asked<AdvisoryClaim, Attempt>> asked) {
    Map<AdvisoryClaim, Asked<AdvisoryClaim, Attempt>> newest = new LinkedHashMap<>();
    asked.forEach(one -> newest.put(one.request(), one));
    return newest.values();
  }

  private void send(Wire wire, List<Asked<AdvisoryClaim, Attempt>> sent) throws SQLException {
    Arrays arrays = new Arrays(sent.stream().map(Asked::request).toList(), session);
    try {
      PreparedStatement statement = wire.prepare(acquireSql);
      arrays.keys(statement, 1);
      statement.setObject(4, arrays.marked);
      statement.setString(5, wire.mark());
      try (ResultSet answer = statement.executeQuery()) {
        if (!answer.isBeforeFirst()) {
          throw Wire.othersAnswer();
        }
        while (answer.next()) {
          Asked<AdvisoryClaim, Attempt> one = sent.get(answer.getInt(1) - 1);
          long token = answer.getLong(2);
          answered(one, answer.wasNull() ? Optional.empty() : Optional.of(token));
        }
      }
    } catch (SQLException e) {
      if (!Failures.endsConnection(e)) {
        undo(wire, arrays);
      }
      throw e;
    }
  }

  private void undo(Wire wire, Arrays arrays) throws SQLException {
    try {
      PreparedStatement undo = wire.prepare(undoSql);
      arrays.keys(undo, 1);
      undo.setObject(4, arrays.marked);
      undo.setString(5, wire.mark());
      try (ResultSet answer = undo.executeQuery()) {
        if (!answer.isBeforeFirst()) {
          throw Wire.othersAnswer();
        }
      }
    } catch (SQLException e) {
      if (Wire.isOthers(e)) {
        throw e;
      }
      // The session may have locks that nobody would ever release.
      throw new SQLException(
          "What a failed statement took could not be undone", OUTCOME_UNKNOWN, e);
    }
  }

  private void answered(Asked<AdvisoryClaim, Attempt> one, Optional<Long> token) {
    AdvisoryClaim claim = one.request();
    long number = token.orElse(0L);
    if (number != 0) {
      session.granted(claim, Math.abs(number), number < 0);
      wakeups.remove(claim.key(), claim.signals());
      one.answer(new Attempt.Granted(Math.abs(number), leaseTime()));
    } else if (token.isPresent()) {
      session.waits(claim);
      one.answer(CONTENDED);
    } else {
      claim.signals().wake();
      one.answer(CONTENDED);
    }
  }

  private void release(Wire wire, List<Asked<AdvisoryClaim, ReleaseAnswer>> asked)
      throws SQLException {
    List<Asked<AdvisoryClaim, ReleaseAnswer>> sent = new ArrayList<>(asked.size());
    for (Asked<AdvisoryClaim, ReleaseAnswer> one : asked) {
      AdvisoryClaim claim = one.request();
      wakeups.remove(claim.key(), claim.signals());
      ReleaseAnswer before = claim.released();
      AdvisorySession of = claim.session();
      if (before != null) {
        one.answer(before);
      } else if (of == session) {
        sent.add(one);
      } else if (of == null || predecessors.isGone(wire, of)) {
        claim.released(ReleaseAnswer.NOT_OURS);
        one.answer(ReleaseAnswer.NOT_OURS);
      } else {
        one.fail(
            new LockUnavailableException(
                "Releasing lock '%s': the session that took it was given up, and the server has not ended it yet"
                    .formatted(claim.lockName())));
      }
    }
    if (sent.isEmpty()) {
      return;
    }
    Arrays arrays = new Arrays(sent.stream().map(Asked::request).toList(), session);
    PreparedStatement statement = wire.prepare(releaseSql);
    statement.setString(1, channel);
    arrays.keys(statement, 2);
    statement.setObject(5, arrays.held);
    statement.setObject(6, arrays.marked);
    statement.setString(7, wire.mark());
    try (ResultSet answer = statement.executeQuery()) {
      if (!answer.isBeforeFirst()) {
        throw Wire.othersAnswer();
      }
      while (answer.next()) {
        Asked<AdvisoryClaim, ReleaseAnswer> one = sent.get(answer.getInt(1) - 1);
        released(one, answer.getBoolean(2) ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS);
      }
    }
  }

  private void released(Asked<AdvisoryClaim, ReleaseAnswer> one, ReleaseAnswer found) {
    AdvisoryClaim claim = one.request();
    boolean held = claim.holds();
    session.remove(claim);
    claim.released(found);
    if (held) {
      // Others of this client were not sent to the server while this one had it.
      wakeups.tell(claim.key().payload());
    }
    one.answer(found);
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
