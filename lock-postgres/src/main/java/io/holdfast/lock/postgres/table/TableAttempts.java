/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.table;

import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.session.LockSessions;
import io.holdfast.lock.postgres.session.NotificationListener;
import io.holdfast.lock.postgres.session.PendingRequest;
import io.holdfast.lock.postgres.session.ServerSession;
import io.holdfast.lock.postgres.session.UnusedRowSweeper;
import io.holdfast.lock.spi.Attempt;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Asks for table locks, and says what the answers mean for claims. For the worker's thread. */
final class TableAttempts {

  private static final Attempt CONTENDED = new Attempt.Contended(Optional.empty());

  private final TableStatements locks;
  private final TableStatements shares;
  private final LockedRows lockedRows;
  private final NotificationListener notifications;
  private final LockSessions<TableSession> sessions;
  private final UnusedRowSweeper sweep;
  private final UnusedRowSweeper sweepOfShares;

  TableAttempts(
      TableStatements locks,
      TableStatements shares,
      LockedRows lockedRows,
      NotificationListener notifications,
      LockSessions<TableSession> sessions,
      UnusedRowSweeper sweep,
      UnusedRowSweeper sweepOfShares) {
    this.locks = locks;
    this.shares = shares;
    this.lockedRows = lockedRows;
    this.notifications = notifications;
    this.sessions = sessions;
    this.sweep = sweep;
    this.sweepOfShares = sweepOfShares;
  }

  void send(PgConnection pg, List<PendingRequest<TableClaim, Attempt>> asked) throws SQLException {
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
    List<PendingRequest<TableClaim, Attempt>> shared = part(sent, true);
    send(pg, locks, part(sent, false));
    send(pg, shares, shared);
    sweep.used(pg, sent.size());
    if (!shared.isEmpty()) {
      // A client of locks alone pays nothing for it, and may have no such table.
      sweepOfShares.used(pg, shared.size());
    }
  }

  private static List<PendingRequest<TableClaim, Attempt>> part(
      List<PendingRequest<TableClaim, Attempt>> all, boolean shared) {
    return all.stream().filter(one -> one.request().isShared() == shared).toList();
  }

  private void send(
      PgConnection pg, TableStatements statements, List<PendingRequest<TableClaim, Attempt>> sent)
      throws SQLException {
    lockedRows
        .leaveOut(
            pg, sent, one -> one.request().name(), some -> acquire(pg, statements, notEnded(some)))
        .forEach(one -> one.fail(LockedRows.unavailable(one.request())));
  }

  /** A claim may have been given up while a first try waited for the row of another. */
  private static List<PendingRequest<TableClaim, Attempt>> notEnded(
      List<PendingRequest<TableClaim, Attempt>> asked) {
    asked.stream().filter(one -> one.request().isReleasing()).forEach(one -> one.answer(CONTENDED));
    return asked.stream().filter(one -> !one.answer().isDone()).toList();
  }

  private void acquire(
      PgConnection pg, TableStatements statements, List<PendingRequest<TableClaim, Attempt>> sent)
      throws SQLException {
    if (sent.isEmpty()) {
      return;
    }
    ServerSession session = sessions.present();
    List<TableClaim> claims = sent.stream().map(PendingRequest::request).toList();
    for (TableClaim claim : claims) {
      // Before the server is told that we wait: its message may be quicker than its answer.
      notifications.add(claim.key(), claim.signals());
      claim.involved().add(session);
    }
    List<TableStatements.Outcome> outcomes;
    try {
      outcomes = statements.acquire(pg, claims);
    } catch (SQLException e) {
      if (PgFailures.isRefusal(e)) {
        claims.forEach(claim -> claim.involved().remove(session));
      }
      throw e;
    }
    for (int i = 0; i < sent.size(); i++) {
      claims.get(i).involved().remove(session);
      if (outcomes.get(i).token() > 0 || claims.get(i).request().waits()) {
        claims.get(i).answered();
      }
      answered(sent.get(i), outcomes.get(i));
    }
  }

  private void answered(PendingRequest<TableClaim, Attempt> one, TableStatements.Outcome outcome) {
    TableClaim claim = one.request();
    if (outcome.token() > 0) {
      notifications.remove(claim.key(), claim.signals());
      one.answer(new Attempt.Granted(outcome.token(), claim.request().ttl()));
    } else if (outcome.otherCapacity() > 0) {
      one.fail(
          new LockCapacityException(
              claim.request().lockName(),
              claim.request().share().capacity(),
              outcome.otherCapacity()));
    } else {
      one.answer(new Attempt.Contended(Optional.of(outcome.othersFor())));
    }
  }
}
