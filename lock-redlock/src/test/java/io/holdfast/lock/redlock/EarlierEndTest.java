/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A node that has not answered when a lock was given an earlier end. */
class EarlierEndTest {

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration LATER = Duration.ofMinutes(2);

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  void aNodeThatMayEndTheLockSoonerDoesNotCountForARenewal() {
    try (RedlockHarness scene = new RedlockHarness(3)) {
      List<TcpProxy> links = scene.links();
      try (RedlockBackend backend =
          scene.backend(
              links.stream().map(TcpProxy::port).toList(), Map.of("command-timeout", "10s"))) {
        RedlockClaim claim = backend.claim(new ClaimRequest("a", "owner-1", SOON), DEAF);
        assertInstanceOf(Attempt.Granted.class, join(claim.attempt()));
        RedlockHarness.until("all nodes have it", () -> scene.holding("a") == 3);
        links.get(2).stall(Direction.TO_SERVER);
        Duration sooner = Duration.ofSeconds(20);
        assertEquals(new RenewalAnswer.Extended(sooner), join(claim.expireIn(sooner)));
        scene.server(1).kill();

        CompletionStage<List<RenewalAnswer>> renewal = renew(backend, claim);
        links.get(2).heal();
        assertInstanceOf(RenewalAnswer.Unknown.class, join(renewal).get(0));

        assertEquals(List.of(new RenewalAnswer.Extended(LATER)), join(renew(backend, claim)));
      }
    }
  }

  private static CompletionStage<List<RenewalAnswer>> renew(
      RedlockBackend backend, RedlockClaim claim) {
    return backend.renew(List.of(new RenewalRequest<>(claim, LATER, Duration.ofSeconds(10))));
  }
}
