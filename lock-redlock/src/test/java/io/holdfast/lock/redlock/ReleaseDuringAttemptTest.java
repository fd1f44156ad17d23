/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A claim that is given up before the nodes have refused it. */
class ReleaseDuringAttemptTest {

  private static final Duration TTL = Duration.ofMinutes(2);

  /** Nobody would end it any more. */
  @Test
  void itDoesNotBeginToListenAfterItsRelease() {
    try (RedlockHarness scene = new RedlockHarness(3)) {
      List<TcpProxy> links = scene.links();
      List<Integer> ports = links.stream().map(TcpProxy::port).toList();
      try (RedlockBackend backend = scene.backend(ports, Map.of("command-timeout", "20s"))) {
        for (RedisServer node : scene.servers) {
          for (String name : List.of("before", "a", "after")) {
            node.command("SET", "lock:" + name, "stranger", "PX", "600000");
          }
        }
        // There are connections for messages from now on.
        RedlockClaim before = contends(scene, backend, "before");
        links.forEach(link -> link.stall(Direction.TO_CLIENT));
        RedlockClaim claim = backend.claim(new ClaimRequest("a", "owner-of-a", TTL), DEAF);
        CompletionStage<Attempt> attempt = claim.attempt();
        CompletionStage<ReleaseAnswer> release = claim.release();
        links.forEach(TcpProxy::heal);
        assertInstanceOf(Attempt.Contended.class, join(attempt));
        assertEquals(ReleaseAnswer.NOT_OURS, join(release));
        // What began before this has been seen by the nodes when this is.
        RedlockClaim after = contends(scene, backend, "after");
        scene.servers.forEach(
            node -> RedlockHarness.until("nobody listens", () -> !listens(node, "a")));
        join(before.release());
        join(after.release());
      }
    }
  }

  private static RedlockClaim contends(RedlockHarness scene, RedlockBackend backend, String name) {
    RedlockClaim claim = backend.claim(new ClaimRequest(name, "owner-of-" + name, TTL), DEAF);
    assertInstanceOf(Attempt.Contended.class, join(claim.attempt()));
    scene.servers.forEach(node -> RedlockHarness.until("it listens", () -> listens(node, name)));
    return claim;
  }

  private static boolean listens(RedisServer node, String name) {
    return node.values("PUBSUB", "NUMSUB", "lock:" + name).get(1).equals("1");
  }
}
