/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.ResponseHeader;
import io.grpc.Deadline;
import io.holdfast.lock.etcd.lease.Leases;
import io.holdfast.lock.etcd.lease.RenewalProof;
import io.holdfast.lock.etcd.lease.ServerLease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Leases, when the leader changes: one that was deposed without knowing counts down the leases of
 * its own term.
 */
class LeaseTermsTest {

  private static final Duration TTL = Duration.ofMinutes(2);
  private static final long EARLIER = 5;
  private static final long LATER = 6;

  /** A term that the client sees while the answer is on its way may have begun after the grant. */
  @Test
  void aLeaseCountsFromBeforeItWasAskedFor() {
    long seconds = 60;
    Duration slow = Duration.ofSeconds(7);
    DelayedAnswers held = DelayedAnswers.grants(seconds);
    try (ClaimHarness scene = new ClaimHarness(TTL, held)) {
      Leases leases = leases(scene);
      leases.seen(term(EARLIER));
      CompletableFuture<ServerLease> asked = leases.grant(seconds, scene.connection.deadline());
      held.reached.join();
      leases.seen(term(LATER));
      scene.time.pass(slow);
      held.release.complete(null);
      ServerLease lease = asked.join();
      assertEquals(EARLIER, lease.term);
      Duration left = lease.leftAt(scene.time.nanos());
      assertTrue(left.compareTo(Duration.ofSeconds(seconds).minus(slow)) <= 0, left + " are left");
    }
  }

  /** A lock that is granted on it could be given to another while its holder believes. */
  @Test
  void aLeaseInStockOfAnEarlierTermIsNotGivenOut() {
    try (ClaimHarness scene = new ClaimHarness(TTL)) {
      Leases leases = leases(scene);
      Deadline deadline = scene.connection.deadline();
      leases.seen(term(EARLIER));
      leases.giveBack(leases.take(TTL, deadline).join());
      assertEquals(EARLIER, leases.take(TTL, deadline).join().term);
      leases.giveBack(leases.take(TTL, deadline).join());
      leases.seen(term(LATER));
      assertEquals(LATER, leases.take(TTL, deadline).join().term);
    }
  }

  /** A read that is older than the keep-alive does not show whose word that was. */
  @Test
  void aLeaseIsProvenByAReadAfterItWasKeptAlive() {
    DelayedAnswers keptAlive = DelayedAnswers.keepAlives();
    BeforeCall read = new BeforeCall(KVGrpc.getRangeMethod());
    try (ClaimHarness scene = new ClaimHarness(TTL, keptAlive, read)) {
      Leases leases = leases(scene);
      ServerLease lease = leases.grant(60, scene.connection.deadline()).join();
      read.take(() -> {});
      CompletableFuture<RenewalProof.State> proven =
          leases.prolong(lease, scene.connection.deadline());
      keptAlive.reached.join();
      assertFalse(read.isTaken());
      keptAlive.release.complete(null);
      assertEquals(RenewalProof.State.OF_AN_EARLIER_TERM, proven.join());
      assertTrue(read.isTaken());
    }
  }

  /** With no claims of a client, which would tell it of the term that etcd really has. */
  private static Leases leases(ClaimHarness scene) {
    return new Leases(scene.connection, scene.keys.base(), scene.time);
  }

  private static ResponseHeader term(long term) {
    return ResponseHeader.newBuilder().setRaftTerm(term).build();
  }
}
