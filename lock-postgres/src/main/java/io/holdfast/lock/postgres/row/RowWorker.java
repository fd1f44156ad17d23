/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.row;

import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.Schema;
import io.holdfast.lock.postgres.session.AbandonedSessions;
import io.holdfast.lock.postgres.session.ConnectionWorker;
import io.holdfast.lock.postgres.session.PendingRequest;
import io.holdfast.lock.postgres.session.SchemaSetup;
import io.holdfast.lock.postgres.session.UnusedRowSweeper;
import io.holdfast.lock.postgres.transaction.RowTransaction;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks about transactions, on a connection of its own: whether they are still open, that they end,
 * and tokens where they do not draw them themselves. So no question of ours comes between the
 * statements of a holder. Claims that wait leave their marks here.
 */
final class RowWorker implements ConnectionWorker.Owner {

  private final PostgresConfig config;
  private final SchemaSetup schemaSetup;
  private final AbandonedSessions abandoned;
  private final String tokenSql;
  private final String aliveSql;
  private final String markSql;
  private final String unmarkSql;
  private final UnusedRowSweeper sweep;
  private final ConnectionWorker.Kind<PgConnection.Identity, Boolean> end =
      ConnectionWorker.kind(0, this::end);
  private final ConnectionWorker.Kind<List<RowTransaction>, Set<RowTransaction>> alive =
      ConnectionWorker.kind(1, this::alive);
  private final ConnectionWorker.Kind<Integer, Long> token = ConnectionWorker.kind(2, this::token);
  private final ConnectionWorker.Kind<RowWait, Boolean> mark = ConnectionWorker.kind(3, this::mark);
  private final ConnectionWorker.Kind<RowWait, Boolean> unmark =
      ConnectionWorker.kind(4, this::unmark);
  private final ConnectionWorker.Kind<String, Boolean> made = ConnectionWorker.kind(5, this::made);
  private final Runnable doubted;
  private final Runnable unmarked;
  private volatile @Nullable PgConnection present;
  private final ConnectionWorker connection;

  /**
   * Connects.
   *
   * @param doubted run, on the worker's thread, whenever the connections beside it may have ended:
   *     it has ended itself, could not be had again, or has been made
   * @param unmarked run, on the worker's thread, when all marks have gone with a session, and when
   *     there is one again in which they can be made
   */
  RowWorker(ConnectionFactory connector, Runnable doubted, Runnable unmarked) {
    this.config = connector.config();
    this.doubted = doubted;
    this.unmarked = unmarked;
    Schema schema = config.schema();
    this.schemaSetup = new SchemaSetup(config);
    this.abandoned = new AbandonedSessions(config);
    this.tokenSql = schema.statement("row/token.sql");
    this.aliveSql = schema.statement("row/alive.sql");
    this.markSql = schema.statement("row/mark.sql");
    this.unmarkSql = schema.statement("row/unmark.sql");
    this.sweep =
        new UnusedRowSweeper(schema.statement("row/forget.sql"), Optional.of(config.namespace()));
    this.connection = ConnectionWorker.open(connector, config.commandTimeout(), "rows", this);
  }

  /** A token, greater than every one that was drawn before this was called. */
  CompletableFuture<Long> token(Supplier<String> operation) {
    return connection.ask(token, 1, operation);
  }

  /** Those of the transactions that are still open. */
  CompletableFuture<Set<RowTransaction>> alive(List<RowTransaction> transactions) {
    return connection.ask(
        alive, transactions, () -> "Renewing " + transactions.size() + " lock(s)");
  }

  /** Has the server end a session; answers whether it has. */
  CompletableFuture<Boolean> end(RowTransaction transaction, Supplier<String> operation) {
    return connection.ask(end, transaction.identity(), operation);
  }

  /** The present session. It changes before the connections of leases are doubted. */
  @Nullable PgConnection present() {
    return present;
  }

  /** Marks that a claim waits; answers whether it is marked. */
  CompletableFuture<Boolean> mark(RowWait wait, Supplier<String> operation) {
    return connection.ask(mark, wait, operation);
  }

  /** Takes its mark back, also one that was asked for and not answered. */
  CompletableFuture<Boolean> unmark(RowWait wait, Supplier<String> operation) {
    return connection.ask(unmark, wait, operation);
  }

  /** A row was made. For each, some are looked at here that may be old; nobody waits for that. */
  void made(String name) {
    var unused = connection.ask(made, name, () -> "Removing old rows");
  }

  ConnectionWorker connection() {
    return connection;
  }

  @Override
  public void opened(PgConnection pg) throws SQLException {
    doubted.run();
    schemaSetup.prepare(pg, config.create());
    present = pg;
    unmarked.run();
  }

  @Override
  public void lost(PgConnection pg) {
    present = null;
    doubted.run();
    unmarked.run();
  }

  /** A process of the server that crashed ends before the server has ended the others. */
  @Override
  public void refused() {
    doubted.run();
  }

  @Override
  public void idle(PgConnection pg) throws SQLException {
    sweep.quiet(pg);
  }

  private void token(PgConnection pg, List<PendingRequest<Integer, Long>> asked)
      throws SQLException {
    PreparedStatement statement = pg.prepare(tokenSql);
    statement.setInt(1, asked.size());
    try (ResultSet answer = statement.executeQuery()) {
      for (PendingRequest<Integer, Long> one : asked) {
        answer.next();
        one.answer(answer.getLong(1));
      }
    }
  }

  private void alive(
      PgConnection pg, List<PendingRequest<List<RowTransaction>, Set<RowTransaction>>> asked)
      throws SQLException {
    for (PendingRequest<List<RowTransaction>, Set<RowTransaction>> one : asked) {
      List<RowTransaction> transactions = new ArrayList<>(one.request());
      PreparedStatement statement = pg.prepare(aliveSql);
      statement.setObject(
          1, transactions.stream().mapToInt(held -> held.identity().process()).toArray());
      statement.setObject(
          2, transactions.stream().mapToLong(held -> held.identity().startedMicros()).toArray());
      statement.setObject(
          3, transactions.stream().mapToLong(RowTransaction::begunMicros).toArray());
      Set<RowTransaction> found = new HashSet<>();
      try (ResultSet answer = statement.executeQuery()) {
        while (answer.next()) {
          found.add(transactions.get(answer.getInt(1) - 1));
        }
      }
      one.answer(found);
    }
    // A client that holds leases may be asked too often ever to be idle.
    sweep.idle(pg);
  }

  private void end(PgConnection pg, List<PendingRequest<PgConnection.Identity, Boolean>> asked)
      throws SQLException {
    for (PendingRequest<PgConnection.Identity, Boolean> one : asked) {
      one.answer(abandoned.isGone(pg, one.request()));
    }
  }

  private void mark(PgConnection pg, List<PendingRequest<RowWait, Boolean>> asked)
      throws SQLException {
    List<RowWait> missing = each(asked, wait -> !wait.isMarkedIn(pg));
    if (!missing.isEmpty()) {
      try (ResultSet answer = ask(pg, markSql, missing)) {
        while (answer.next()) {
          if (answer.getBoolean(2)) {
            missing.get(answer.getInt(1) - 1).marked(pg);
          }
        }
      } catch (SQLException e) {
        // It may have made some.
        PgFailures.undo(e, () -> ask(pg, unmarkSql, missing).close());
        throw e;
      }
    }
    asked.forEach(one -> one.answer(one.request().isMarkedIn(pg)));
  }

  private void unmark(PgConnection pg, List<PendingRequest<RowWait, Boolean>> asked)
      throws SQLException {
    List<RowWait> made = each(asked, wait -> wait.isMarkedIn(pg));
    if (!made.isEmpty()) {
      ask(pg, unmarkSql, made).close();
      made.forEach(RowWait::unmarked);
    }
    asked.forEach(one -> one.answer(true));
  }

  private void made(PgConnection pg, List<PendingRequest<String, Boolean>> asked)
      throws SQLException {
    asked.forEach(one -> one.answer(true));
    sweep.used(pg, asked.size());
  }

  /** Each once: a session has a shared lock as often as it has asked for it. */
  private static List<RowWait> each(
      List<PendingRequest<RowWait, Boolean>> asked, Predicate<RowWait> which) {
    return asked.stream().map(PendingRequest::request).distinct().filter(which).toList();
  }

  private static ResultSet ask(PgConnection pg, String sql, List<RowWait> waits)
      throws SQLException {
    PreparedStatement statement = pg.prepare(sql);
    statement.setObject(1, waits.stream().mapToInt(wait -> wait.key().high()).toArray());
    statement.setObject(2, waits.stream().mapToInt(wait -> wait.key().low()).toArray());
    statement.setString(3, pg.sessionMark());
    ResultSet answer = statement.executeQuery();
    if (!answer.isBeforeFirst()) {
      answer.close();
      throw PgConnection.othersAnswer();
    }
    return answer;
  }
}
