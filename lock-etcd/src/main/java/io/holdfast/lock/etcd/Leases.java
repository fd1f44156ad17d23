/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

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
import io.grpc.Status;
import io.holdfast.lock.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The leases of a client at etcd: grants, keeps alive and revokes them.
 *
 * <p>Each claim has a lease of its own, so that a put which arrives late can be made void by
 * revoking it. A claim's lease is granted for a little longer than the TTL, and a few are kept in
 * stock ({@link Shelf}), so that an acquisition need not wait for one, and still has the full TTL
 * before it.
 *
 * <p><b>What an answer proves.</b> A leader keeps leases alive by itself, without a majority, and
 * one that was deposed may do so for a moment while its successor counts down. So the time of a
 * lease is counted from a request before that needed a majority, answered by the same member: no
 * later leader was elected before it was sent, and each leader gives all leases their full time
 * when it begins.
 */
final class Leases {

  private static final Duration LEAST_SLACK = Duration.ofMillis(500);
  private static final int SLACK_PART = 10;

  private final EtcdLink link;
  private final RangeRequest question;
  private final KeepAlives keepAlives;
  private final TimeSource time;
  private final ConcurrentHashMap<Long, Shelf> shelves = new ConcurrentHashMap<>();

  /**
   * No lease yet.
   *
   * @param probe a key that we may read, and that nobody writes
   */
  Leases(EtcdLink link, ByteString probe, TimeSource time) {
    this.link = link;
    this.question = RangeRequest.newBuilder().setKey(probe).setKeysOnly(true).build();
    this.time = time;
    this.keepAlives = new KeepAlives(link, time);
  }

  /** What is asked of etcd, which counts in whole seconds, for a TTL. */
  static long seconds(Duration ttl) {
    Duration tenth = ttl.dividedBy(SLACK_PART);
    Duration slack = tenth.compareTo(LEAST_SLACK) > 0 ? tenth : LEAST_SLACK;
    return ttl.plus(slack).plusNanos(TimeUnit.SECONDS.toNanos(1) - 1).toSeconds();
  }

  static Duration atMost(Duration most, Duration left) {
    return left.compareTo(most) < 0 ? left : most;
  }

  /** A lease with the full TTL before it: out of stock, or granted now. */
  CompletableFuture<ServerLease> take(Duration ttl, Deadline deadline) {
    return shelf(seconds(ttl)).take(ttl, deadline);
  }

  /** A lease that no put can come with any more goes back into the stock, if it lives. */
  void giveBack(ServerLease lease, long provenAt, ResponseHeader proof) {
    shelf(lease.seconds).giveBack(lease, provenAt, proof);
  }

  /** A lease that a waiter's place depends on is kept alive until told otherwise. */
  void keepFresh(ServerLease lease) {
    shelf(lease.seconds).keepFresh(lease);
  }

  void leaveAlone(ServerLease lease) {
    shelf(lease.seconds).leaveAlone(lease);
  }

  private Shelf shelf(long seconds) {
    return shelves.computeIfAbsent(seconds, length -> new Shelf(this, time, length));
  }

  CompletableFuture<ServerLease> grant(long seconds, Deadline deadline) {
    long sentAt = time.nanos();
    return link.call(
            LeaseGrpc.getLeaseGrantMethod(),
            LeaseGrantRequest.newBuilder().setTTL(seconds).build(),
            deadline)
        .thenApply(
            answer ->
                new ServerLease(
                    answer.getID(), seconds, Duration.ofSeconds(answer.getTTL()), sentAt));
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
                EtcdFailures.isLeaseNotFound(EtcdFailures.cause(failure))
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  /** For one that nothing hangs on; if the request fails, its TTL will end it. */
  CompletableFuture<Void> drop(ServerLease lease) {
    return revoke(lease, link.deadline()).handle((found, failure) -> null);
  }

  /** A request that needs a majority, and nothing else. */
  CompletableFuture<ResponseHeader> prove(Deadline deadline) {
    return link.call(KVGrpc.getRangeMethod(), question, deadline)
        .thenApply(RangeResponse::getHeader);
  }

  /**
   * Keeps leases alive, on the ground of a request that needed a majority and has been answered.
   *
   * @param provenAt when that request was sent
   * @param proof of its answer
   * @return for each lease whether it lives; failed if that is not known
   */
  List<CompletableFuture<Boolean>> prolong(
      List<ServerLease> leases, long provenAt, ResponseHeader proof) {
    List<CompletableFuture<LeaseKeepAliveResponse>> answers =
        keepAlives.ask(leases.stream().map(lease -> lease.id).toList());
    return IntStream.range(0, leases.size())
        .mapToObj(
            i -> answers.get(i).thenApply(answer -> lives(leases.get(i), answer, provenAt, proof)))
        .toList();
  }

  private static boolean lives(
      ServerLease lease, LeaseKeepAliveResponse answer, long provenAt, ResponseHeader proof) {
    if (answer.getTTL() <= 0) {
      return false;
    }
    if (answer.getHeader().getMemberId() != proof.getMemberId()) {
      throw Status.UNAVAILABLE
          .withDescription("two members answered where one has to")
          .asRuntimeException();
    }
    lease.provenAt(provenAt);
    return true;
  }

  /** The next leases are kept alive on another stream than that to a silent member. */
  void turnFrom(Member silent) {
    keepAlives.turnFrom(silent);
  }

  EtcdLink link() {
    return link;
  }

  /** Revokes what no claim has. */
  CompletableFuture<Void> close() {
    return CompletableFuture.allOf(
            shelves.values().stream().map(Shelf::close).toArray(CompletableFuture[]::new))
        .whenComplete((done, failure) -> keepAlives.close());
  }
}
