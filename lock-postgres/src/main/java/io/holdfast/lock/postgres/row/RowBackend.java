/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.row;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.health.HealthCheck;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.postgres.admin.PostgresHealthCheck;
import io.holdfast.lock.postgres.admin.PostgresInspection;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.ConnectionSource;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PgFailures;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.session.NotificationListener;
import io.holdfast.lock.postgres.transaction.LeasedConnection;
import io.holdfast.lock.postgres.transaction.RowTransaction;
import io.holdfast.lock.postgres.transaction.RowTransactions;
import io.holdfast.lock.postgres.transaction.TransactionPool;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A transaction for each lease, which has a row locked. The holder works on the connection of the
 * lease: what it writes there is committed with the release, and rolled back when the lease is
 * lost, or closed without release, or its holder dies.
 *
 * <p><b>Token.</b> Drawn from a sequence after the row was locked, by the same statement. Over
 * another connection where what the transaction draws may be lost in a crash of the server.
 *
 * <p><b>Waiting.</b> A claim that is refused leaves a mark at the server, and asks again; a release
 * notifies if it finds a mark ({@link RowWait}).
 *
 * <p><b>Validity.</b> Whether the transaction is still open is asked over another connection, so
 * that no question of ours comes between the holder's statements. The server's kernel gives up a
 * connection whose other end has vanished when it has heard nothing on it for the session time-out,
 * and it may have heard nothing for as long as it waits before it probes. So each answer is good
 * for nine tenths of the session time-out less that wait. If the connection of a lease falls
 * silent, and the client's other one does not, the server may free the row up to a renewal earlier
 * than the holder learns of it.
 *
 * <p><b>Loss.</b> A connection that ends takes its transaction with it. That is found at the next
 * renewal; when the holder's own call meets it; and within {@code 50 ms} if the connection beside
 * it ends as well, as with a server that stops: every holder's is asked then, and again with each
 * try to connect anew, before a server that starts again has let others in; one that stops may let
 * those in whom it has not ended yet. Statements of the holder on the connection fail at once, and
 * nothing that it wrote there remains. An error on a connection that stands is no end of it, though
 * pools take some for one. For what it writes elsewhere, there is the token. A release commits if
 * the transaction is still the one that locked the row, and rolls back otherwise.
 *
 * <p><b>Statements of the holder.</b> One that fails aborts no more than what was done since a
 * savepoint that follows the grant: the row stays locked, and the lease valid; but a release then
 * commits nothing, and says so. One that ends the transaction is refused, or found out by the
 * server's answer to it, and told as a loss before the holder's call returns ({@link
 * LeasedConnection}, {@link RowTransaction}). The transaction is READ COMMITTED: its holder sees
 * what the holder before it committed.
 *
 * <p><b>Unknown outcomes.</b> When the answer to a commit is lost, the session is terminated, and
 * the release is done when it is gone; whether the commit came before that is not known.
 *
 * <p><b>What cannot be promised.</b> There is no time to live: a suspended holder keeps the lock
 * for as long as its host keeps the connection.
 */
public final class RowBackend implements LockBackend<RowClaim>, HealthCheck {

  public static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.Fencing.WHILE_DATA_LASTS,
          Capabilities.Lifetime.TRANSACTION,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_MONOTONIC,
          Capabilities.Scope.TRANSACTION,
          Capabilities.Survival.NOTHING,
          Capabilities.Inspection.SESSION,
          Capabilities.Retention.NONE,
          Capabilities.Sharing.NONE);

  public static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);

  private final PostgresConfig config;
  private final RowWorker worker;
  private final LockInspection inspection;
  private final NotificationListener notifications;
  private final RowTransactions transactions;
  private final Runnable closePool;
  private final RowThreads threads;
  private final Set<RowClaim> holding = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private RowBackend(ConnectionFactory connector, DataSource pool, int size, Runnable closePool) {
    this.config = connector.config();
    this.closePool = closePool;
    String channel = NotificationListener.channel("row", config.schema(), config.namespace());
    this.threads = new RowThreads(size, config.commandTimeout());
    this.notifications = NotificationListener.open(connector, channel);
    try {
      this.worker = new RowWorker(connector, () -> threads.lookAt(holding), notifications::wakeAll);
    } catch (RuntimeException e) {
      notifications.close();
      throw e;
    }
    this.transactions = new RowTransactions(pool, connector, channel, worker::made);
    this.inspection = new PostgresInspection(worker.connection(), config, "row", channel);
  }

  /** On a pool of its own. Connects and checks, and leaves nothing open if that fails. */
  public static RowBackend open(PostgresConfig config, ConnectionSource.Own source, int size) {
    HikariDataSource pool;
    try {
      pool = TransactionPool.open(source, size, config.commandTimeout());
    } catch (SQLException | IllegalArgumentException e) {
      throw PgFailures.typed("Connecting to " + source.describe(), e);
    }
    try {
      return new RowBackend(new ConnectionFactory(config), pool, size, pool::close);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  /** On a pool that is there already. */
  public static RowBackend open(PostgresConfig config, DataSource pool, int size) {
    return new RowBackend(new ConnectionFactory(config), pool, size, () -> {});
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
  public RowClaim claim(ClaimRequest request, ClaimSignals signals) {
    AdvisoryKey key = AdvisoryKey.of("row", config.namespace(), request.lockName());
    return new RowClaim(this, request, signals, key);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<RowClaim>> requests) {
    List<RowTransaction> held =
        requests.stream()
            .map(request -> request.claim().transaction())
            .filter(Objects::nonNull)
            .toList();
    return worker.alive(held).thenApply(alive -> answers(requests, alive));
  }

  private List<RenewalAnswer> answers(
      List<RenewalRequest<RowClaim>> requests, Set<RowTransaction> alive) {
    List<RenewalAnswer> answers = new ArrayList<>(requests.size());
    for (RenewalRequest<RowClaim> request : requests) {
      RowTransaction transaction = request.claim().transaction();
      answers.add(
          transaction != null && alive.contains(transaction)
              ? new RenewalAnswer.Extended(leaseTime())
              : new RenewalAnswer.Lost(LossReason.SESSION_ENDED));
    }
    return answers;
  }

  Duration leaseTime() {
    return config.sessionTimeout().minus(config.probeInterval()).multipliedBy(9).dividedBy(10);
  }

  /** The present session of the client's other connection. */
  @Nullable PgConnection workerSession() {
    return worker.present();
  }

  /** From now on until it leaves, its connection is looked at when it may have ended. */
  void holds(RowClaim claim) {
    holding.add(claim);
  }

  void leaves(RowClaim claim) {
    holding.remove(claim);
  }

  /** How long a release waits for the holder's last statement. */
  Duration patience() {
    return config.commandTimeout().dividedBy(2);
  }

  RowThreads threads() {
    return threads;
  }

  RowTransactions transactions() {
    return transactions;
  }

  /** For a claim that may wait. */
  RowWait waiting(AdvisoryKey key, ClaimSignals signals) {
    return new RowWait(notifications, worker, key, signals);
  }

  /** A token; waits for it. */
  long token(Supplier<String> operation) {
    return joined(worker.token(operation));
  }

  /** Whether the server has a transaction still open; true if it does not answer. */
  boolean isOpen(RowTransaction transaction) {
    try {
      return joined(worker.alive(List.of(transaction))).contains(transaction);
    } catch (LockException e) {
      // The next renewal asks again.
      return true;
    }
  }

  /** Has the server end a session, and waits until it has. */
  void endSession(RowTransaction transaction, Supplier<String> operation) {
    if (!joined(worker.end(transaction, operation))) {
      throw new LockUnavailableException(
          operation.get() + ": the server has not ended its transaction yet");
    }
  }

  private static <T> T joined(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw PgFailures.typed("Asking PostgreSQL", e);
    }
  }

  /** For an attempt: refuses it after the end. */
  void ensureOpen() {
    if (closed) {
      throw new LockUnavailableException("the lock client is closed");
    }
  }

  @Override
  public CompletionStage<List<ServerReport>> examine(Duration ttl) {
    return PostgresHealthCheck.of(worker.connection(), config, CAPABILITIES, ttl);
  }

  @Override
  public Optional<LockInspection> inspection() {
    return Optional.of(inspection);
  }

  @Override
  public void close() {
    closed = true;
    boolean interrupted = threads.close();
    notifications.close();
    worker.connection().close();
    closePool.run();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
