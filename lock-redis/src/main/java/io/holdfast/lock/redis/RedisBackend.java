/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.Capabilities;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Locks on one Redis server. A lock is the key {@code <namespace>:<name>}, whose value is the owner
 * id and whose TTL frees it when nobody renews it (the pattern of the Redis documentation,
 * "Distributed Locks with Redis": {@code SET NX PX}, and delete only if the value is ours).
 * Programs in other languages that follow the pattern take part.
 *
 * <p><b>Token.</b> The greater of the last token plus one and the server's clock in microseconds,
 * drawn by the script that takes the lock; one counter for the namespace. It grows through idle
 * time and restarts, and also when the counter is lost, unless the server's clock has gone back by
 * more than the outage.
 *
 * <p><b>What can go wrong.</b> Expiry is decided by the server's wall clock: a step forward frees
 * locks early, while their holders still believe. A replica that is promoted may not have the
 * newest locks. A server that evicts keys may evict locks. In these three cases only the token
 * protects. A server that loses its data, or an administrator who deletes a key, is found out by
 * the next renewal.
 */
final class RedisBackend implements LockBackend {

  private static final int MOST_IN_ONE_SCRIPT = 200;
  private static final Capabilities CAPABILITIES =
      new Capabilities(
          Capabilities.Fencing.THROUGH_DATA_LOSS,
          Capabilities.Lifetime.TTL,
          Capabilities.Ordering.UNORDERED,
          Capabilities.WakeUp.MESSAGE,
          Capabilities.ExpiryClock.SERVER_WALL_CLOCK,
          Capabilities.Scope.LEASE);

  private final String namespace;
  private final Duration commandTimeout;
  private final CommandLink link;
  private final Wakeups wakeups;
  private final TimeSource time;
  private final Runnable onClose;

  RedisBackend(
      String namespace,
      Duration commandTimeout,
      CommandLink link,
      Wakeups wakeups,
      TimeSource time,
      Runnable onClose) {
    this.namespace = namespace;
    this.commandTimeout = commandTimeout;
    this.link = link;
    this.wakeups = wakeups;
    this.time = time;
    this.onClose = onClose;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  /** A release may have to wait for an attempt, and each may have to send its script once more. */
  @Override
  public Duration operationTimeout() {
    return commandTimeout.multipliedBy(4);
  }

  @Override
  public LockClaim claim(ClaimRequest request, ClaimSignals signals) {
    return new RedisClaim(this, request, signals);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest> requests) {
    if (requests.size() <= MOST_IN_ONE_SCRIPT) {
      return renewBatch(requests);
    }
    CompletableFuture<List<RenewalAnswer>> all =
        CompletableFuture.completedFuture(new ArrayList<>(requests.size()));
    for (int from = 0; from < requests.size(); from += MOST_IN_ONE_SCRIPT) {
      int to = Math.min(requests.size(), from + MOST_IN_ONE_SCRIPT);
      all =
          all.thenCombine(
              renewBatch(requests.subList(from, to)),
              (answers, more) -> {
                answers.addAll(more);
                return answers;
              });
    }
    return all;
  }

  private CompletableFuture<List<RenewalAnswer>> renewBatch(List<RenewalRequest> batch) {
    String doing = "Renewing " + batch.size() + " lock(s)";
    Line line;
    try {
      line = link.line(doing);
    } catch (LockException e) {
      return CompletableFuture.completedFuture(unknown(batch, e));
    }
    String[] keys = new String[batch.size()];
    String[] args = new String[2 * batch.size()];
    for (int i = 0; i < keys.length; i++) {
      RedisClaim claim = (RedisClaim) batch.get(i).claim();
      keys[i] = claim.key;
      args[2 * i] = claim.request.ownerId();
      args[2 * i + 1] = String.valueOf(batch.get(i).ttl().toMillis());
    }
    return Script.RENEW
        .<List<Long>>call(line.commands, keys, args)
        .thenApply(answers -> toAnswers(batch, answers))
        .exceptionallyCompose(failure -> failed(doing, line, failure))
        .exceptionally(failure -> unknown(batch, RedisFailures.typed(doing, failure)));
  }

  private static List<RenewalAnswer> toAnswers(List<RenewalRequest> batch, List<Long> answers) {
    List<RenewalAnswer> typed = new ArrayList<>(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      typed.add(
          answers.get(i) == 1
              ? new RenewalAnswer.Extended(batch.get(i).ttl())
              : new RenewalAnswer.Lost(LossReason.REVOKED));
    }
    return typed;
  }

  private static List<RenewalAnswer> unknown(List<RenewalRequest> batch, LockException failure) {
    return new ArrayList<>(
        java.util.Collections.nCopies(batch.size(), new RenewalAnswer.Unknown(failure)));
  }

  /** Types a failure, and gives its line up if it is of no use any more. */
  <T> CompletableFuture<T> failed(String doing, Line line, Throwable failure) {
    LockException typed = RedisFailures.typed(doing, failure);
    if (!(RedisFailures.cause(failure) instanceof LockException)
        && RedisFailures.endsLine(failure)) {
      link.giveUp(line, typed);
    }
    return CompletableFuture.failedFuture(typed);
  }

  @Override
  public void close() {
    wakeups.close();
    link.close();
    try {
      onClose.run();
    } finally {
      time.close();
    }
  }

  String key(String lockName) {
    return namespace + ":" + lockName;
  }

  /** No namespace has a hash sign, so no lock has this key. */
  String tokenKey() {
    return namespace + "#token";
  }

  CommandLink link() {
    return link;
  }

  Wakeups wakeups() {
    return wakeups;
  }

  TimeSource time() {
    return time;
  }
}
