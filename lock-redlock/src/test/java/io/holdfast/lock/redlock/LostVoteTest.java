/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.secondsUp;
import static io.holdfast.lock.redlock.RedlockHarness.until;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node that was started lately, and whose answer to the claim that it voted for got lost. */
class LostVoteTest {

  private static final Duration DELAY = Duration.ofSeconds(6);

  /** The renewals ask for more, and so show at which nodes they have arrived. */
  private static final Duration TTL = Duration.ofSeconds(4);

  @Test
  void itDoesNotCountForRenewalsBeforeTheDelay() {
    try (RedlockHarness scene = new RedlockHarness(3)) {
      List<TcpProxy> links = scene.links();
      List<Integer> ports = links.stream().map(TcpProxy::port).toList();
      try (RedlockBackend backend = scene.backend(ports, Map.of("restart-delay", "6s"))) {
        Conditions.until(
            "all nodes count",
            Duration.ofSeconds(40),
            () -> scene.servers.stream().allMatch(node -> secondsUp(node) > DELAY.toSeconds() + 1));
        until("the clients count them", () -> RedlockHarness.isGranted(claim(backend, "warm-up")));
        scene.restart(2);
        long startedAt = System.nanoTime();
        until(
            "node 2 is asked again",
            () -> RedlockHarness.isGranted(claim(backend, "next")) && scene.has(2, "next"));

        links.get(2).loseNextReply();
        RedlockClaim claim = claim(backend, "a");
        assertTrue(RedlockHarness.isGranted(claim), "by the two others");
        until("node 2 has voted", () -> scene.has(2, "a"));
        until(
            "node 2 is renewed",
            () -> {
              renewed(backend, claim);
              return RedlockHarness.millisLeft(scene.server(2), "a") > TTL.toMillis();
            });
        scene.server(1).command("DEL", "lock:a");
        RenewalAnswer answer = renewed(backend, claim);
        assumeTrue(
            Duration.ofNanos(System.nanoTime() - startedAt).compareTo(DELAY.minusSeconds(1)) < 0,
            "this machine was too slow for node 2 not to count");
        assertFalse(answer instanceof RenewalAnswer.Extended, answer.toString());
      }
    }
  }

  private static RedlockClaim claim(RedlockBackend backend, String lockName) {
    return backend.claim(new ClaimRequest(lockName, "owner-of-" + lockName, TTL), DEAF);
  }

  private static RenewalAnswer renewed(RedlockBackend backend, RedlockClaim claim) {
    return backend
        .renew(List.of(new RenewalRequest<>(claim, DELAY, TTL)))
        .toCompletableFuture()
        .join()
        .get(0);
  }
}
