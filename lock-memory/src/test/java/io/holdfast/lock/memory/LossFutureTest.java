/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which futures of a lease complete at once, and which are left to the user's executor, which
 * runs here when it is told to. Of one lock, and of several.
 */
class LossFutureTest {

  private static final LockOptions FIXED = MemoryHarness.TEN_SECONDS.withRenewal(Renewal.none());

  private final MemoryHarness scene = new MemoryHarness();
  private final Queue<Runnable> callbacks = new ArrayDeque<>();
  private final LockClient client =
      scene.server.open(ClientOptions.defaults().withCallbackExecutor(callbacks::add));

  @AfterEach
  void close() {
    client.close();
    scene.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aLossThatIsKnownIsThereAtOnce(int locks) {
    Lease lease = held(locks);
    CompletableFuture<Loss> early = lease.loss();
    scene.time.advance(Duration.ofSeconds(9));
    assertFalse(lease.loss().isDone());
    scene.time.advance(Duration.ofSeconds(1));
    assertEquals(Optional.of(LossReason.EXPIRED), known(lease.loss()));
    assertFalse(early.isDone(), "completed on the engine's thread");
    runCallbacks();
    assertEquals(Optional.of(LossReason.EXPIRED), known(early));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void nobodyChangesTheFutureOfAnother(int locks) {
    Lease lease = held(locks);
    lease.loss().cancel(true);
    scene.time.advance(Duration.ofSeconds(10));
    lease.loss().obtrudeValue(new Loss("forged", "forged", LossReason.REVOKED));
    assertEquals(Optional.of(LossReason.EXPIRED), known(lease.loss()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void otherAnswersThatAreKnownAreThereAtOnceToo(int locks) {
    Lease lease = held(locks);
    lease.release();
    assertEquals(ReleaseOutcome.ALREADY_RELEASED, lease.releaseAsync().getNow(null));
    CompletionException refused =
        assertThrows(
            CompletionException.class,
            () -> lease.extendAsync(Duration.ofSeconds(20)).getNow(null));
    assertInstanceOf(LockLostException.class, refused.getCause());
    assertFalse(lease.loss().isDone(), "the release was told as a loss");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anAnswerThatComesLaterIsLeftToTheExecutor(int locks) {
    Lease lease = held(locks);
    scene.server.delayAnswers(Duration.ofMillis(300));
    assertLeftToTheExecutor(lease.releaseAsync());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void soAreThoseToAnExtensionAndToAnEarlierEnd(int locks) {
    Lease lease = held(locks);
    scene.server.delayAnswers(Duration.ofMillis(300));
    assertLeftToTheExecutor(lease.extendAsync(Duration.ofSeconds(20)));
    assertLeftToTheExecutor(lease.expireInAsync(Duration.ofSeconds(8)));
    scene.server.delayAnswers(Duration.ZERO);
  }

  private void assertLeftToTheExecutor(CompletableFuture<?> answer) {
    scene.time.advance(Duration.ofSeconds(1));
    assertFalse(answer.isDone(), "completed on the engine's thread");
    runCallbacks();
    assertTrue(answer.isDone());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aTimeThatIsOutOfBoundsIsRefusedAtOnce(int locks) {
    Lease lease = held(locks);
    Duration bad = Duration.ofMillis(99);
    assertThrows(IllegalArgumentException.class, () -> lease.extendAsync(bad));
    assertThrows(IllegalArgumentException.class, () -> lease.expireInAsync(bad));
    assertTrue(lease.isValid());
  }

  private static Optional<LossReason> known(CompletableFuture<Loss> loss) {
    return Optional.ofNullable(loss.getNow(null)).map(Loss::reason);
  }

  private Lease held(int locks) {
    DistributedLock lock =
        locks == 1 ? client.lock("a", FIXED) : client.allOf(List.of("a", "b"), FIXED);
    CompletableFuture<Lease> acquired = lock.acquireAsync();
    runCallbacks();
    return granted(acquired);
  }

  private void runCallbacks() {
    for (Runnable task = callbacks.poll(); task != null; task = callbacks.poll()) {
      task.run();
    }
  }
}
