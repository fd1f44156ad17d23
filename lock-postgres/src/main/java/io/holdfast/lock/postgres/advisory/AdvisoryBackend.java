/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.advisory;

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
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Session-level advisory locks. All locks of a client are held by one session, over the connection
 * of one {@link ConnectionWorker}; requests that come together share a statement. A second
 * connection listens for wake-ups. So a client has two connections, however many locks it holds.
 *
 * <p><b>Lock.</b> A key of 64 bits from a SHA-256 of namespace and name. Two names of one key shut
 * each other out, which harms nobody's exclusion, and are refused by {@link NameRegister}.
 *
 * <p><b>Read-write locks.</b> The server's shared and exclusive locks of the same key, with another
 * one that says that readers and writers use it, and one for the turn of those who wait: {@link
 * ReadWriteLocks}. Decision 35 has the reasons.
 *
 * <p><b>Token.</b> Drawn from a sequence for each row of the statement after its grant. Not the
 * number of a transaction: it is drawn once for a statement of many grants, and before them.
 *
 * <p><b>Validity.</b> The server ends a session that has said nothing for the session time-out, and
 * begins to count after it has carried out what it heard last. So a lease is worth nine tenths of
 * that time-out, counted from before the request. The kernel of the server's host gives up a
 * connection whose other end has vanished no later (TCP keep-alive and user time-out).
 *
 * <p><b>Loss.</b> A connection that ends takes its session's locks with it, at the server in that
 * moment, and here when it is heard of: at once from the server, within {@code 50 ms}. In between
 * only the token protects: when an administrator terminates the session, when the server stops and
 * ends it before others, or when something between cuts the connection at both ends. A statement
 * that is not answered ends nothing by itself; the connection is given up when the server has been
 * silent for the whole session time-out.
 *
 * <p><b>Unknown outcomes.</b> What a session that was given up may have taken is gone when the
 * server says that the session is: the next session's first act is to have it terminated, by number
 * and start of its process. Until that is certain, a release fails and is tried again.
 *
 * <p><b>What cannot be promised.</b> Advisory locks live in the memory of one server. When a
 * standby takes over from a primary that still runs and still has its clients, both grant locks;
 * only tokens protect then, as far as the new primary has received the old one's.
 */
public final class AdvisoryBackend implements LockBackend<AdvisoryClaim>, HealthCheck {

  public static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.Fencing.WHILE_DATA_LASTS,
          Capabilities.Lifetime.CONNECTION,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_MONOTONIC,
          Capabilities.Scope.LEASE,
          Capabilities.Survival.NOTHING,
          Capabilities.Inspection.SESSION,
          Capabilities.Retention.CLIENT,
          Capabilities.Sharing.READ_WRITE);

  public static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);

  private final PostgresConfig config;
  private final AdvisoryWorker locks;
  private final LockInspection inspection;
  private final NotificationListener notifications;

  private AdvisoryBackend(ConnectionFactory connector) {
    this.config = connector.config();
    String channel = NotificationListener.channel("advisory", config.schema(), config.namespace());
    this.notifications = NotificationListener.open(connector, channel);
    try {
      this.locks = new AdvisoryWorker(connector, notifications, channel);
      this.inspection = new PostgresInspection(locks.connection(), config, "advisory", channel);
    } catch (RuntimeException e) {
      notifications.close();
      throw e;
    }
  }

  /** Connects and checks, and leaves nothing open if that fails. */
  public static AdvisoryBackend open(PostgresConfig config) {
    return new AdvisoryBackend(new ConnectionFactory(config));
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
  public AdvisoryClaim claim(ClaimRequest request, ClaimSignals signals) {
    AdvisoryKey key = AdvisoryKey.of("advisory", config.namespace(), request.lockName());
    return new AdvisoryClaim(locks, request, signals, key);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<AdvisoryClaim>> requests) {
    return locks
        .prove(requests.size())
        .handle(
            (session, failure) -> {
              List<RenewalAnswer> answers = new ArrayList<>(requests.size());
              for (RenewalRequest<AdvisoryClaim> request : requests) {
                AdvisoryClaim claim = request.claim();
                answers.add(
                    failure == null
                        ? answer(claim, session)
                        : new RenewalAnswer.Unknown(PgFailures.typed("Renewing", failure)));
              }
              return answers;
            });
  }

  private RenewalAnswer answer(AdvisoryClaim claim, AdvisorySession proven) {
    return claim.session() == proven && claim.holds()
        ? new RenewalAnswer.Extended(locks.leaseTime())
        : new RenewalAnswer.Lost(LossReason.SESSION_ENDED);
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
