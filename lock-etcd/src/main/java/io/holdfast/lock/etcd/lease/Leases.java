/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.grpc.Deadline;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.etcd.client.EtcdConnection;
import io.holdfast.lock.etcd.client.EtcdFailures;
import io.holdfast.lock.etcd.client.KeepAlives;
import io.holdfast.lock.etcd.client.Member;
import io.holdfast.lock.spi.support.Batcher;
import io.holdfast.lock.spi.support.Failures;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The leases of a client at etcd: grants, keeps alive and revokes them.
 *
 * <p>Each claim has a lease of its own, so that a put which arrives late can be made void by
 * revoking it. A claim's lease is granted for a little longer than the TTL, and a few are kept in
 * stock ({@link LeasePool}), so that an acquisition need not wait for one, and still has the full
 * TTL before it.
 *
 * <p><b>What an answer proves.</b> A leader keeps leases alive, and revokes those that are over, by
 * itself. One that was deposed without knowing may keep a lease alive in vain, and it may revoke
 * one that its successor keeps alive: etcd carries out the revocation, as it does any member's. So
 * the time of a lease counts from its grant, and from a later keep-alive only within the term in
 * which it was granted ({@link RenewalProof}). When the term has changed, a key has to hang on a
 * lease of the new term, which no deposed leader counts down.
 */
public final class Leases {

  private static final Duration LEAST_SLACK = Duration.ofMillis(500);
  private static final int SLACK_PART = 10;

  /** Two, so that of two callers none waits for the other. */
  private static final int MOST_UNDER_WAY = 2;

  /** A lease, and what completes when all are there that are taken together with it. */
  private record Taking(CompletableFuture<ServerLease> lease, CompletableFuture<Void> all) {}

  private final EtcdConnection link;
  private final RangeRequest question;
  private final Consumer<List<Taking>> awaitAll = Leases::awaitAll;
  private final KeepAlives keepAlives;
  private final TimeSource time;
  private final ConcurrentHashMap<Long, LeasePool> pools = new ConcurrentHashMap<>();
  private final Batcher<Deadline, ResponseHeader> proofs =
      new Batcher<>(Integer.MAX_VALUE, MOST_UNDER_WAY, this::proveForAll);

  /** The last that an answer named; 0 before the first. */
  private volatile long term;

  /**
   * No lease yet.
   *
   * @param probe a key that we may read, and that nobody writes
   */
  public Leases(EtcdConnection link, ByteString probe, TimeSource time) {
    this.link = link;
    this.question = RangeRequest.newBuilder().setKey(probe).setKeysOnly(true).build();
    this.time = time;
    this.keepAlives = new KeepAlives(link, time);
  }

  /** The TTL to ask etcd for, which counts in whole seconds. */
  public static long seconds(Duration ttl) {
    Duration tenth = ttl.dividedBy(SLACK_PART);
    Duration slack = tenth.compareTo(LEAST_SLACK) > 0 ? tenth : LEAST_SLACK;
    return wholeSeconds(ttl.plus(slack));
  }

  /** Not less. */
  public static long wholeSeconds(Duration time) {
    return time.plusNanos(TimeUnit.SECONDS.toNanos(1) - 1).toSeconds();
  }

  public static Duration atMost(Duration most, Duration left) {
    return left.compareTo(most) < 0 ? left : most;
  }

  /**
   * A lease with the full TTL before it: out of stock, or granted now. Of those that are taken
   * {@link Batcher#together}, none is told before all are there or have failed; so what is asked
   * with them goes out together, too.
   */
  public CompletableFuture<ServerLease> take(Duration ttl, Deadline deadline) {
    CompletableFuture<ServerLease> lease = pool(seconds(ttl)).take(ttl, deadline);
    Taking taking = new Taking(lease, new CompletableFuture<>());
    Batcher.pass(awaitAll, taking);
    return taking.all.thenCompose(done -> lease);
  }

  private static void awaitAll(List<Taking> together) {
    CompletableFuture.allOf(together.stream().map(Taking::lease).toArray(CompletableFuture[]::new))
        .whenComplete(
            (done, failure) ->
                Batcher.together(() -> together.forEach(one -> one.all.complete(null))));
  }

  /**
   * A lease that no put can come with any more goes back into the stock, if it lives and has the
   * length of what is taken from there.
   */
  public void giveBack(ServerLease lease) {
    LeasePool pool = pools.get(lease.seconds);
    if (pool == null) {
      drop(lease);
    } else {
      pool.giveBack(lease);
    }
  }

  /** A lease that a waiter's place depends on is kept alive until told otherwise. */
  public void keepFresh(ServerLease lease) {
    pool(lease.seconds).keepFresh(lease);
  }

  public void leaveAlone(ServerLease lease) {
    LeasePool pool = pools.get(lease.seconds);
    if (pool != null) {
      pool.leaveAlone(lease);
    }
  }

  private LeasePool pool(long seconds) {
    return pools.computeIfAbsent(seconds, length -> new LeasePool(this, time, length));
  }

  public CompletableFuture<ServerLease> grant(long seconds, Deadline deadline) {
    long begun = term;
    long sentAt = time.nanos();
    return link.call(
            LeaseGrpc.getLeaseGrantMethod(),
            LeaseGrantRequest.newBuilder().setTTL(seconds).build(),
            deadline)
        .thenApply(
            answer ->
                new ServerLease(
                    answer.getID(), seconds, Duration.ofSeconds(answer.getTTL()), begun, sentAt));
  }

  /** A linearizable request was answered. */
  public void seen(ResponseHeader header) {
    term = header.getRaftTerm();
  }

  /** Whether etcd's term is still the one in which a lease was granted, as far as is known. */
  boolean isOfThisTerm(ServerLease lease) {
    return lease.term == term;
  }

  /**
   * Ends a lease. When this has completed, no key hangs on it, and none can any more: a put that
   * names it will be refused.
   *
   * @return whether it still lived
   */
  CompletableFuture<Boolean> revoke(ServerLease lease, Deadline deadline) {
    return link.call(
            LeaseGrpc.getLeaseRevokeMethod(),
            LeaseRevokeRequest.newBuilder().setID(lease.id).build(),
            deadline)
        .thenApply(answer -> true)
        .exceptionallyCompose(
            failure ->
                EtcdFailures.isLeaseNotFound(Failures.cause(failure))
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  /**
   * Ends leases, as {@link #revoke} does.
   *
   * @return whether any of them still lived
   */
  public CompletableFuture<Boolean> revokeAll(List<ServerLease> leases, Deadline deadline) {
    CompletableFuture<Boolean> any = CompletableFuture.completedFuture(false);
    for (ServerLease one : leases) {
      any = any.thenCombine(revoke(one, deadline), Boolean::logicalOr);
    }
    return any;
  }

  /** For one that nothing hangs on; if the request fails, its TTL will end it. */
  public CompletableFuture<Void> drop(ServerLease lease) {
    return revoke(lease, link.deadline()).handle((found, failure) -> null);
  }

  /** A linearizable read, and nothing else; for those that come meanwhile there is one more. */
  private CompletableFuture<ResponseHeader> prove(Deadline deadline) {
    return proofs.ask(deadline);
  }

  private CompletableFuture<List<CompletableFuture<ResponseHeader>>> proveForAll(
      List<Deadline> askers) {
    return link.call(KVGrpc.getRangeMethod(), question, Collections.max(askers))
        .thenApply(RangeResponse::getHeader)
        .thenApply(
            header -> {
              seen(header);
              return askers.stream().map(one -> CompletableFuture.completedFuture(header)).toList();
            });
  }

  /** Keeps leases alive; what that proves shows a linearizable read that is sent afterwards. */
  public RenewalProof keepAlive(List<ServerLease> leases) {
    long sentAt = time.nanos();
    List<CompletableFuture<LeaseKeepAliveResponse>> answers =
        keepAlives.ask(leases.stream().map(lease -> lease.id).toList());
    Map<ServerLease, CompletableFuture<LeaseKeepAliveResponse>> byLease = new LinkedHashMap<>();
    for (int i = 0; i < leases.size(); i++) {
      byLease.put(leases.get(i), answers.get(i));
    }
    return new RenewalProof(sentAt, byLease);
  }

  /**
   * Keeps leases alive, and proves it.
   *
   * @return what is known of each; failed if nothing is
   */
  public Map<ServerLease, CompletableFuture<RenewalProof.State>> prolong(
      List<ServerLease> leases, Deadline deadline) {
    RenewalProof kept = keepAlive(leases);
    CompletableFuture<ResponseHeader> after = kept.answered().thenCompose(done -> prove(deadline));
    return leases.stream()
        .collect(
            toMap(identity(), lease -> after.thenCompose(header -> kept.state(lease, header))));
  }

  /** The same for one. */
  public CompletableFuture<RenewalProof.State> prolong(ServerLease lease, Deadline deadline) {
    return Objects.requireNonNull(prolong(List.of(lease), deadline).get(lease));
  }

  /** The next leases are kept alive on another stream than that to a silent member. */
  public void turnFrom(Member silent) {
    keepAlives.turnFrom(silent);
  }

  EtcdConnection link() {
    return link;
  }

  /** Revokes what no claim has. */
  public CompletableFuture<Void> close() {
    return CompletableFuture.allOf(
            pools.values().stream().map(LeasePool::close).toArray(CompletableFuture[]::new))
        .whenComplete((done, failure) -> keepAlives.close());
  }
}
