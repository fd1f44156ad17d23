/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.join;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A claim that listens at all nodes while it waits, and at none afterwards. */
class SubscriptionTest {

  private final RedlockHarness scene = new RedlockHarness(3);
  private final RedlockBackend backend = scene.closing(scene.backend());
  private final RedlockClaim claim =
      backend.claim(new ClaimRequest("a", "owner-1", Duration.ofMinutes(2)), DEAF);

  @BeforeEach
  void isContended() {
    scene.servers.forEach(node -> node.command("SET", "lock:a", "stranger", "PX", "600000"));
    assertInstanceOf(Attempt.Contended.class, join(claim.attempt()));
    listening(1);
  }

  @AfterEach
  void end() {
    scene.close();
  }

  @Test
  void oneThatGivesUpListensNoMore() {
    join(claim.release());
    listening(0);
  }

  @Test
  void norDoesOneThatIsGrantedTheLock() {
    scene.servers.forEach(node -> node.command("DEL", "lock:a"));
    RedlockHarness.until("it is granted", () -> RedlockHarness.isGranted(claim));
    listening(0);
    join(claim.release());
  }

  private void listening(int claims) {
    for (RedisServer node : scene.servers) {
      RedlockHarness.until(
          claims + " at " + node.port(),
          () -> node.values("PUBSUB", "NUMSUB", "lock:a").get(1).equals(String.valueOf(claims)));
    }
  }
}
