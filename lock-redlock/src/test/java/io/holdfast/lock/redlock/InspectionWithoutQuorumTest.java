/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redlock;

import static io.holdfast.lock.redlock.RedlockHarness.DEAF;
import static io.holdfast.lock.redlock.RedlockHarness.join;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.LockInspection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A node that has not got the lock, while those that have it are away. */
class InspectionWithoutQuorumTest {

  private static final Duration TTL = Duration.ofMinutes(2);

  @Test
  void anUnknownHolderIsAFailureAndNeverFree() {
    try (RedlockHarness scene = new RedlockHarness(3);
        RedlockBackend backend = scene.backend()) {
      RedlockClaim claim = backend.claim(new ClaimRequest("a", "owner-1", TTL), DEAF);
      RedlockHarness.until(
          "it is granted by all", () -> RedlockHarness.isGranted(claim) && scene.holding("a") == 3);
      LockInspection inspection = backend.inspection().orElseThrow();
      LockHolder holder = join(inspection.holder("a")).orElseThrow();
      assertEquals("owner-1", holder.ownerId().orElseThrow());

      scene.server(0).command("DEL", "lock:a");
      assertEquals(Set.of("a"), join(inspection.names()), "two nodes have it");
      scene.server(1).kill();
      scene.server(2).kill();
      assertUnknown(inspection.names());
      assertUnknown(inspection.holder("a"));
      assertUnknown(inspection.evict(holder));
    }
  }

  private static void assertUnknown(CompletionStage<?> answer) {
    CompletionException told = assertThrows(CompletionException.class, () -> join(answer));
    LockUnavailableException why =
        assertInstanceOf(LockUnavailableException.class, told.getCause());
    assertTrue(String.valueOf(why.getMessage()).contains("too few nodes"), why.getMessage());
  }
}
