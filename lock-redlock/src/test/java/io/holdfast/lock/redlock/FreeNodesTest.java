/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.until;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A waiter that has given back nodes of its own, which tell nobody that they are free. */
class FreeNodesTest {

  private static final Duration SOON = Duration.ofSeconds(3);

  private final CountedWakeUps wakeUps = new CountedWakeUps();

  @Test
  void theyCountForItsQuorum() {
    try (RedlockHarness scene = new RedlockHarness(5);
        RedlockBackend backend = scene.backend()) {
      // None of the others has a quorum, so all nodes have answered when the claim is refused.
      String[] others = {"one", "one", "two"};
      for (int node = 0; node < others.length; node++) {
        scene.server(node).command("SET", "lock:a", others[node], "PX", "600000");
      }
      RedlockClaim claim =
          backend.claim(new ClaimRequest("a", "waiter", Duration.ofMinutes(2)), wakeUps);
      // A client that begins to listen is woken as well.
      assertRefused(claim);
      scene.servers.forEach(node -> until("it listens", () -> listens(node)));
      until("nobody wakes it any more", this::isQuiet);
      until("one more node is enough", () -> isWokenByOneNode(scene, claim));
      claim.release().toCompletableFuture().join();
    }
  }

  private boolean isQuiet() {
    int before = wakeUps.get();
    LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
    return wakeUps.get() == before;
  }

  private static void assertRefused(RedlockClaim claim) {
    assertInstanceOf(Attempt.Contended.class, claim.attempt().toCompletableFuture().join());
  }

  private static boolean listens(RedisServer node) {
    return node.values("PUBSUB", "NUMSUB", "lock:a").get(1).equals("1");
  }

  private boolean isWokenByOneNode(RedlockHarness scene, RedlockClaim claim) {
    assertRefused(claim);
    int before = wakeUps.get();
    scene.server(0).command("PUBLISH", "lock:a", "one");
    long end = System.nanoTime() + SOON.toNanos();
    while (wakeUps.get() == before && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
    return wakeUps.get() > before;
  }
}
