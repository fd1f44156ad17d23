/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.grpc.Status;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Leases that were kept alive together, and what that proves.
 *
 * <p>A member's answer names the term of the newest entry that it has applied. Three of them have
 * to be the same: the one known before the lease was asked for, the one that the keep-alive names
 * (read before the lease is renewed), and the one of a linearizable read that was sent when the
 * keep-alive had been answered.
 *
 * <ul>
 *   <li>The leader of that term renewed the lease: the member knew of no earlier one, and the read
 *       shows that no later one had been elected.
 *   <li>Leaders of earlier terms do not count it down: they hold leases only that they applied
 *       before they were deposed.
 *   <li>Leaders of later terms are elected afterwards, and give it its full time.
 * </ul>
 */
public final class RenewalProof {

  /** The state of a lease, as far as it is known. */
  public enum State {
    /** Etcd keeps it for its TTL from the keep-alive on, whichever member leads. */
    PROVEN,
    /** Etcd does not have it any more. */
    ENDED,
    /** A leader that was deposed without knowing may still revoke it. */
    OF_AN_EARLIER_TERM
  }

  private final long sentAt;
  private final Map<ServerLease, CompletableFuture<LeaseKeepAliveResponse>> answers;

  RenewalProof(long sentAt, Map<ServerLease, CompletableFuture<LeaseKeepAliveResponse>> answers) {
    this.sentAt = sentAt;
    this.answers = Map.copyOf(answers);
  }

  /** Completes when there is nothing more to wait for, however it went. */
  public CompletableFuture<Void> answered() {
    return CompletableFuture.allOf(answers.values().toArray(CompletableFuture[]::new))
        .exceptionally(failure -> null);
  }

  /**
   * Finds the state of one of these leases.
   *
   * @param lease one of them
   * @param after from the answer to a linearizable read that was sent after {@link #answered}
   * @return failed if nothing is known
   */
  public CompletableFuture<State> state(ServerLease lease, ResponseHeader after) {
    return Objects.requireNonNull(answers.get(lease))
        .thenApply(answer -> state(lease, answer, after.getRaftTerm()));
  }

  private State state(ServerLease lease, LeaseKeepAliveResponse answer, long term) {
    if (answer.getTTL() <= 0) {
      return State.ENDED;
    }
    if (lease.term != term) {
      return State.OF_AN_EARLIER_TERM;
    }
    if (answer.getHeader().getRaftTerm() != term) {
      throw Status.UNAVAILABLE
          .withDescription("the member that kept a lease alive was behind")
          .asRuntimeException();
    }
    lease.provenAt(sentAt);
    return State.PROVEN;
  }

  public boolean has(ServerLease lease) {
    return answers.containsKey(lease);
  }
}
