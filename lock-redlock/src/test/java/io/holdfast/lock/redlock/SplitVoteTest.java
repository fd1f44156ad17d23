/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
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
}
