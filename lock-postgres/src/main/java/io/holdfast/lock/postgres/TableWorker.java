/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.health.ServerReport;
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
final class TableWorker implements ConnectionWorker.Owner {

  private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

  private final PostgresConfig config;
  private final NotificationListener notifications;
  private final String channel;
  private final SchemaSetup schemaSetup;
  private final AbandonedSessions abandoned;
  private final String acquireSql;
  private final String renewSql;
  private final String shortenSql;
  private final String releaseSql;
  private final UnusedRowSweeper sweep;
  private final ConnectionWorker.Kind<Ending, ReleaseAnswer> release =
      ConnectionWorker.kind(0, this::release);
  private final ConnectionWorker.Kind<List<RenewalRequest<TableClaim>>, Set<TableClaim>> renew =
      ConnectionWorker.kind(1, this::renew);
  private final ConnectionWorker.Kind<TableClaim, Attempt> acquire =
      ConnectionWorker.kind(2, this::acquire);
  private final ConnectionWorker worker;
  private final LockInspection inspection;

  /** Of the connection that the worker has now. */
  private ServerSession session = new ServerSession(new PgConnection.Identity(0, 0));

  TableWorker(ConnectionFactory connector, NotificationListener notifications, String channel) {
    this.config = connector.config();
    this.notifications = notifications;
    this.channel = channel;
    Schema schema = config.schema();
    this.schemaSetup = new SchemaSetup(schema);
    this.abandoned = new AbandonedSessions(config);
    this.acquireSql = schema.statement("table-acquire.sql");
    this.renewSql = schema.statement("table-renew.sql");
    this.shortenSql = schema.statement("table-shorten.sql");
    this.releaseSql = schema.statement("table-release.sql");
    this.sweep =
        new UnusedRowSweeper(schema.statement("table-forget.sql"), Optional.of(config.namespace()));
    this.worker = ConnectionWorker.open(connector, config.commandTimeout(), "table", this);
    this.inspection = new PostgresInspection(worker, config, "table", channel);
  }

  CompletableFuture<Attempt> acquire(TableClaim claim) {
    return worker.ask(acquire, claim, () -> "Acquiring lock '" + claim.request().lockName() + "'");
  }

  /** Frees it, or leaves it taken for that long. */
  CompletableFuture<ReleaseAnswer> release(TableClaim claim, Duration keepFor) {
    return worker.ask(
        release,
        new Ending(claim, keepFor, true),
        () -> "Releasing lock '" + claim.request().lockName() + "'");
  }

  /** The claim goes on. */
  CompletableFuture<ReleaseAnswer> expireIn(TableClaim claim, Duration left) {
    return worker.ask(
        release,
        new Ending(claim, left, false),
        () -> "Setting the end of lock '" + claim.request().lockName() + "'");
  }

  /** Those of the claims that are still ours. */
  CompletableFuture<Set<TableClaim>> renew(List<RenewalRequest<TableClaim>> requests) {
    return worker.ask(renew, requests, () -> "Renewing " + requests.size() + " lock(s)");
  }

  CompletableFuture<List<ServerReport>> examine(Duration ttl) {
    return PostgresExamination.of(worker, config, TableLockProvider.CAPABILITIES, ttl);
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
    session = new ServerSession(pg.identity());
  }

  @Override
  public void lost(PgConnection pg) {
    abandoned.add(session);
  }

  @Override
  public void idle(PgConnection pg) throws SQLException {
    abandoned.terminate(pg);
    sweep.quiet(pg);
  }

  private void acquire(PgConnection pg, List<PendingRequest<TableClaim, Attempt>> asked)
      throws SQLException {
    List<PendingRequest<TableClaim, Attempt>> sent = new ArrayList<>(asked.size());
    Set<String> names = new HashSet<>();
    // A client has one live claim for a name, and one statement takes a row once: for the question
    // that came last, since the others' time is over.
    for (int i = asked.size() - 1; i >= 0; i--) {
      PendingRequest<TableClaim, Attempt> one = asked.get(i);
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
    for (PendingRequest<TableClaim, Attempt> one : sent) {
      TableClaim claim = one.request();
      // Before the server is told that we wait: its message may be quicker than its answer.
      notifications.add(claim.key(), claim.signals());
      claim.sent(session);
      rows.add(claim, claim.request().ttl());
    }
    PreparedStatement statement = pg.prepare(acquireSql);
    rows.set(statement, pg);
    statement.setString(4, pg.mark());
    statement.setString(5, config.namespace());
    statement.setString(6, config.namespace());
    try (ResultSet answer = statement.executeQuery()) {
      if (!answer.isBeforeFirst()) {
        throw PgConnection.othersAnswer();
      }
      while (answer.next()) {
        PendingRequest<TableClaim, Attempt> one = sent.get(answer.getInt(1) - 1);
        one.request().answered(session);
        long token = answer.getLong(2);
        if (token > 0) {
          notifications.remove(one.request().key(), one.request().signals());
          one.answer(new Attempt.Granted(token, one.request().request().ttl()));
        } else {
          long micros = Math.max(0, answer.getLong(3));
          one.answer(new Attempt.Contended(Optional.of(Duration.ofNanos(micros * 1_000))));
        }
      }
    }
    sweep.used(pg, sent.size());
  }

  private void renew(
      PgConnection pg,
      List<PendingRequest<List<RenewalRequest<TableClaim>>, Set<TableClaim>>> asked)
      throws SQLException {
    for (PendingRequest<List<RenewalRequest<TableClaim>>, Set<TableClaim>> one : asked) {
      // A release that was asked for later goes first, and may keep the name for a time of its own.
      List<RenewalRequest<TableClaim>> wanted =
          one.request().stream().filter(request -> !request.claim().isReleasing()).toList();
      if (wanted.isEmpty()) {
        one.answer(Set.of());
        continue;
      }
      Map<String, TableClaim> claims = new HashMap<>();
      Rows rows = new Rows(wanted.size());
      for (RenewalRequest<TableClaim> request : wanted) {
        TableClaim claim = request.claim();
        claims.put(claim.name(), claim);
        rows.add(claim, request.ttl());
      }
      PreparedStatement statement = pg.prepare(renewSql);
      rows.set(statement, pg);
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
        shorten(pg, excesses);
      }
    }
    sweep.idle(pg);
  }

  /** What the server keeps for longer than was asked for, after a step of its clock back. */
  private void shorten(PgConnection pg, List<Excess> excesses) throws SQLException {
    Rows rows = new Rows(excesses.size());
    excesses.forEach(one -> rows.add(one.claim(), one.ttl()));
    PreparedStatement statement = pg.prepare(shortenSql);
    rows.set(statement, pg);
    statement.setObject(4, excesses.stream().mapToLong(Excess::ends).toArray());
    statement.setString(5, config.namespace());
    statement.executeUpdate();
  }

  private void release(PgConnection pg, List<PendingRequest<Ending, ReleaseAnswer>> asked)
      throws SQLException {
    Map<String, PendingRequest<Ending, ReleaseAnswer>> sent = new LinkedHashMap<>();
    for (PendingRequest<Ending, ReleaseAnswer> one : asked) {
      Ending ending = one.request();
      TableClaim claim = ending.claim();
      if (sent.containsKey(claim.request().ownerId())) {
        // One statement changes a row once.
        free(pg, sent);
      }
      ReleaseAnswer before = claim.released();
      if (ending.isLast()) {
        notifications.remove(claim.key(), claim.signals());
      }
      if (before != null) {
        one.answer(before);
      } else if (!ending.isLast() || areGone(pg, claim.unanswered())) {
        sent.put(claim.request().ownerId(), one);
      } else {
        one.fail(
            new LockUnavailableException(
                "Releasing lock '%s': a session that asked for it was given up, and the server has not ended it yet"
                    .formatted(claim.request().lockName())));
      }
    }
    free(pg, sent);
  }

  /** Leaves nothing to be sent. */
  private void free(PgConnection pg, Map<String, PendingRequest<Ending, ReleaseAnswer>> sent)
      throws SQLException {
    if (sent.isEmpty()) {
      return;
    }
    String[] names = new String[sent.size()];
    String[] owners = new String[sent.size()];
    long[] keys = new long[sent.size()];
    long[] taken = new long[sent.size()];
    int i = 0;
    for (PendingRequest<Ending, ReleaseAnswer> one : sent.values()) {
      TableClaim claim = one.request().claim();
      names[i] = claim.name();
      owners[i] = claim.request().ownerId();
      taken[i] = one.request().left().toNanos() / 1_000;
      keys[i++] = claim.key().value();
    }
    PreparedStatement statement = pg.prepare(releaseSql);
    statement.setArray(1, pg.texts(names));
    statement.setArray(2, pg.texts(owners));
    statement.setObject(3, keys);
    statement.setObject(4, taken);
    statement.setString(5, config.namespace());
    statement.setString(6, channel);
    try (ResultSet answer = statement.executeQuery()) {
      while (answer.next()) {
        PendingRequest<Ending, ReleaseAnswer> one = sent.remove(answer.getString(1));
        if (one != null) {
          ended(one, answer.getBoolean(2) ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS);
        }
      }
    }
    sent.values().forEach(one -> ended(one, ReleaseAnswer.NOT_OURS));
    sent.clear();
  }

  private static void ended(PendingRequest<Ending, ReleaseAnswer> one, ReleaseAnswer found) {
    if (one.request().isLast()) {
      one.request().claim().released(found);
    }
    one.answer(found);
  }

  /** Sessions with a statement that was never answered; the present one has answered or failed. */
  private boolean areGone(PgConnection pg, List<ServerSession> sessions) throws SQLException {
    for (ServerSession before : sessions) {
      if (!before.equals(session) && !abandoned.isGone(pg, before)) {
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

    void set(PreparedStatement statement, PgConnection pg) throws SQLException {
      statement.setArray(1, pg.texts(names));
      statement.setArray(2, pg.texts(owners));
      statement.setObject(3, ttls);
    }
  }
}
