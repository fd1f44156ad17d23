/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** An uncontended lock, at nodes whose numbers agree: each of them is asked once for its vote. */
class OneRoundTest {

  private static final int ROUNDS = 20;
  private static final int NODES = 3;

  @Test
  void aFreshVoteIsNotAskedForAgain() {
    try (RedlockHarness scene = new RedlockHarness(NODES);
        // So that a vote is fresh for seconds.
        RedlockBackend backend = scene.backend(Map.of("command-timeout", "1m"))) {
      takeAndRelease(scene, backend, "first");
      scene.servers.forEach(node -> node.command("CONFIG", "RESETSTAT"));
      for (int round = 0; round < ROUNDS; round++) {
        takeAndRelease(scene, backend, "owner-" + round);
      }
      long scripts = scene.servers.stream().mapToLong(RedlockHarness::scriptsCalled).sum();
      long further = scripts - 2L * NODES * ROUNDS;
      // Now and then, a node draws its number a moment later than the others, in the next second.
      assertTrue(further <= ROUNDS, () -> further + " further scripts in " + ROUNDS + " rounds");
    }
  }

  private static void takeAndRelease(RedlockHarness scene, RedlockBackend backend, String owner) {
    RedlockClaim claim = backend.claim(new ClaimRequest("a", owner, Duration.ofMinutes(2)), DEAF);
    assertTrue(RedlockHarness.isGranted(claim));
    RedlockHarness.until("all nodes have it", () -> scene.holding("a") == NODES);
    assertEquals(ReleaseAnswer.FREED, RedlockHarness.join(claim.release()));
    RedlockHarness.until("it is free", () -> scene.holding("a") == 0);
  }
}
