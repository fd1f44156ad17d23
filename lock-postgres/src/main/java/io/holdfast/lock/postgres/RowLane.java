/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.ServerReport;
import io.holdfast.lock.spi.LockInspection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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
final class RowLane implements Lane.Owner {

  private final PostgresConfig config;
  private final Preparation preparation;
  private final Predecessors predecessors;
  private final String tokenSql;
  private final String aliveSql;
  private final Sweep sweep;
  private final Lane.Kind<Wire.Identity, Boolean> end = Lane.kind(0, this::end);
  private final Lane.Kind<List<Tenure>, Set<Tenure>> alive = Lane.kind(1, this::alive);
  private final Lane.Kind<Integer, Long> token = Lane.kind(2, this::token);
  private final Runnable doubted;
  private final Lane lane;

  /**
   * Connects.
   *
   * @param doubted run, on the lane's thread, whenever the connections beside it may have ended: it
   *     has ended itself, could not be had again, or has been made
   */
  RowLane(Connector connector, Runnable doubted) {
    this.config = connector.config();
    this.doubted = doubted;
    Schema schema = config.schema();
    this.preparation = new Preparation(schema);
    this.predecessors = new Predecessors(config);
    this.tokenSql = schema.statement("row-token.sql");
    this.aliveSql = schema.statement("row-alive.sql");
    this.sweep = new Sweep(schema.statement("row-forget.sql"), Optional.of(config.namespace()));
    this.lane = Lane.open(connector, config.commandTimeout(), "rows", this);
  }

  /** A token, greater than every one that was drawn before this was called. */
  CompletableFuture<Long> token(Supplier<String> doing) {
    return lane.ask(token, 1, doing);
  }

  /** Those of the transactions that are still open. */
  CompletableFuture<Set<Tenure>> alive(List<Tenure> tenures) {
    return lane.ask(alive, tenures, () -> "Renewing " + tenures.size() + " lock(s)");
  }

  /** Has the server end a session; answers whether it has. */
  CompletableFuture<Boolean> end(Tenure tenure, Supplier<String> doing) {
    return lane.ask(end, tenure.identity(), doing);
  }

  CompletableFuture<List<ServerReport>> examine(Duration ttl) {
    return Examination.of(lane, config, RowLockProvider.CAPABILITIES, ttl);
  }

  /**
   * What is asked about locks.
   *
   * @param channel on which releases are told
   */
  LockInspection inspection(String channel) {
    return new PostgresInspection(lane, config, "row", channel);
  }

  void close() {
    lane.close();
  }

  @Override
  public void opened(Wire wire) throws SQLException {
    doubted.run();
    preparation.prepare(wire, config.create());
  }

  @Override
  public void lost(Wire wire) {
    doubted.run();
  }

  /** A process of the server that crashed ends before the server has ended the others. */
  @Override
  public void refused() {
    doubted.run();
  }

  @Override
  public void idle(Wire wire) throws SQLException {
    sweep.quiet(wire);
  }

  private void token(Wire wire, List<Asked<Integer, Long>> asked) throws SQLException {
    PreparedStatement statement = wire.prepare(tokenSql);
    statement.setInt(1, asked.size());
    try (ResultSet answer = statement.executeQuery()) {
      for (Asked<Integer, Long> one : asked) {
        answer.next();
        one.answer(answer.getLong(1));
      }
    }
    sweep.used(wire, asked.size());
  }

  private void alive(Wire wire, List<Asked<List<Tenure>, Set<Tenure>>> asked) throws SQLException {
    for (Asked<List<Tenure>, Set<Tenure>> one : asked) {
      List<Tenure> tenures = new ArrayList<>(one.request());
      PreparedStatement statement = wire.prepare(aliveSql);
      statement.setObject(
          1, tenures.stream().mapToInt(tenure -> tenure.identity().process()).toArray());
      statement.setObject(
          2, tenures.stream().mapToLong(tenure -> tenure.identity().startedMicros()).toArray());
      statement.setObject(3, tenures.stream().mapToLong(Tenure::begunMicros).toArray());
      Set<Tenure> found = new HashSet<>();
      try (ResultSet answer = statement.executeQuery()) {
        while (answer.next()) {
          found.add(tenures.get(answer.getInt(1) - 1));
        }
      }
      one.answer(found);
    }
  }

  private void end(Wire wire, List<Asked<Wire.Identity, Boolean>> asked) throws SQLException {
    for (Asked<Wire.Identity, Boolean> one : asked) {
      one.answer(predecessors.isGone(wire, one.request()));
    }
  }
}
