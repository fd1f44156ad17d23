/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.ClaimRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The holder of a lock that a quorum may have forgotten. */
class ForgottenHolderTest {

  private static final Duration DELAY = Duration.ofSeconds(8);

  @Test
  void nodesThatWereStartedLatelyDoNotSayThatItIsFree() {
    try (RedlockHarness scene = new RedlockHarness(3)) {
      Map<String, String> settings = Map.of("restart-delay", DELAY.toSeconds() + "s");
      try (RedlockBackend backend = scene.backend(settings)) {
        RedlockClaim claim = backend.claim(new ClaimRequest("a", "owner-1", DELAY), DEAF);
        until(
            "it is granted by all",
            () -> RedlockHarness.isGranted(claim) && scene.holding("a") == 3);
        long restarted = System.nanoTime();
        scene.restart(1);
        scene.restart(2);
        until(
            "both are asked, and do not count",
            () -> {
              String why = whyItIsNotKnown(backend);
              return IntStream.of(1, 2)
                  .allMatch(node -> why.contains(scene.server(node).port() + " does not count"));
            });
        CompletableFuture<Set<String>> names =
            backend.inspection().orElseThrow().names().toCompletableFuture();
        Optional<Set<String>> listed =
            names.handle((all, failure) -> Optional.ofNullable(all)).join();
        assumeTrue(
            Duration.ofNanos(System.nanoTime() - restarted).compareTo(DELAY.minusSeconds(1)) < 0,
            "this machine was too slow for the nodes not to count");
        assertEquals(Optional.empty(), listed, "a list that may be without a lock that is held");
      }
    }
  }

  private static String whyItIsNotKnown(RedlockBackend backend) {
    CompletionException told =
        assertThrows(
            CompletionException.class,
            () -> backend.inspection().orElseThrow().holder("a").toCompletableFuture().join());
    return String.valueOf(
        assertInstanceOf(LockUnavailableException.class, told.getCause()).getMessage());
  }
}
