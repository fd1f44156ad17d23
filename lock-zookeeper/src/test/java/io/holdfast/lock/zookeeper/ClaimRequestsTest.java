/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests a claim's requests: their order and their number. */
class ClaimRequestsTest extends OneServerTestBase {

  private static final Duration TTL = Duration.ofMinutes(2);
  private static final String QUEUE = "/holdfast/lock/asked";

  private final SeenRequests requests = new SeenRequests();
  private ZooKeeperBackend backend;

  @BeforeEach
  void open() throws Exception {
    backend = requests.backend(harness);
  }

  private ShareAsker asker(String owner) {
    return new ShareAsker(backend, new ClaimRequest("asked", owner, TTL, Share.LOCK));
  }

  private RenewalAnswer renewed(ShareAsker holder) {
    return ShareAsker.join(backend.renew(List.of(new RenewalRequest<>(holder.claim, TTL, TTL))))
        .get(0);
  }

  /** A server that lags behind, or whose leader was replaced, shows the node of a dead session. */
  @Test
  void aWaiterLooksAgainBehindAProof() {
    ShareAsker holder = asker("holder");
    holder.granted();
    ShareAsker waiter = asker("waiter");
    waiter.contended();
    requests.sent.clear();
    waiter.contended();
    assertEquals(List.of("check " + QUEUE, "list " + QUEUE), requests.sent);
    holder.freed();
    waiter.granted();
    waiter.freed();
  }

  /** Another at each renewal would gather in the client, and cost a request for each lock. */
  @Test
  void aNodeIsWatchedOnce() {
    ShareAsker holder = asker("holder");
    holder.granted();
    for (int i = 0; i < 5; i++) {
      assertInstanceOf(RenewalAnswer.Extended.class, renewed(holder));
    }
    assertEquals(1, requests.sent.stream().filter(one -> one.startsWith("watch ")).count());
    holder.freed();
  }

  /** Curator may tell of the connection that has made the session shorter too late, or never. */
  @Test
  void aRenewalFindsOutThatTheSessionIsShorter() {
    ShareAsker holder = asker("holder");
    holder.granted();
    renewed(holder);
    assertEquals(0, holder.losses.get());
    requests.sessionMillis = 6_000;
    renewed(holder);
    assertEquals(1, holder.losses.get());
    holder.freed();
  }

  /** To wait would not help: it numbers no more nodes of this queue. */
  @Test
  void aQueueThatCannotBeNumberedIsToldWithWhatToDo() {
    requests.cannotNumber = true;
    ShareAsker asker = asker("asker");
    CompletionException told =
        assertThrows(CompletionException.class, () -> ShareAsker.join(asker.claim.attempt()));
    LockRejectedException refused = assertInstanceOf(LockRejectedException.class, told.getCause());
    assertTrue(refused.toString().contains("delete the node " + QUEUE), refused::toString);
  }
}
