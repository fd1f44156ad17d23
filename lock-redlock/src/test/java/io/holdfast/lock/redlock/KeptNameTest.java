/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A name that stays taken after its release, at a node that was away then. */
class KeptNameTest {

  private static final Duration TTL = Duration.ofMinutes(4);
  private static final Duration KEPT = Duration.ofMinutes(2);

  @Test
  void itIsNeitherFreedAtOnceNorKeptForTheTtl() {
    try (RedlockHarness scene = new RedlockHarness(3)) {
      List<TcpProxy> links = scene.links();
      List<Integer> ports = links.stream().map(TcpProxy::port).toList();
      try (RedlockBackend backend = scene.backend(ports, Map.of())) {
        RedlockClaim claim = backend.claim(new ClaimRequest("a", "owner-1", TTL), DEAF);
        assertInstanceOf(
            Attempt.Granted.class, claim.attempt().toCompletableFuture().join(), "granted");
        RedlockHarness.until("all nodes have it", () -> scene.holding("a") == 3);
        links.get(2).refuse();
        assertEquals(ReleaseAnswer.FREED, claim.release(KEPT).toCompletableFuture().join());
        links.get(2).heal();
        Conditions.until(
            "the end is told to the node that was away",
            Duration.ofSeconds(60),
            () -> RedlockHarness.millisLeft(scene.server(2), "a") <= KEPT.toMillis());
        for (RedisServer server : scene.servers) {
          assertTrue(RedlockHarness.millisLeft(server, "a") > 0, "it is free before its time");
        }
      }
    }
  }
}
