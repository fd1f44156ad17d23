/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ServerReport;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The statements of table locks. */
final class TableLane implements Lane.Owner {

  private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

  private final PostgresConfig config;
  private final Wakeups wakeups;
  private final String channel;
  private final Preparation preparation;
  private final Predecessors predecessors;
  private final String acquireSql;
  private final String renewSql;
  private final String shortenSql;
  private final String releaseSql;
  private final Sweep sweep;
  private final Lane.Kind<Ending, ReleaseAnswer> release = Lane.kind(0, this::release);
  private final Lane.Kind<List<RenewalRequest>, Set<TableClaim>> renew = Lane.kind(1, this::renew);
  private final Lane.Kind<TableClaim, Attempt> acquire = Lane.kind(2, this::acquire);
  private final Lane lane;
  private final LockInspection inspection;

  /** Of the connection that the lane has now. */
  private Session session = new Session(new Wire.Identity(0, 0));

  TableLane(Connector connector, Wakeups wakeups, String channel) {
    this.config = connector.config();
    this.wakeups = wakeups;
    this.channel = channel;
    Schema schema = config.schema();
    this.preparation = new Preparation(schema);
    this.predecessors = new Predecessors(config);
    this.acquireSql = schema.statement("table-acquire.sql");
    this.renewSql = schema.statement("table-renew.sql");
    this.shortenSql = schema.statement("table-shorten.sql");
    this.releaseSql = schema.statement("table-release.sql");
    this.sweep = new Sweep(schema.statement("table-forget.sql"), Optional.of(config.namespace()));
    this.lane = Lane.open(connector, config.commandTimeout(), "table", this);
    this.inspection = new PostgresInspection(lane, config, "table", channel);
  }

  CompletableFuture<Attempt> acquire(TableClaim claim) {
    return lane.ask(acquire, claim, () -> "Acquiring lock '" + claim.request().lockName() + "'");
  }

  /** Frees it, or leaves it taken for that long. */
  CompletableFuture<ReleaseAnswer> release(TableClaim claim, Duration keepFor) {
    return lane.ask(
        release,
        new Ending(claim, keepFor, true),
        () -> "Releasing lock '" + claim.request().lockName() + "'");
  }

  /** The claim goes on. */
  CompletableFuture<ReleaseAnswer> expireIn(TableClaim claim, Duration left) {
    return lane.ask(
        release,
        new Ending(claim, left, false),
        () -> "Setting the end of lock '" + claim.request().lockName() + "'");
  }

  /** Those of the claims that are still ours. */
  CompletableFuture<Set<TableClaim>> renew(List<RenewalRequest> requests) {
    return lane.ask(renew, requests, () -> "Renewing " + requests.size() + " lock(s)");
  }

  CompletableFuture<List<ServerReport>> examine(Duration ttl) {
    return Examination.of(lane, config, TableLockProvider.CAPABILITIES, ttl);
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
    session = new Session(wire.identity());
  }

  @Override
  public void lost(Wire wire) {
    predecessors.add(session);
  }

  @Override
  public void idle(Wire wire) throws SQLException {
    predecessors.terminate(wire);
    sweep.quiet(wire);
  }

  private void acquire(Wire wire, List<Asked<TableClaim, Attempt>> asked) throws SQLException {
    List<Asked<TableClaim, Attempt>> sent = new ArrayList<>(asked.size());
    Set<String> names = new HashSet<>();
    // A client has one live claim for a name, and one statement takes a row once: for the question
    // that came last, since the others' time is over.
    for (int i = asked.size() - 1; i >= 0; i--) {
      Asked<TableClaim, Attempt> one = asked.get(i);
      if (one.request().isReleasing() || !names.add(one.request().name())) {
        one.answer(CONTENDED);
      } else {
        sent.add(one);
      }
    }
    if (sent.isEmpty()) {
      return;
    }
    Rows rows = new Rows(sent.size());
    for (Asked<TableClaim, Attempt> one : sent) {
      TableClaim claim = one.request();
      // Before the server is told that we wait: its message may be quicker than its answer.
      wakeups.add(claim.key(), claim.signals());
      claim.sent(session);
      rows.add(claim, claim.request().ttl());
    }
    PreparedStatement statement = wire.prepare(acquireSql);
    rows.set(statement, wire);
    statement.setString(4, wire.mark());
    statement.setString(5, config.namespace());
    statement.setString(6, config.namespace());
    try (ResultSet answer = statement.executeQuery()) {
      if (!answer.isBeforeFirst()) {
        throw Wire.othersAnswer();
      }
      while (answer.next()) {
        Asked<TableClaim, Attempt> one = sent.get(answer.getInt(1) - 1);
        one.request().answered(session);
        long token = answer.getLong(2);
        if (token > 0) {
          wakeups.remove(one.request().key(), one.request().signals());
          one.answer(new Attempt.Granted(token, one.request().request().ttl()));
        } else {
          long micros = Math.max(0, answer.getLong(3));
          one.answer(new Attempt.Contended(Optional.of(Duration.ofNanos(micros * 1_000))));
        }
      }
    }
    sweep.used(wire, sent.size());
  }

  private void renew(Wire wire, List<Asked<List<RenewalRequest>, Set<TableClaim>>> asked)
      throws SQLException {
    for (Asked<List<RenewalRequest>, Set<TableClaim>> one : asked) {
      Map<String, TableClaim> claims = new HashMap<>();
      Rows rows = new Rows(one.request().size());
      for (RenewalRequest request : one.request()) {
        TableClaim claim = (TableClaim) request.claim();
        claims.put(claim.name(), claim);
        rows.add(claim, request.ttl());
      }
      PreparedStatement statement = wire.prepare(renewSql);
      rows.set(statement, wire);
      statement.setString(4, config.namespace());
      Set<TableClaim> ours = new HashSet<>();
      List<Excess> excesses = new ArrayList<>();
      try (ResultSet answer = statement.executeQuery()) {
        while (answer.next()) {
          TableClaim claim = claims.get(answer.getString(1));
          if (claim != null) {
            ours.add(claim);
            long ends = answer.getLong(2);
            claim
                .requested()
                .insteadOf(Duration.ofNanos(answer.getLong(3) * 1_000))
                .ifPresent(ttl -> excesses.add(new Excess(claim, ttl, ends)));
          }
        }
      }
      one.answer(ours);
      if (!excesses.isEmpty()) {
        shorten(wire, excesses);
      }
    }
    sweep.idle(wire);
  }

  /** What the server keeps for longer than was asked for, after a step of its clock back. */
  private void shorten(Wire wire, List<Excess> excesses) throws SQLException {
    Rows rows = new Rows(excesses.size());
    excesses.forEach(one -> rows.add(one.claim(), one.ttl()));
    PreparedStatement statement = wire.prepare(shortenSql);
    rows.set(statement, wire);
    statement.setObject(4, excesses.stream().mapToLong(Excess::ends).toArray());
    statement.setString(5, config.namespace());
    statement.executeUpdate();
  }

  private void release(Wire wire, List<Asked<Ending, ReleaseAnswer>> asked) throws SQLException {
    Map<String, Asked<Ending, ReleaseAnswer>> sent = new LinkedHashMap<>();
    for (Asked<Ending, ReleaseAnswer> one : asked) {
      Ending ending = one.request();
      TableClaim claim = ending.claim();
      if (sent.containsKey(claim.request().ownerId())) {
        // One statement changes a row once.
        free(wire, sent);
      }
      ReleaseAnswer before = claim.released();
      if (ending.isLast()) {
        wakeups.remove(claim.key(), claim.signals());
      }
      if (before != null) {
        one.answer(before);
      } else if (!ending.isLast() || areGone(wire, claim.unanswered())) {
        sent.put(claim.request().ownerId(), one);
      } else {
        one.fail(
            new LockUnavailableException(
                "Releasing lock '%s': a session that asked for it was given up, and the server has not ended it yet"
                    .formatted(claim.request().lockName())));
      }
    }
    free(wire, sent);
  }

  /** Leaves nothing to be sent. */
  private void free(Wire wire, Map<String, Asked<Ending, ReleaseAnswer>> sent) throws SQLException {
    if (sent.isEmpty()) {
      return;
    }
    String[] names = new String[sent.size()];
    String[] owners = new String[sent.size()];
    long[] keys = new long[sent.size()];
    long[] taken = new long[sent.size()];
    int i = 0;
    for (Asked<Ending, ReleaseAnswer> one : sent.values()) {
      TableClaim claim = one.request().claim();
      names[i] = claim.name();
      owners[i] = claim.request().ownerId();
      taken[i] = one.request().left().toNanos() / 1_000;
      keys[i++] = claim.key().value();
    }
    PreparedStatement statement = wire.prepare(releaseSql);
    statement.setArray(1, wire.texts(names));
    statement.setArray(2, wire.texts(owners));
    statement.setObject(3, keys);
    statement.setObject(4, taken);
    statement.setString(5, config.namespace());
    statement.setString(6, channel);
    try (ResultSet answer = statement.executeQuery()) {
      while (answer.next()) {
        Asked<Ending, ReleaseAnswer> one = sent.remove(answer.getString(1));
        if (one != null) {
          ended(one, answer.getBoolean(2) ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS);
        }
      }
    }
    sent.values().forEach(one -> ended(one, ReleaseAnswer.NOT_OURS));
    sent.clear();
  }

  private static void ended(Asked<Ending, ReleaseAnswer> one, ReleaseAnswer found) {
    if (one.request().isLast()) {
      one.request().claim().released(found);
    }
    one.answer(found);
  }

  /** Sessions with a statement that was never answered; the present one has answered or failed. */
  private boolean areGone(Wire wire, List<Session> sessions) throws SQLException {
    for (Session before : sessions) {
      if (!before.equals(session) && !predecessors.isGone(wire, before)) {
        return false;
      }
    }
    return true;
  }

  /**
   * A lock that is to be freed.
   *
   * @param left for how long it stays taken, and by its end is free; zero for now
   * @param isLast whether the claim is over
   */
  private record Ending(TableClaim claim, Duration left, boolean isLast) {}

  /**
   * A lock that is kept for too long.
   *
   * @param ttl for how long it has to be kept
   * @param ends in microseconds of the server's clock
   */
  private record Excess(TableClaim claim, Duration ttl, long ends) {}

  /** Claims as the first three parameters of a statement. */
  private static final class Rows {

    private final String[] names;
    private final String[] owners;
    private final long[] ttls;
    private int count;

    Rows(int size) {
      names = new String[size];
      owners = new String[size];
      ttls = new long[size];
    }

    void add(TableClaim claim, Duration ttl) {
      claim.requested().request(ttl);
      names[count] = claim.name();
      owners[count] = claim.request().ownerId();
      ttls[count++] = ttl.toNanos() / 1_000;
    }

    void set(PreparedStatement statement, Wire wire) throws SQLException {
      statement.setArray(1, wire.texts(names));
      statement.setArray(2, wire.texts(owners));
      statement.setObject(3, ttls);
    }
  }
}
