/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.row;

import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
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
import java.util.function.Supplier;

/**
 * What is asked about transactions, beside them: tokens, whether they are still open, and that they
 * end. So no question of ours comes between the statements of a holder.
 */
final class RowWorker implements ConnectionWorker.Owner {

  private final PostgresConfig config;
  private final SchemaSetup schemaSetup;
  private final AbandonedSessions abandoned;
  private final String tokenSql;
  private final String aliveSql;
  private final UnusedRowSweeper sweep;
  private final ConnectionWorker.Kind<PgConnection.Identity, Boolean> end =
      ConnectionWorker.kind(0, this::end);
  private final ConnectionWorker.Kind<List<RowTransaction>, Set<RowTransaction>> alive =
      ConnectionWorker.kind(1, this::alive);
  private final ConnectionWorker.Kind<Integer, Long> token = ConnectionWorker.kind(2, this::token);
  private final Runnable doubted;
  private final ConnectionWorker connection;

  /**
   * Connects.
   *
   * @param doubted run, on the worker's thread, whenever the connections beside it may have ended:
   *     it has ended itself, could not be had again, or has been made
   */
  RowWorker(ConnectionFactory connector, Runnable doubted) {
    this.config = connector.config();
    this.doubted = doubted;
    Schema schema = config.schema();
    this.schemaSetup = new SchemaSetup(config);
    this.abandoned = new AbandonedSessions(config);
    this.tokenSql = schema.statement("row/token.sql");
    this.aliveSql = schema.statement("row/alive.sql");
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

  ConnectionWorker connection() {
    return connection;
  }

  @Override
  public void opened(PgConnection pg) throws SQLException {
    doubted.run();
    schemaSetup.prepare(pg, config.create());
  }

  @Override
  public void lost(PgConnection pg) {
    doubted.run();
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
    sweep.used(pg, asked.size());
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
  }

  private void end(PgConnection pg, List<PendingRequest<PgConnection.Identity, Boolean>> asked)
      throws SQLException {
    for (PendingRequest<PgConnection.Identity, Boolean> one : asked) {
      one.answer(abandoned.isGone(pg, one.request()));
    }
  }
}
