/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.table;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.schema.EncodedName;
import io.holdfast.lock.postgres.session.ConnectionWorker;
import io.holdfast.lock.postgres.session.LockSessions;
import io.holdfast.lock.postgres.session.NotificationListener;
import io.holdfast.lock.postgres.session.PendingRequest;
import io.holdfast.lock.postgres.session.ServerSession;
import io.holdfast.lock.postgres.session.UnusedRowSweeper;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** What is asked for table locks, and what the answers mean for claims. */
final class TableWorker {

  private final NotificationListener notifications;
  private final String namespace;
  private final TableStatements locks;
  private final ShareStatements shares;
  private final LockedRows lockedRows;
  private final UnusedRowSweeper sweep;
  private final LockSessions<TableSession> sessions;
  // Shares have kinds of their own: what the server refuses of them fails no lock.
  private final ConnectionWorker.Kind<Ending, ReleaseAnswer> releaseLocks =
      ConnectionWorker.kind(0, this::release);
  private final ConnectionWorker.Kind<Ending, ReleaseAnswer> releaseShares =
      ConnectionWorker.kind(1, this::release);
  private final ConnectionWorker.Kind<Reduction, ReleaseAnswer> reduce =
      ConnectionWorker.kind(1, this::reduce);
  private final ConnectionWorker.Kind<List<RenewalRequest<TableClaim>>, Renewed> renewLocks =
      ConnectionWorker.kind(2, this::renew);
  private final ConnectionWorker.Kind<List<RenewalRequest<TableClaim>>, Renewed> renewShares =
      ConnectionWorker.kind(2, this::renew);
  // Among renewals in the order in which they were asked for: a later one counts, an earlier not.
  private final ConnectionWorker.Kind<Ending, ReleaseAnswer> endLocks =
      ConnectionWorker.kind(2, this::release);
  private final ConnectionWorker.Kind<Ending, ReleaseAnswer> endShares =
      ConnectionWorker.kind(2, this::release);
  private final ConnectionWorker.Kind<TableClaim, Attempt> acquire;
  private final ConnectionWorker.Kind<LockHolder, Boolean> evict =
      ConnectionWorker.kind(5, this::evict);
  private final ConnectionWorker.Kind<Resizing, Boolean> resize =
      ConnectionWorker.kind(5, this::resize);
  private final ConnectionWorker connection;

  TableWorker(ConnectionFactory connector, NotificationListener notifications, String channel) {
    PostgresConfig config = connector.config();
    this.notifications = notifications;
    this.namespace = config.namespace();
    this.shares = new ShareStatements(config, channel);
    this.lockedRows = new LockedRows(config);
    this.sweep =
        new UnusedRowSweeper(
            config.schema().statement("table/forget.sql"), Optional.of(config.namespace()));
    this.sessions = new LockSessions<>(config, this::begin, sweep::quiet);
    this.locks = new LockStatements(config, channel, sessions);
    UnusedRowSweeper sweepOfShares =
        new UnusedRowSweeper(
            config.schema().statement("table/share/forget.sql"), Optional.of(config.namespace()));
    this.acquire =
        ConnectionWorker.kind(
            3,
            new TableAttempts(
                    locks, shares, lockedRows, notifications, sessions, sweep, sweepOfShares)
                ::send);
    this.connection = ConnectionWorker.open(connector, config.commandTimeout(), "table", sessions);
  }

  private TableSession begin(PgConnection.Identity identity) {
    notifications.nameIs(identity);
    return new TableSession(identity);
  }

  CompletableFuture<Attempt> acquire(TableClaim claim) {
    return connection.ask(
        acquire, claim, () -> "Acquiring lock '" + claim.request().lockName() + "'");
  }

  /** Frees it, or leaves it taken for that long. */
  CompletableFuture<ReleaseAnswer> release(TableClaim claim, Duration keepFor) {
    return connection.ask(
        claim.isShared() ? releaseShares : releaseLocks,
        new Ending(claim, keepFor, true),
        () -> "Releasing lock '" + claim.request().lockName() + "'");
  }

  /** The claim goes on. */
  CompletableFuture<ReleaseAnswer> expireIn(TableClaim claim, Duration left) {
    return connection.ask(
        claim.isShared() ? endShares : endLocks,
        new Ending(claim, left, false),
        () -> "Setting the end of lock '" + claim.request().lockName() + "'");
  }

  /**
   * Which of the claims are still ours.
   *
   * @param requests all of locks, or all of shares
   */
  CompletableFuture<Renewed> renew(List<RenewalRequest<TableClaim>> requests) {
    return connection.ask(
        requests.stream().anyMatch(one -> one.claim().isShared()) ? renewShares : renewLocks,
        requests,
        () -> "Renewing " + requests.size() + " lock(s)");
  }

  /** The claim goes on with no more than some permits. */
  CompletableFuture<ReleaseAnswer> reduce(TableClaim claim, int kept) {
    return connection.ask(
        reduce,
        new Reduction(claim, kept),
        () -> "Giving back a part of lock '" + claim.request().lockName() + "'");
  }

  /** Takes a share from its holder. */
  CompletableFuture<Boolean> evict(LockHolder holder) {
    return connection.ask(
        evict, holder, () -> "Taking lock '" + holder.lockName() + "' from its holder");
  }

  /** Gives a semaphore another capacity. */
  CompletableFuture<Boolean> resize(String lockName, int from, int to) {
    return connection.ask(
        resize,
        new Resizing(lockName, from, to),
        () -> "Changing the capacity of '" + lockName + "'");
  }

  ConnectionWorker connection() {
    return connection;
  }

  private TableStatements statements(TableClaim claim) {
    return claim.isShared() ? shares : locks;
  }

  private void renew(
      PgConnection pg, List<PendingRequest<List<RenewalRequest<TableClaim>>, Renewed>> asked)
      throws SQLException {
    for (PendingRequest<List<RenewalRequest<TableClaim>>, Renewed> one : asked) {
      // A release that was asked for later goes first, and may keep the name for a time of its own.
      List<TableStatements.Timed> wanted =
          one.request().stream()
              .map(request -> new TableStatements.Timed(request.claim(), request.ttl()))
              .filter(row -> !row.claim().isReleasing())
              .toList();
      if (wanted.isEmpty()) {
        one.answer(new Renewed(Set.of(), Set.of()));
        continue;
      }
      TableStatements statements = statements(wanted.get(0).claim());
      List<TableStatements.Extended> ours = new ArrayList<>();
      List<TableStatements.Timed> leftOut =
          lockedRows.leaveOut(
              pg,
              wanted,
              row -> row.claim().name(),
              rows -> ours.addAll(statements.renew(pg, rows)));
      one.answer(
          new Renewed(
              ours.stream().map(TableStatements.Extended::claim).collect(Collectors.toSet()),
              leftOut.stream().map(TableStatements.Timed::claim).collect(Collectors.toSet())));
      shorten(pg, statements, ours);
    }
    sweep.idle(pg);
  }

  /** What the server keeps for longer than was asked for, after a step of its clock back. */
  private static void shorten(
      PgConnection pg, TableStatements statements, List<TableStatements.Extended> renewed)
      throws SQLException {
    List<TableStatements.Timed> excesses = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    for (TableStatements.Extended row : renewed) {
      Optional<Duration> instead = row.claim().requested().insteadOf(row.left());
      if (instead.isPresent()) {
        excesses.add(new TableStatements.Timed(row.claim(), instead.get()));
        ends.add(row.ends());
      }
    }
    if (!excesses.isEmpty()) {
      statements.shorten(pg, excesses, ends);
    }
  }

  private void release(PgConnection pg, List<PendingRequest<Ending, ReleaseAnswer>> asked)
      throws SQLException {
    Set<ServerSession> standing = new HashSet<>();
    Map<TableClaim, PendingRequest<Ending, ReleaseAnswer>> sent = new LinkedHashMap<>();
    for (PendingRequest<Ending, ReleaseAnswer> one : asked) {
      Ending ending = one.request();
      TableClaim claim = ending.claim();
      if (sent.containsKey(claim)) {
        // One statement changes a row once.
        free(pg, sent);
      }
      ReleaseAnswer before = claim.hasLeftNothing() ? ReleaseAnswer.NOT_OURS : claim.released();
      if (ending.isLast()) {
        notifications.remove(claim.key(), claim.signals());
      }
      if (before != null) {
        one.answer(before);
      } else if (!ending.isLast() || sessions.areGone(pg, claim.involved(), standing)) {
        sent.put(claim, one);
      } else {
        one.fail(LockSessions.notGone(claim.request().lockName()));
      }
    }
    free(pg, sent);
  }

  /** Leaves nothing to be sent. */
  private void free(PgConnection pg, Map<TableClaim, PendingRequest<Ending, ReleaseAnswer>> sent)
      throws SQLException {
    lockedRows
        .leaveOut(
            pg,
            List.copyOf(sent.values()),
            one -> one.request().claim().name(),
            some -> free(pg, some))
        .forEach(one -> one.fail(LockedRows.unavailable(one.request().claim())));
    sent.clear();
  }

  private void free(PgConnection pg, List<PendingRequest<Ending, ReleaseAnswer>> sent)
      throws SQLException {
    List<TableStatements.Timed> rows =
        sent.stream()
            .map(one -> new TableStatements.Timed(one.request().claim(), one.request().left()))
            .toList();
    Set<TableClaim> freed = statements(rows.get(0).claim()).release(pg, rows);
    for (PendingRequest<Ending, ReleaseAnswer> one : sent) {
      TableClaim claim = one.request().claim();
      ReleaseAnswer found = freed.contains(claim) ? ReleaseAnswer.FREED : ReleaseAnswer.NOT_OURS;
      if (one.request().isLast()) {
        claim.released(found);
      }
      one.answer(found);
    }
  }

  private void reduce(PgConnection pg, List<PendingRequest<Reduction, ReleaseAnswer>> asked)
      throws SQLException {
    lockedRows.answer(
        pg,
        asked,
        one -> one.claim().request().lockName(),
        one ->
            shares.reduce(pg, one.claim(), one.kept()).contains(one.claim())
                ? ReleaseAnswer.FREED
                : ReleaseAnswer.NOT_OURS);
  }

  private void evict(PgConnection pg, List<PendingRequest<LockHolder, Boolean>> asked)
      throws SQLException {
    lockedRows.answer(
        pg,
        asked,
        LockHolder::lockName,
        holder ->
            shares.evict(
                pg,
                EncodedName.of(holder.lockName()),
                holder.ownerId().orElse(""),
                key(holder.lockName())));
  }

  private void resize(PgConnection pg, List<PendingRequest<Resizing, Boolean>> asked)
      throws SQLException {
    lockedRows.answer(
        pg,
        asked,
        Resizing::lockName,
        change ->
            shares.changeCapacity(
                pg,
                EncodedName.of(change.lockName()),
                key(change.lockName()),
                change.from(),
                change.to()));
  }

  private long key(String lockName) {
    return AdvisoryKey.of("table", namespace, lockName).value();
  }

  /**
   * A lock that is to be freed.
   *
   * @param left for how long it stays taken, and by its end is free; zero for now
   * @param isLast whether the claim is over
   */
  private record Ending(TableClaim claim, Duration left, boolean isLast) {}

  /**
   * The outcome of renewals.
   *
   * @param ours the claims that are still ours
   * @param unknown those of which nothing is known, as their rows are locked
   */
  record Renewed(Set<TableClaim> ours, Set<TableClaim> unknown) {}

  /** A share that becomes smaller. */
  private record Reduction(TableClaim claim, int kept) {}

  /** A semaphore that gets another capacity. */
  private record Resizing(String lockName, int from, int to) {}
}
