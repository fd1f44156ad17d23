/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.table;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.health.HealthCheck;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.postgres.admin.PostgresHealthCheck;
import io.holdfast.lock.postgres.admin.PostgresInspection;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.session.ConnectionWorker;
import io.holdfast.lock.postgres.session.NotificationListener;
import io.holdfast.lock.postgres.session.UnusedRowSweeper;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A row for each lock, with its owner and its end by the server's clock. One statement takes rows
 * that are free or over, one prolongs, one frees; each for all requests that have gathered in the
 * {@link ConnectionWorker}. A second connection listens for wake-ups.
 *
 * <p><b>Token.</b> Drawn from a sequence while the row is locked, so that it is greater than the
 * last owner's. The row of a free lock stays for a minute, longer than a statement may take: the
 * number of a row that is new was drawn before, and nobody may have had the lock since. {@link
 * UnusedRowSweeper} removes it then.
 *
 * <p><b>Shares.</b> Permits of a name that several may have are rows of another table, one for each
 * owner that holds or waits; the name's own row says how many there are, and is locked first
 * ({@link ShareStatements}). What waits keeps its place for some seconds after it last asked.
 *
 * <p><b>Validity.</b> The time to live, from before the request.
 *
 * <p><b>Loss.</b> A connection that is cut loses nothing; the next one renews. An administrator who
 * takes the row away or clears its owner takes the lock, and the next renewal tells.
 *
 * <p><b>Unknown outcomes.</b> Release frees the row by its owner id, and is only done when a
 * session that was given up with an attempt in it has gone from the server, so that nothing can
 * follow. A renewal without an answer does not: the server has told its session to end before the
 * next one is used, and what had begun before keeps the row locked, so the release waits for it. An
 * attempt may be about to commit a row that the release cannot see.
 *
 * <p><b>What cannot be promised.</b> The server's wall clock ends leases: when it is set forward, a
 * lock is given away early, and only the token protects.
 */
public final class TableBackend implements LockBackend<TableClaim>, HealthCheck {

  public static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.Fencing.WHILE_DATA_LASTS,
          Capabilities.Lifetime.TTL,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
          Capabilities.Scope.LEASE,
          Capabilities.Survival.NOTHING,
          Capabilities.Inspection.OWNER_AND_TOKEN,
          Capabilities.Retention.SERVER,
          Capabilities.Sharing.PERMITS);

  public static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(2);

  private final PostgresConfig config;
  private final TableWorker locks;
  private final LockInspection inspection;
  private final NotificationListener notifications;

  private TableBackend(ConnectionFactory connector) {
    this.config = connector.config();
    String channel = NotificationListener.channel("table", config.schema(), config.namespace());
    this.notifications = NotificationListener.open(connector, channel);
    try {
      this.locks = new TableWorker(connector, notifications, channel);
      this.inspection =
          new TableInspection(
              new PostgresInspection(locks.connection(), config, "table", channel), locks);
    } catch (RuntimeException e) {
      notifications.close();
      throw e;
    }
  }

  /** Connects and checks, and leaves nothing open if that fails. */
  public static TableBackend open(PostgresConfig config) {
    return new TableBackend(new ConnectionFactory(config));
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Duration operationTimeout() {
    return config.commandTimeout();
  }

  @Override
  public TableClaim claim(ClaimRequest request, ClaimSignals signals) {
    AdvisoryKey key = AdvisoryKey.of("table", config.namespace(), request.lockName());
    return new TableClaim(locks, request, signals, key);
  }

  /** One statement, which keeps the rows that it has locked until it has decided all. */
  @Override
  public boolean decidesTogether() {
    return true;
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<TableClaim>> requests) {
    List<RenewalRequest<TableClaim>> shared =
        requests.stream().filter(request -> request.claim().isShared()).toList();
    if (shared.isEmpty() || shared.size() == requests.size()) {
      return renewAlike(requests);
    }
    List<RenewalRequest<TableClaim>> plain =
        requests.stream().filter(request -> !request.claim().isShared()).toList();
    return answered(plain)
        .thenCombine(
            answered(shared),
            (ofLocks, ofShares) -> {
              Iterator<RenewalAnswer> nextOfLocks = ofLocks.iterator();
              Iterator<RenewalAnswer> nextOfShares = ofShares.iterator();
              return requests.stream()
                  .map(request -> (request.claim().isShared() ? nextOfShares : nextOfLocks).next())
                  .toList();
            });
  }

  /** A failure of these leaves the answers to others as they are. */
  private CompletionStage<List<RenewalAnswer>> answered(List<RenewalRequest<TableClaim>> alike) {
    return renewAlike(alike)
        .exceptionally(
            failure ->
                Collections.nCopies(
                    alike.size(),
                    new RenewalAnswer.Unknown(PgFailures.typed("Renewing", failure))));
  }

  private CompletionStage<List<RenewalAnswer>> renewAlike(List<RenewalRequest<TableClaim>> alike) {
    return locks
        .renew(alike)
        .thenApply(
            renewed -> {
              List<RenewalAnswer> answers = new ArrayList<>(alike.size());
              for (RenewalRequest<TableClaim> request : alike) {
                answers.add(answer(renewed, request));
              }
              return answers;
            });
  }

  private static RenewalAnswer answer(
      TableWorker.Renewed renewed, RenewalRequest<TableClaim> request) {
    TableClaim claim = request.claim();
    if (renewed.unknown().contains(claim)) {
      return new RenewalAnswer.Unknown(LockedRows.unavailable(claim));
    }
    return renewed.ours().contains(claim)
        ? new RenewalAnswer.Extended(request.ttl())
        : new RenewalAnswer.Lost(LossReason.REVOKED);
  }

  @Override
  public CompletionStage<List<ServerReport>> examine(Duration ttl) {
    return PostgresHealthCheck.of(locks.connection(), config, CAPABILITIES, ttl);
  }

  @Override
  public Optional<LockInspection> inspection() {
    return Optional.of(inspection);
  }

  @Override
  public void close() {
    locks.connection().close();
    notifications.close();
  }
}
