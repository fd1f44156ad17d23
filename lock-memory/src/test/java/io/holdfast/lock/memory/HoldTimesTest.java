/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.HoldTimes;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests how long a name is held at least and at most, and what stays of it after a loss. */
class HoldTimesTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final LockOptions OFTEN =
      MemoryHarness.TEN_SECONDS.withRetry(
          MemoryHarness.TEN_SECONDS
              .retry()
              .withPauses(Duration.ofMillis(10), Duration.ofMillis(10)));
  private static final LockOptions FIXED = OFTEN.withRenewal(Renewal.none());

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVER", "CLIENT"})
  void aNameThatIsReleasedEarlyStaysTakenUntilItsMinimum(Retention retention) {
    LockClient client = scene.keeping(retention);
    DistributedLock lock = client.lock("a", OFTEN.withMinHold(MINUTE));
    Lease lease = granted(lock.acquireAsync());
    CompletableFuture<Lease> local = lock.acquireAsync();
    CompletableFuture<Lease> remote = scene.client().lock("a", OFTEN).acquireAsync();
    scene.time.advance(SECOND);
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertFalse(lease.isValid());
    assertEquals(ReleaseOutcome.ALREADY_RELEASED, lease.release());
    scene.time.advance(Duration.ofSeconds(58));
    assertFalse(local.isDone() || remote.isDone(), "granted before its minimum has passed");
    assertEquals(Optional.empty(), lock.tryAcquireAsync().join());
    scene.time.advance(SECOND.plusMillis(20));
    assertTrue(local.isDone() || remote.isDone(), "not free after its minimum");
    assertFalse(lease.loss().isDone());
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVER", "CLIENT"})
  void aTryInTheSameClientDoesNotWaitForTheMinimum(Retention retention) {
    DistributedLock lock = scene.keeping(retention).lock("a", OFTEN.withMinHold(MINUTE));
    granted(lock.acquireAsync()).release();
    CompletableFuture<Optional<Lease>> tried = lock.tryAcquireAsync();
    assertTrue(tried.isDone(), "waits for the minimum");
    assertEquals(Optional.empty(), tried.join());
  }

  @Test
  void theServerKeepsANameThoughItsClientIsClosed() {
    LockClient client = scene.client();
    granted(client.lock("a", OFTEN.withMinHold(MINUTE)).acquireAsync()).release();
    client.close();
    scene.time.advance(MINUTE.minusMillis(1));
    assertTrue(scene.server.owners().containsKey("a"));
    scene.time.advance(Duration.ofMillis(1));
    assertFalse(scene.server.owners().containsKey("a"));
  }

  @Test
  void aNameThatAClientKeepsEndsWithIt() {
    LockClient client = scene.client(Retention.CLIENT);
    granted(client.lock("a", OFTEN.withMinHold(MINUTE)).acquireAsync()).release();
    scene.time.advance(Duration.ofSeconds(30));
    assertTrue(scene.server.owners().containsKey("a"));
    client.close();
    assertFalse(scene.server.owners().containsKey("a"));
  }

  @Test
  void aNameThatAClientKeepsForAFixedTimeIsKeptToTheLast() {
    LockClient client = scene.client(Retention.CLIENT);
    granted(client.lock("a", FIXED.withMinHold(FIXED.ttl())).acquireAsync()).release();
    scene.time.advance(FIXED.ttl().minusMillis(1));
    assertTrue(scene.server.owners().containsKey("a"));
    scene.time.advance(Duration.ofMillis(1));
    assertFalse(scene.server.owners().containsKey("a"));
  }

  /** A tenure that stays is looked at again and again once it has ended, without a pause. */
  @Test
  @Timeout(60)
  void aNameThatAClientHasKeptIsForgotten() {
    LockClient client = scene.client(Retention.CLIENT);
    granted(client.lock("a", OFTEN.withMinHold(SECOND)).acquireAsync()).release();
    scene.time.advance(SECOND);
    assertFalse(scene.server.owners().containsKey("a"));
    scene.time.advance(MINUTE);
  }

  @Test
  void aReleaseAfterTheMinimumFreesAtOnceAndMayPassTheLockOn() {
    HandOver hour = new HandOver(10, Duration.ofHours(1));
    DistributedLock lock = scene.client().lock("a", OFTEN.withMinHold(SECOND).withHandOver(hour));
    Lease first = granted(lock.acquireAsync());
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    scene.time.advance(SECOND);
    first.release();
    Lease heir = granted(waiting);
    assertEquals(first.ownerId(), heir.ownerId());
    // The minimum of the second counts from its own grant.
    heir.release();
    scene.time.advance(Duration.ofMillis(999));
    assertTrue(scene.server.owners().containsKey("a"));
    scene.time.advance(Duration.ofMillis(1));
    assertFalse(scene.server.owners().containsKey("a"));
  }

  @Test
  void aReleaseThatIsRepeatedKeepsTheNameForWhatIsLeft() {
    Lease lease = granted(scene.client().lock("a", OFTEN.withMinHold(MINUTE)).acquireAsync());
    scene.server.goAway();
    assertEquals(ReleaseOutcome.UNKNOWN, lease.release());
    scene.time.advance(Duration.ofSeconds(8));
    scene.server.comeBack();
    scene.time.advance(MINUTE.minusSeconds(8).minusMillis(1));
    assertTrue(scene.server.owners().containsKey("a"));
    scene.time.advance(Duration.ofMillis(1));
    assertFalse(scene.server.owners().containsKey("a"));
  }

  @Test
  void aGrantThatNobodyWantedAnyMoreHasNoMinimum() {
    DistributedLock lock = scene.client().lock("a", OFTEN.withMinHold(MINUTE));
    scene.server.delayAnswers(Duration.ofMillis(5));
    CompletableFuture<Lease> asked = lock.acquireAsync();
    scene.time.advance(Duration.ofMillis(2));
    asked.cancel(true);
    scene.time.advance(SECOND);
    assertFalse(scene.server.owners().containsKey("a"));
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVER", "CLIENT", "NONE"})
  void aRenewedLeaseEndsAtItsMaximum(Retention retention) {
    Lease lease =
        granted(scene.keeping(retention).lock("a", OFTEN.withMaxHold(MINUTE)).acquireAsync());
    scene.time.advance(Duration.ofSeconds(55));
    assertEquals(Duration.ofSeconds(5), lease.remaining());
    lease.extend(Duration.ofMinutes(10));
    assertEquals(Duration.ofSeconds(5), lease.remaining());
    scene.time.advance(Duration.ofSeconds(5).minusNanos(1));
    assertTrue(lease.isValid());
    scene.time.advance(Duration.ofNanos(1));
    assertFalse(lease.isValid());
    assertEquals(LossReason.MAX_HOLD_REACHED, lease.loss().join().reason());
    assertFalse(scene.server.owners().containsKey("a"), "not freed at the server");
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
  }

  @Test
  void aWaiterThatIsPassedALockHasItForItsOwnMaximum() {
    HandOver hour = new HandOver(10, Duration.ofHours(1));
    DistributedLock lock = scene.client().lock("a", OFTEN.withMaxHold(MINUTE).withHandOver(hour));
    Lease first = granted(lock.acquireAsync());
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    scene.time.advance(Duration.ofSeconds(50));
    first.release();
    Lease heir = granted(waiting);
    assertEquals(first.ownerId(), heir.ownerId());
    scene.time.advance(Duration.ofSeconds(59));
    assertTrue(heir.isValid());
    scene.time.advance(SECOND);
    assertEquals(LossReason.MAX_HOLD_REACHED, heir.loss().join().reason());
  }

  @Test
  void afterALossNobodyHasTheNameForTheDelay() {
    Lease lease = granted(scene.client().lock("a", OFTEN.withLockDelay(MINUTE)).acquireAsync());
    assertTrue(lease.remaining().compareTo(OFTEN.ttl()) <= 0, "the delay counts as validity");
    scene.server.goAway();
    scene.time.advance(OFTEN.ttl());
    assertEquals(LossReason.UNREACHABLE, lease.loss().join().reason());
    scene.server.comeBack();
    CompletableFuture<Lease> next = scene.client().lock("a", OFTEN).acquireAsync();
    scene.time.advance(MINUTE.minusSeconds(1));
    assertFalse(next.isDone());
    scene.time.advance(Duration.ofSeconds(2));
    assertTrue(granted(next).isValid());
  }

  @Test
  void theDelayIsKeptByTheServerThoughTheClientIsClosed() {
    LockClient client = scene.client();
    Lease lease = granted(client.lock("a", OFTEN.withLockDelay(MINUTE)).acquireAsync());
    client.close();
    assertEquals(LossReason.CLIENT_CLOSED, lease.loss().join().reason());
    scene.time.advance(MINUTE.minusMillis(1));
    assertTrue(scene.server.owners().containsKey("a"));
    scene.time.advance(Duration.ofMillis(1));
    assertFalse(scene.server.owners().containsKey("a"));
  }

  @Test
  void aReleaseAndAnAdministratorFreeAtOnceInSpiteOfTheDelay() {
    DistributedLock lock = scene.client().lock("a", OFTEN.withLockDelay(MINUTE));
    assertEquals(ReleaseOutcome.RELEASED, granted(lock.acquireAsync()).release());
    assertFalse(scene.server.owners().containsKey("a"));
    Lease lease = granted(lock.acquireAsync());
    scene.server.revoke("a");
    Lease next = granted(scene.client().lock("a", OFTEN).acquireAsync());
    scene.time.advance(Duration.ofSeconds(5));
    assertEquals(LossReason.REVOKED, lease.loss().join().reason());
    assertTrue(next.isValid(), "the lost lease took the next one's lock");
  }

  @Test
  void aRenewalKeepsTheDelayOnTop() {
    Lease lease = granted(scene.client().lock("a", OFTEN.withLockDelay(MINUTE)).acquireAsync());
    scene.time.advance(Duration.ofMinutes(10));
    assertTrue(lease.isValid());
    assertTrue(lease.remaining().compareTo(OFTEN.ttl()) <= 0);
    Duration kept = scene.client().inspector().holder("a").orElseThrow().expiresIn().orElseThrow();
    assertTrue(kept.compareTo(lease.remaining().plus(MINUTE)) >= 0, "" + kept);
  }

  @Test
  void holdTimesThatCannotBeKeptAreRefusedAndOthersAreNamed() {
    LockOptions delayed = OFTEN.withLockDelay(MINUTE);
    for (Retention less : List.of(Retention.CLIENT, Retention.NONE)) {
      LockConfigurationException refused =
          assertThrows(
              LockConfigurationException.class, () -> scene.client(less).lock("a", delayed));
      assertTrue(String.valueOf(refused.getMessage()).contains("[memory]"));
    }
    LockOptions least = OFTEN.withMinHold(MINUTE);
    assertThrows(
        LockConfigurationException.class, () -> scene.client(Retention.NONE).lock("a", least));
    assertThrows(
        LockConfigurationException.class,
        () -> scene.client(Retention.NONE).lock("a", OFTEN).with(least));
  }

  @Test
  void boundsAreCheckedTogether() {
    assertThrows(
        IllegalArgumentException.class,
        () -> HoldTimes.none().withMaximum(SECOND).withMinimum(MINUTE));
    assertThrows(
        IllegalArgumentException.class, () -> HoldTimes.none().withMinimum(SECOND.negated()));
    assertThrows(IllegalArgumentException.class, () -> HoldTimes.none().withMaximum(Duration.ZERO));
    assertThrows(
        IllegalArgumentException.class, () -> HoldTimes.none().withLockDelay(SECOND.negated()));
    assertThrows(IllegalArgumentException.class, () -> FIXED.withMinHold(MINUTE));
    assertThrows(
        IllegalArgumentException.class,
        () -> OFTEN.withMinHold(MINUTE).withRenewal(Renewal.none()));
    assertEquals(SECOND, FIXED.withMinHold(SECOND).holdTimes().minimum());
  }

  @Test
  void aGrantThatIsCancelledBeforeItArrivesKeepsNoName() {
    List<Runnable> callbacks = new ArrayList<>();
    LockClient client =
        scene.server.open(ClientOptions.defaults().withCallbackExecutor(callbacks::add));
    CompletableFuture<Lease> asked = client.lock("a", OFTEN.withMinHold(MINUTE)).acquireAsync();
    assertTrue(scene.server.owners().containsKey("a"));
    assertFalse(asked.isDone());
    asked.cancel(true);
    while (!callbacks.isEmpty()) {
      callbacks.remove(0).run();
    }
    assertFalse(scene.server.owners().containsKey("a"));
    client.close();
  }
}
