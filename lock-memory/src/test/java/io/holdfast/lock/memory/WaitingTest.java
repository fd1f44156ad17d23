/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Retry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The engine's waiting, on a clock driven by hand. */
class WaitingTest {

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void aReleaseWakesTheWaiterOfAnotherClientWithoutAnyTimePassing() {
    Lease first = granted(scene.lock("a").acquireAsync());
    CompletableFuture<Lease> waiter = scene.lock("a").acquireAsync();
    assertFalse(waiter.isDone());
    first.release();
    Lease second = granted(waiter);
    assertTrue(second.fencingToken() > first.fencingToken());
    assertEquals(Map.of("a", second.ownerId()), scene.server.owners());
  }

  @Test
  void aRevokedLockIsFoundByPollingWithinTheLongestPause() {
    granted(scene.lock("a").acquireAsync());
    CompletableFuture<Lease> waiter = scene.lock("a").acquireAsync();
    scene.server.revoke("a");
    scene.time.advance(Duration.ofMillis(1001));
    assertTrue(granted(waiter).isValid());
  }

  @Test
  void aWaitOfAnyLengthEndsWithTheLock() {
    Lease first = granted(scene.lock("a").acquireAsync());
    CompletableFuture<Optional<Lease>> waiter =
        scene.lock("a").tryAcquireAsync(Duration.ofSeconds(Long.MAX_VALUE));
    CompletableFuture<Optional<Lease>> another =
        scene.lock("a").tryAcquireAsync(Duration.ofNanos(Long.MAX_VALUE));
    first.release();
    waiter.getNow(Optional.empty()).orElseThrow().release();
    assertTrue(another.getNow(Optional.empty()).isPresent());
  }

  @Test
  void pausesDoubleUpToTheLongest() {
    granted(scene.lock("a").acquireAsync());
    scene.lock("a").acquireAsync();
    scene.events.clear();
    // Pauses of 50, 100, 200, 400, 800, 1000, 1000 ... end at 50, 150, 350, 750, 1550, 2550 ms.
    scene.time.advance(Duration.ofMillis(2560));
    assertEquals(6, scene.count(LockEvent.Attempted.class));
  }

  @Test
  void aWakeUpDuringAnAttemptLeavesOutOnePauseAndNoMore() {
    Lease first = granted(scene.lock("a").acquireAsync());
    DistributedLock rival = scene.lock("a");
    scene.server.delayAnswers(Duration.ofMillis(10));
    CompletableFuture<Lease> waiter = scene.lock("a").acquireAsync();
    scene.time.advance(Duration.ofMillis(1));
    first.releaseAsync();
    CompletableFuture<Lease> second = rival.acquireAsync();
    scene.events.clear();
    // An answer takes 10 ms. The first, which the wake-up came before, has no pause behind it; the
    // next have 50, 100, 200, 400 ... ms. So attempts follow at 10, 70, 180, 390 and 800 ms.
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(granted(second).isValid());
    assertFalse(waiter.isDone());
    assertEquals(5, scene.count(LockEvent.Attempted.class));
  }

  @Test
  void theWaitersOfOneClientAreServedInOrderAndOnlyTheFirstAsksTheServer() {
    LockClient client = scene.client();
    DistributedLock lock = client.lock("a", MemoryHarness.TEN_SECONDS);
    Lease first = granted(lock.acquireAsync());
    CompletableFuture<Lease> second = lock.acquireAsync();
    CompletableFuture<Lease> third = lock.acquireAsync();
    assertEquals(0, scene.server.waiters());
    first.release();
    assertFalse(third.isDone());
    granted(second).release();
    granted(third).release();
    assertEquals(Map.of(), scene.server.owners());
  }

  @Test
  void aClientThatHadALockForAWhileLetsOthersGoFirst() {
    DistributedLock lock = scene.lock("a");
    Lease first = granted(lock.acquireAsync());
    CompletableFuture<Lease> second = lock.acquireAsync();
    scene.time.advance(Duration.ofMillis(60));
    first.release();
    assertFalse(second.isDone());
    Optional<Lease> others = scene.lock("a").tryAcquireAsync().join();
    assertTrue(others.isPresent());
    others.get().release();
    scene.time.advance(Duration.ofMillis(2));
    granted(second);
  }

  @Test
  void aClientThatHadALockForAMomentPausesForNobody() {
    DistributedLock lock =
        scene.client().lock("a", MemoryHarness.TEN_SECONDS.withHandOver(HandOver.none()));
    Lease first = granted(lock.acquireAsync());
    CompletableFuture<Lease> second = lock.acquireAsync();
    scene.time.advance(Duration.ofMillis(1));
    first.release();
    granted(second);
  }

  @Test
  void aWaitThatEndsWhileOthersGoFirstHasTimedOut() {
    DistributedLock lock = scene.lock("a");
    Lease first = granted(lock.acquireAsync());
    CompletableFuture<Optional<Lease>> second = lock.tryAcquireAsync(Duration.ofMillis(61));
    scene.time.advance(Duration.ofMillis(60));
    first.release();
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(Optional.empty(), second.join());
    assertEquals(Map.of(), scene.server.owners());
  }

  @Test
  void aLocalWaiterIsTurnedAwayWithoutAskingIfItDoesNotWait() {
    LockClient client = scene.client();
    DistributedLock lock = client.lock("a", MemoryHarness.TEN_SECONDS);
    granted(lock.acquireAsync());
    scene.events.clear();
    assertEquals(Optional.empty(), lock.tryAcquireAsync().join());
    assertEquals(0, scene.count(LockEvent.Attempted.class));
  }

  @Test
  void theLimitOfTimeEndsTheWaitAndLeavesNothing() {
    granted(scene.lock("a").acquireAsync());
    CompletableFuture<Optional<Lease>> trying =
        scene.lock("a").tryAcquireAsync(Duration.ofSeconds(3));
    CompletableFuture<Lease> insisting = scene.lock("a").acquireAsync(Duration.ofSeconds(3));
    scene.time.advance(Duration.ofMillis(2999));
    assertFalse(trying.isDone());
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(Optional.empty(), trying.join());
    assertInstanceOf(
        LockTimeoutException.class,
        assertThrows(CompletionException.class, insisting::join).getCause());
    assertEquals(0, scene.server.waiters());
  }

  @Test
  void theLimitOfAttemptsEndsTheWait() {
    Lease held = granted(scene.lock("a").acquireAsync());
    DistributedLock lock = scene.lock("a");
    CompletableFuture<Lease> waiter =
        lock.with(lock.options().withRetry(Retry.defaults().withJitter(0).withMaxAttempts(3)))
            .acquireAsync();
    scene.time.advance(Duration.ofSeconds(5));
    assertInstanceOf(
        LockTimeoutException.class,
        assertThrows(CompletionException.class, waiter::join).getCause());
    assertTrue(held.isValid());
  }

  @Test
  void theLimitOfAttemptsEndsTheWaitForAnotherOfTheSameClient() {
    DistributedLock lock = scene.lock("a");
    Lease held = granted(lock.acquireAsync());
    CompletableFuture<Lease> waiter =
        lock.with(lock.options().withRetry(Retry.defaults().withJitter(0).withMaxAttempts(3)))
            .acquireAsync();
    assertFalse(waiter.isDone());
    scene.time.advance(Duration.ofSeconds(5));
    assertInstanceOf(
        LockTimeoutException.class,
        assertThrows(CompletionException.class, waiter::join).getCause());
    assertTrue(held.isValid());
    held.release();
    assertEquals(Map.of(), scene.server.owners());
  }

  @Test
  void cancellingEndsTheWaitAndLeavesNothing() {
    Lease held = granted(scene.lock("a").acquireAsync());
    CompletableFuture<Lease> waiter = scene.lock("a").acquireAsync();
    assertEquals(1, scene.server.waiters());
    waiter.cancel(false);
    assertEquals(0, scene.server.waiters());
    held.release();
    assertEquals(Map.of(), scene.server.owners());
  }

  @Test
  void cancellingWhileTheAnswerIsOnItsWayGivesTheLockBack() {
    scene.server.delayAnswers(Duration.ofMillis(500));
    CompletableFuture<Lease> waiter = scene.lock("a").acquireAsync();
    scene.time.advance(Duration.ofMillis(100));
    assertEquals(1, scene.server.owners().size());
    waiter.cancel(false);
    scene.time.advance(Duration.ofSeconds(2));
    assertEquals(Map.of(), scene.server.owners());
  }

  @Test
  void aRequestThatArrivesAfterItsSenderGaveUpIsUndone() {
    DistributedLock lock = scene.lock("a");
    scene.server.delayRequests(Duration.ofSeconds(5));
    CompletableFuture<Optional<Lease>> attempt = lock.tryAcquireAsync();
    scene.time.advance(Duration.ofSeconds(1));
    assertInstanceOf(
        LockUnavailableException.class,
        assertThrows(CompletionException.class, attempt::join).getCause());
    scene.server.delayRequests(Duration.ZERO);
    scene.time.advance(Duration.ofSeconds(5));
    assertEquals(Map.of(), scene.server.owners());
  }

  @Test
  void anUnreachableServerIsTriedAgainWithinTheLimitAndIsTheLastWordThen() {
    scene.server.goAway();
    DistributedLock lock = scene.lock("a");
    CompletableFuture<Optional<Lease>> once = lock.tryAcquireAsync();
    assertInstanceOf(
        LockUnavailableException.class,
        assertThrows(CompletionException.class, once::join).getCause());
    CompletableFuture<Lease> patient = lock.acquireAsync(Duration.ofSeconds(10));
    CompletableFuture<Lease> unlucky = scene.lock("a").acquireAsync(Duration.ofSeconds(2));
    scene.time.advance(Duration.ofSeconds(3));
    assertInstanceOf(
        LockUnavailableException.class,
        assertThrows(CompletionException.class, unlucky::join).getCause());
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(granted(patient).isValid());
  }

  @Test
  void aLimitThatEndsBeforeTheAnswerIsALimit() {
    scene.server.delayAnswers(Duration.ofMillis(500));
    CompletableFuture<Optional<Lease>> hasty =
        scene.lock("a").tryAcquireAsync(Duration.ofMillis(20));
    CompletableFuture<Lease> insists = scene.lock("b").acquireAsync(Duration.ofMillis(20));
    scene.time.advance(Duration.ofMillis(20));
    assertEquals(Optional.empty(), hasty.join());
    assertInstanceOf(
        LockTimeoutException.class,
        assertThrows(CompletionException.class, insists::join).getCause());
    scene.time.advance(Duration.ofSeconds(2));
    assertEquals(Map.of(), scene.server.owners());
  }

  @Test
  void tryAcquireIsNotPutBehindAWaiterWhileALeaseIsBeingReleased() {
    DistributedLock lock =
        scene.client().lock("a", MemoryHarness.TEN_SECONDS.withHandOver(HandOver.none()));
    Lease lease = granted(lock.acquireAsync());
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    scene.server.delayAnswers(Duration.ofMillis(500));
    CompletableFuture<ReleaseOutcome> released = lease.releaseAsync();
    CompletableFuture<Optional<Lease>> atOnce = lock.tryAcquireAsync(Duration.ZERO);
    assertFalse(released.isDone());
    assertTrue(atOnce.isDone() && atOnce.join().isEmpty());
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofSeconds(5));
    granted(waiting).release();
  }
}
