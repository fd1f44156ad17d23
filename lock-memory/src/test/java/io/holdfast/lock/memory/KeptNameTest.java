/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.TEN_SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A name that stays taken for its minimum hold, though its lease has ended. */
class KeptNameTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final LockOptions LEAST = TEN_SECONDS.withMinHold(MINUTE);

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVER", "CLIENT"})
  void aCloseKeepsTheMinimumOfWhatIsHeldWhereTheServerDoes(Retention retention) {
    LockClient client = scene.keeping(retention);
    Lease lease = MemoryHarness.granted(client.lock("a", LEAST).acquireAsync());
    client.close();
    assertEquals(LossReason.CLIENT_CLOSED, lease.loss().join().reason());
    scene.time.advance(MINUTE.minusMillis(1));
    assertEquals(retention == Retention.SERVER ? Set.of("a") : Set.of(), scene.taken());
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(Set.of(), scene.taken());
  }

  /** For listeners, the lease has ended with its release. */
  @Test
  void aNameThatTheClientKeepsIsRenewedInSilence() {
    LockClient client = scene.client(Retention.CLIENT);
    MemoryHarness.granted(client.lock("a", LEAST).acquireAsync()).release();
    scene.events.clear();
    scene.time.advance(Duration.ofSeconds(30));
    scene.server.goAway();
    scene.time.advance(Duration.ofSeconds(5));
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(5));
    assertEquals(List.of(), scene.events);
    assertEquals(Set.of("a"), scene.taken());
  }

  /** It asks before the release is known to keep the name, which seems to be free soon. */
  @ParameterizedTest
  @EnumSource(names = {"SERVER", "CLIENT"})
  void tryAcquireDuringTheReleaseIsAnsweredAtOnce(Retention retention) {
    DistributedLock lock = scene.keeping(retention).lock("a", LEAST);
    List<CompletableFuture<Optional<Lease>>> tried = new ArrayList<>();
    scene.server.delayAnswers(Duration.ofMillis(10));
    // Both are asked for during a step of the engine, and so are carried out one after the other.
    CompletableFuture<CompletableFuture<?>> released =
        lock.acquireAsync()
            .thenApply(
                lease -> {
                  tried.add(lock.tryAcquireAsync());
                  return lease.releaseAsync();
                });
    scene.time.advance(Duration.ofSeconds(1));
    scene.server.delayAnswers(Duration.ZERO);
    assertTrue(released.join().isDone());
    assertTrue(tried.get(0).isDone(), "it waits for the minimum");
    assertEquals(Optional.empty(), tried.get(0).join());
    assertEquals(Set.of("a"), scene.taken());
  }
}
