/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.etcd.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.ResponseHeader;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Tests proofs by answers of members, one of which may lead no more, or never have led. */
class RenewalProofTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final long GRANTED_AT = 1_000;
  private static final long SENT_AT = 5_000;

  private final ServerLease lease = new ServerLease(7, 10, TTL, 3, GRANTED_AT);

  private static LeaseKeepAliveResponse answer(long term, long ttl) {
    return LeaseKeepAliveResponse.newBuilder().setHeader(header(term)).setID(7).setTTL(ttl).build();
  }

  private static ResponseHeader header(long term) {
    return ResponseHeader.newBuilder().setRaftTerm(term).build();
  }

  private CompletableFuture<RenewalProof.State> state(
      LeaseKeepAliveResponse answer, long readTerm) {
    return new RenewalProof(SENT_AT, Map.of(lease, CompletableFuture.completedFuture(answer)))
        .state(lease, header(readTerm));
  }

  /** For how long after it was sent etcd vouches for the lease. */
  private Duration left() {
    return lease.leftAt(SENT_AT);
  }

  private Duration leftOfTheGrant() {
    return TTL.minusNanos(SENT_AT - GRANTED_AT);
  }

  @Test
  void threeAnswersOfOneTermProveALease() {
    assertEquals(RenewalProof.State.PROVEN, state(answer(3, 10), 3).join());
    assertEquals(TTL, left());
  }

  @Test
  void theWordOfAMemberThatIsBehindProvesNothing() {
    CompletionException failure =
        assertThrows(CompletionException.class, () -> state(answer(2, 10), 3).join());
    StatusRuntimeException told =
        assertInstanceOf(StatusRuntimeException.class, failure.getCause());
    assertEquals(Status.Code.UNAVAILABLE, told.getStatus().getCode());
    assertEquals(leftOfTheGrant(), left());
  }

  @Test
  void aLeaseOfAnEarlierTermIsNotProvenByALeaderOfALaterOne() {
    assertEquals(RenewalProof.State.OF_AN_EARLIER_TERM, state(answer(4, 10), 4).join());
    assertEquals(RenewalProof.State.OF_AN_EARLIER_TERM, state(answer(3, 10), 4).join());
    assertEquals(leftOfTheGrant(), left());
  }

  @Test
  void aLeaseThatIsNotFoundHasEnded() {
    assertEquals(RenewalProof.State.ENDED, state(answer(3, 0), 3).join());
    assertEquals(RenewalProof.State.ENDED, state(answer(4, -1), 4).join());
    assertEquals(leftOfTheGrant(), left());
  }

  @Test
  void anOlderProofTakesNothingBack() {
    lease.provenAt(SENT_AT + 1);
    assertEquals(RenewalProof.State.PROVEN, state(answer(3, 10), 3).join());
    assertEquals(TTL.plusNanos(1), left());
  }

  @Test
  void anUnansweredMemberIsWaitedForAndProvesNothing() {
    CompletableFuture<LeaseKeepAliveResponse> open = new CompletableFuture<>();
    RenewalProof kept = new RenewalProof(SENT_AT, Map.of(lease, open));
    assertTrue(kept.has(lease));
    assertFalse(kept.has(new ServerLease(8, 10, TTL, 3, GRANTED_AT)));
    assertFalse(kept.answered().isDone());
    open.completeExceptionally(Status.UNAVAILABLE.asRuntimeException());
    kept.answered().join();
    assertTrue(kept.state(lease, header(3)).isCompletedExceptionally());
    assertEquals(leftOfTheGrant(), left());
  }
}
