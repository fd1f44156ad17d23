/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.health.HealthCheck;
import io.holdfast.lock.health.ServerReport;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import io.holdfast.lock.spi.support.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * Locks on ZooKeeper. A lock is a container node, which the server removes some time after its last
 * child has gone (it looks once a minute by default); a contender is an ephemeral sequential child
 * ({@link ZooKeeperClaim}); the first in the sequence owns the lock. Parents are never deleted from
 * here.
 *
 * <p><b>Token.</b> The czxid of the node: the number of the transaction that made it. It grows
 * through everything but the loss of the ensemble's data. Its high 32 bits count the elections of a
 * leader, so it stays below 2<sup>53</sup> for the first two million of them.
 *
 * <p><b>Validity.</b> The session keeps a lock, so a lease is worth what is left of the session:
 * counted from before the request was sent, for two thirds of the time-out that the server granted
 * (which may not be the one that was asked for). The server ends a session no sooner than one
 * time-out after it last heard of it, rounded up to its next tick. One third covers what may have
 * kept the leader from hearing of the request:
 *
 * <ul>
 *   <li>A follower reports the sessions that it heard of with the leader's ping, every half tick; a
 *       tick is at most half of a session time-out.
 *   <li>A follower dies before it has reported. Then the request before counts; an idle client
 *       sends one at least every third of the time-out. (If the client stood still before, and the
 *       follower dies within half a tick of its first request after that, only the fencing token
 *       protects.)
 *   <li>A server that is started anew with a shorter {@code maxSessionTimeout} shortens the
 *       sessions that come to it. Their leases are lost as soon as the client hears of it; for a
 *       client that is cut off in that very moment, only the fencing token protects.
 *   <li>A leader that is cut off, or that stood still while another was elected, can answer reads
 *       and {@code sync}, but no write: those need a quorum.
 * </ul>
 *
 * <p><b>Renewal.</b> The client's pings keep the session, but prove nothing: a follower that is cut
 * off answers them. One write that changes nothing does for all leases of the session, because a
 * quorum has to agree to it. A suspended connection changes nothing by itself; the validity runs
 * out on the holder's own clock, before the session can.
 */
final class ZooKeeperBackend implements LockBackend<ZooKeeperClaim>, HealthCheck {

  private final CurrentSession sessions;
  private final LockPaths paths;
  private final List<ACL> acl;
  private final Duration timeout;
  private final TimeLimit limit;
  private final Runnable onClose;

  /**
   * A backend on a Curator client.
   *
   * @param onClose ends what was opened for this backend
   */
  ZooKeeperBackend(
      CurrentSession sessions, LockPaths paths, List<ACL> acl, Duration timeout, Runnable onClose) {
    this.sessions = sessions;
    this.paths = paths;
    this.acl = acl;
    this.timeout = timeout;
    this.limit = new TimeLimit(timeout);
    this.onClose = onClose;
  }

  @Override
  public Capabilities capabilities() {
    return ZooKeeperLockProvider.CAPABILITIES;
  }

  @Override
  public Duration operationTimeout() {
    return timeout;
  }

  @Override
  public ZooKeeperClaim claim(ClaimRequest request, ClaimSignals signals) {
    return new ZooKeeperClaim(this, request, signals);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<ZooKeeperClaim>> requests) {
    Supplier<String> operation = () -> "Renewing " + requests.size() + " lock(s)";
    ZooKeeperSession now;
    try {
      now = sessions.connected(operation);
    } catch (LockException e) {
      return CompletableFuture.completedFuture(answers(requests, null, e));
    }
    now.shortened();
    requests.forEach(request -> request.claim().watch(now));
    return inTime(now.prove(paths.base()), operation)
        .handle(
            (proven, failure) ->
                failure == null
                    ? answers(requests, now, null)
                    : answers(requests, null, ZooKeeperFailures.typed(operation.get(), failure)));
  }

  private static List<RenewalAnswer> answers(
      List<RenewalRequest<ZooKeeperClaim>> requests,
      @Nullable ZooKeeperSession proven,
      @Nullable LockException failure) {
    List<RenewalAnswer> answers = new ArrayList<>(requests.size());
    for (RenewalRequest<ZooKeeperClaim> request : requests) {
      ZooKeeperClaim claim = request.claim();
      if (claim.hasLostSession()) {
        answers.add(new RenewalAnswer.Lost(LossReason.SESSION_ENDED));
      } else if (proven != null) {
        answers.add(claim.proven(proven));
      } else if (failure != null) {
        answers.add(new RenewalAnswer.Unknown(failure));
      }
    }
    return answers;
  }

  @Override
  public CompletionStage<List<ServerReport>> examine(Duration ttl) {
    CompletableFuture<List<ServerReport>> servers =
        ServerVersions.of(sessions.plainServers(), timeout.dividedBy(2));
    return ask(
        "Checking ZooKeeper",
        now ->
            now.config()
                .thenApply(Optional::of)
                .exceptionallyCompose(
                    failure ->
                        ZooKeeperFailures.isRefusal(failure)
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : CompletableFuture.failedFuture(failure))
                .thenApply(read -> ZooKeeperHealthCheck.report(read, now.timeout(), ttl, acl))
                .thenCombine(servers, ZooKeeperHealthCheck::together));
  }

  @Override
  public Optional<LockInspection> inspection() {
    return Optional.of(new ZooKeeperInspection(this));
  }

  @Override
  public void close() {
    sessions.close();
    onClose.run();
  }

  CurrentSession sessions() {
    return sessions;
  }

  LockPaths paths() {
    return paths;
  }

  List<ACL> acl() {
    return acl;
  }

  Duration leaseTime(ZooKeeperSession session) {
    return session.countedTimeout().multipliedBy(2).dividedBy(3);
  }

  /** Makes the container nodes down to a lock's own. */
  CompletableFuture<Void> createParents(ZooKeeperSession session, String lockPath) {
    // Sent together: a session's requests are carried out in order. We may lack the right to make
    // those above, and need not have it if they are there.
    CompletableFuture<?>[] above =
        paths.ancestors().stream()
            .map(ancestor -> session.createContainer(ancestor, acl))
            .toArray(CompletableFuture[]::new);
    return session
        .createContainer(lockPath, acl)
        .exceptionallyCompose(
            failure ->
                ZooKeeperFailures.isNoNode(failure)
                    ? CompletableFuture.allOf(above)
                    : CompletableFuture.failedFuture(failure));
  }

  /** A step on the session that is connected now, with the deadline, and with typed failures. */
  <T> CompletableFuture<T> ask(
      String operation, Function<ZooKeeperSession, CompletableFuture<T>> step) {
    ZooKeeperSession now;
    try {
      now = sessions.connected(() -> operation);
    } catch (LockException e) {
      return CompletableFuture.failedFuture(e);
    }
    return inTime(step.apply(now), () -> operation);
  }

  /** The same with the deadline, and with typed failures. */
  <T> CompletableFuture<T> inTime(CompletableFuture<T> step, Supplier<String> operation) {
    return limit.on(step, failure -> ZooKeeperFailures.typed(operation.get(), failure));
  }
}
