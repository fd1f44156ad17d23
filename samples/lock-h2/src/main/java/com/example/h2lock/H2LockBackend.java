/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package com.example.h2lock;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.support.BlockingSteps;
import io.holdfast.lock.Capabilities;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * A row for each lock that was ever asked for, with its owner and its end by the server's clock.
 * One statement takes a row that is free or over, one prolongs, one frees; each compares the owner.
 *
 * <p><b>Token.</b> One more than the last of the row, and no less than the server's clock in
 * microseconds: a server that crashes has lost what it was told in the last half second.
 *
 * <p><b>Unknown outcomes.</b> After any failure the connection is given up, and the next one is
 * used when the server has ended the session of the last ({@link H2Connection}). So what a release
 * finds there is final.
 *
 * <p><b>What cannot be promised.</b> The server's wall clock ends leases: when it is set forward, a
 * lock is given away early, and only the token protects.
 */
final class H2LockBackend implements LockBackend<H2Claim> {

  /** A step of a claim. */
  interface Step<T> {
    T take(H2Connection connection) throws SQLException;
  }

  private static final int MOST_TRIES = 3;

  private static final List<String> SCHEMA =
      List.of(
          "CREATE TABLE IF NOT EXISTS HOLDFAST_LOCK (NAMESPACE VARCHAR(64), NAME VARCHAR(512),"
              + " OWNER VARCHAR(256), TOKEN BIGINT, ENDS TIMESTAMP(9) WITH TIME ZONE,"
              + " PRIMARY KEY (NAMESPACE, NAME))",
          "CREATE INDEX IF NOT EXISTS HOLDFAST_OWNER ON HOLDFAST_LOCK (OWNER)");

  static final String RENEW =
      "SELECT OWNER FROM FINAL TABLE (UPDATE HOLDFAST_LOCK"
          + " SET ENDS = GREATEST(ENDS, DATEADD(MILLISECOND, ?, CURRENT_TIMESTAMP(9)))"
          + " WHERE NAMESPACE = ? AND OWNER = ANY(?) AND ENDS > CURRENT_TIMESTAMP(9))";

  final String namespace;
  private final H2Connection connection;
  private final Duration timeout;
  private final BlockingSteps steps;

  private H2LockBackend(H2Connection connection, String namespace, Duration timeout) {
    this.connection = connection;
    this.namespace = namespace;
    this.timeout = timeout;
    // The driver has a time-out of its own (NETWORK_TIMEOUT), so there is nothing to give up.
    this.steps = new BlockingSteps("h2-lock", timeout, this::typed, () -> {});
  }

  static H2LockBackend open(H2Connection connection, String namespace, Duration timeout) {
    H2LockBackend backend = new H2LockBackend(connection, namespace, timeout);
    // On this thread, as no other uses the connection yet: connecting may take several time-outs.
    for (int tries = 1; ; tries++) {
      try {
        for (String sql : SCHEMA) {
          connection.execute(sql);
        }
        connection.prepared(RENEW);
        return backend;
      } catch (SQLException e) {
        connection.close();
        // Two clients that make a table at the same time disturb each other.
        if (tries == MOST_TRIES) {
          throw backend.typed("Opening " + connection.url(), e);
        }
      }
    }
  }

  private LockException typed(String doing, Throwable failure) {
    // Wrong user or password, and rights that are missing.
    boolean refused =
        failure instanceof SQLException sql
            && ("28000".equals(sql.getSQLState()) || sql.getErrorCode() == 90040);
    return refused
        ? new LockRejectedException(
            doing + " failed: H2 refused the user or password, or it is no administrator", failure)
        : new LockUnavailableException(
            "%s failed: H2 at %s says '%s'"
                .formatted(doing, connection.url(), failure.getMessage()),
            failure);
  }

  <T> CompletionStage<T> ask(String doing, Step<T> step) {
    return steps.ask(
        doing,
        () -> {
          try {
            return step.take(connection);
          } catch (SQLException | RuntimeException e) {
            connection.giveUp();
            throw e;
          }
        });
  }

  @Override
  public Capabilities capabilities() {
    return H2LockProvider.PROMISES;
  }

  @Override
  public Duration operationTimeout() {
    return timeout;
  }

  @Override
  public H2Claim claim(ClaimRequest request, ClaimSignals signals) {
    return new H2Claim(this, request);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<H2Claim>> requests) {
    return ask(
        "Renewing " + requests.size() + " lock(s)",
        on -> {
          Map<Duration, List<H2Claim>> byTtl =
              requests.stream()
                  .collect(
                      Collectors.groupingBy(
                          RenewalRequest::ttl,
                          Collectors.mapping(RenewalRequest::claim, Collectors.toList())));
          Set<String> renewed = new HashSet<>();
          for (Map.Entry<Duration, List<H2Claim>> alike : byTtl.entrySet()) {
            renewed.addAll(renew(on, alike.getKey(), alike.getValue()));
          }
          return requests.stream()
              .map(
                  request ->
                      renewed.contains(request.claim().ownerId())
                          ? new RenewalAnswer.Extended(request.ttl())
                          : (RenewalAnswer) new RenewalAnswer.Lost(LossReason.REVOKED))
              .toList();
        });
  }

  private Set<String> renew(H2Connection on, Duration ttl, List<H2Claim> claims)
      throws SQLException {
    PreparedStatement renew = on.prepared(RENEW);
    renew.setLong(1, ttl.toMillis());
    renew.setString(2, namespace);
    renew.setObject(3, claims.stream().map(H2Claim::ownerId).toArray());
    Set<String> renewed = new HashSet<>();
    try (ResultSet answer = renew.executeQuery()) {
      while (answer.next()) {
        renewed.add(answer.getString(1));
      }
    }
    return renewed;
  }

  @Override
  public void close() {
    steps.ask(
        "Closing",
        () -> {
          connection.close();
          return true;
        });
    steps.close();
  }
}
