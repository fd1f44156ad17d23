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
import io.holdfast.lock.zookeeper.admin.ServerVersions;
import io.holdfast.lock.zookeeper.admin.ZooKeeperHealthCheck;
import io.holdfast.lock.zookeeper.admin.ZooKeeperInspection;
import io.holdfast.lock.zookeeper.client.ZooKeeperFailures;
import io.holdfast.lock.zookeeper.lock.ZooKeeperClaim;
import io.holdfast.lock.zookeeper.session.SessionRequests;
import io.holdfast.lock.zookeeper.session.ZooKeeperSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
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

  private final SessionRequests requests;
  private final Runnable onClose;

  /**
   * A backend on a Curator client.
   *
   * @param onClose ends what was opened for this backend
   */
  ZooKeeperBackend(SessionRequests requests, Runnable onClose) {
    this.requests = requests;
    this.onClose = onClose;
  }

  @Override
  public Capabilities capabilities() {
    return ZooKeeperLockProvider.CAPABILITIES;
  }

  @Override
  public Duration operationTimeout() {
    return requests.timeout();
  }

  @Override
  public ZooKeeperClaim claim(ClaimRequest request, ClaimSignals signals) {
    return new ZooKeeperClaim(requests, request, signals);
  }

  @Override
  public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<ZooKeeperClaim>> due) {
    Supplier<String> operation = () -> "Renewing " + due.size() + " lock(s)";
    ZooKeeperSession now;
    try {
      now = requests.sessions().connected(operation);
    } catch (LockException e) {
      return CompletableFuture.completedFuture(answers(due, null, e));
    }
    now.shortened();
    due.forEach(request -> request.claim().watch(now));
    return requests
        .inTime(now.prove(requests.paths().base()), operation)
        .handle(
            (proven, failure) ->
                failure == null
                    ? answers(due, now, null)
                    : answers(due, null, ZooKeeperFailures.typed(operation.get(), failure)));
  }

  private static List<RenewalAnswer> answers(
      List<RenewalRequest<ZooKeeperClaim>> due,
      @Nullable ZooKeeperSession proven,
      @Nullable LockException failure) {
    List<RenewalAnswer> answers = new ArrayList<>(due.size());
    for (RenewalRequest<ZooKeeperClaim> request : due) {
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
        ServerVersions.of(requests.sessions().plainServers(), requests.timeout().dividedBy(2));
    return requests.ask(
        "Checking ZooKeeper",
        now ->
            now.config()
                .thenApply(Optional::of)
                .exceptionallyCompose(
                    failure ->
                        ZooKeeperFailures.isRefusal(failure)
                            ? CompletableFuture.completedFuture(Optional.empty())
                            : CompletableFuture.failedFuture(failure))
                .thenApply(
                    read -> ZooKeeperHealthCheck.report(read, now.timeout(), ttl, requests.acl()))
                .thenCombine(servers, ZooKeeperHealthCheck::together));
  }

  @Override
  public Optional<LockInspection> inspection() {
    return Optional.of(new ZooKeeperInspection(requests));
  }

  @Override
  public void close() {
    requests.sessions().close();
    onClose.run();
  }
}
