/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A claim with more nodes than any other, and without a quorum, which asks the others again. */
class SplitVoteTest {

  private static final Duration TTL = Duration.ofMinutes(2);

  @Test
  void oneThatIsReleasedAsksNoNodeAgain() {
    try (RedlockHarness scene = new RedlockHarness(5);
        RedlockBackend backend = scene.backend()) {
      for (int round = 0; round < 3; round++) {
        for (int node = 2; node < 5; node++) {
          scene.server(node).command("SET", "lock:a", "stranger-" + node, "PX", "120000");
        }
        RedlockClaim claim = backend.claim(new ClaimRequest("a", "owner-" + round, TTL), DEAF);
        CompletableFuture<Attempt> attempt = claim.attempt().toCompletableFuture();
        // On a busy machine the attempt may have ended already, and given the nodes back.
        RedlockHarness.until(
            "two nodes", () -> attempt.isDone() || (scene.has(0, "a") && scene.has(1, "a")));
        claim.release().toCompletableFuture().join();
        assertInstanceOf(Attempt.Contended.class, attempt.join());
        for (int node = 2; node < 5; node++) {
          scene.server(node).command("DEL", "lock:a");
        }
        Conditions.settles(
            "nothing is left", PATIENCE, Duration.ofMillis(500), () -> scene.holding("a") == 0);
      }
    }
  }

  /** Each round takes nearly a third of it, and there may be ten. */
  @Test
  void oneThatIsNotDecidedInTheTimeOfACommandIsGivenUp() {
    try (RedlockHarness scene = new RedlockHarness(5)) {
      List<TcpProxy> links = scene.links();
      List<Integer> ports = links.stream().map(TcpProxy::port).toList();
      try (RedlockBackend backend = scene.backend(ports, Map.of("command-timeout", "3s"))) {
        // The nodes know the script from now on.
        RedlockClaim before = backend.claim(new ClaimRequest("b", "owner-b", TTL), DEAF);
        RedlockHarness.until(
            "it is granted by all",
            () -> RedlockHarness.isGranted(before) && scene.holding("b") == 5);
        before.release().toCompletableFuture().join();
        for (int node = 2; node < 5; node++) {
          scene.server(node).command("SET", "lock:a", "stranger-" + node, "PX", "120000");
          scene.server(node).command("CONFIG", "RESETSTAT");
          links.get(node).delay(Direction.TO_CLIENT, Duration.ofMillis(900));
        }
        RedlockClaim claim = backend.claim(new ClaimRequest("a", "owner-a", TTL), DEAF);
        assertInstanceOf(Attempt.Contended.class, claim.attempt().toCompletableFuture().join());
        long asked = RedlockHarness.scriptsCalled(scene.server(2));
        assertTrue(asked <= 6, () -> "asked " + asked + " times");
        claim.release().toCompletableFuture().join();
      }
    }
  }
}
