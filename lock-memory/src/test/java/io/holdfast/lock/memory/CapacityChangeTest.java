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
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Semaphores whose capacity is changed, or that are asked for with two, on a clock driven by hand.
 */
class CapacityChangeTest {

  private static final LockOptions OPTIONS =
      MemoryHarness.TEN_SECONDS.withHandOver(HandOver.none());

  private final MemoryHarness scene = new MemoryHarness();
  private final LockClient client = scene.client();
  private final DistributedSemaphore three = client.semaphore("a", 3, OPTIONS);
  private final DistributedSemaphore eight = client.semaphore("a", 8, OPTIONS);
  private final DistributedSemaphore elsewhere = scene.client().semaphore("a", 3, OPTIONS);

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void anotherCapacityIsRefusedUntilItIsChanged() {
    DistributedSemaphore five = scene.client().semaphore("a", 5, OPTIONS);
    Lease one = granted(three.permits(3).acquireAsync());
    CompletionException failed =
        assertThrows(CompletionException.class, () -> five.permit().acquireAsync().join());
    LockCapacityException refusal =
        assertInstanceOf(LockCapacityException.class, failed.getCause());
    assertEquals(5, refusal.askedFor());
    assertEquals(3, refusal.inUse());

    assertFalse(client.inspector().changeCapacity("a", 4, 5));
    assertTrue(client.inspector().changeCapacity("a", 3, 5));
    assertTrue(one.isValid());
    granted(five.permits(2).acquireAsync());
    assertEquals(Optional.empty(), five.permit().tryAcquireAsync().join());
    assertThrows(CompletionException.class, () -> elsewhere.permit().acquireAsync().join());
  }

  @Test
  void aClientThatHoldsOfTheOldCapacityUsesTheNewOne() {
    Lease one = granted(three.permits(3).acquireAsync());
    CompletableFuture<Lease> waiting = three.permit().acquireAsync();
    refused(eight.permit().tryAcquireAsync(), 3);
    refused(eight.permits(8).tryAcquireAsync(), 3);
    assertFalse(waiting.isDone());
    assertTrue(scene.client().inspector().changeCapacity("a", 3, 8));

    Lease more = eight.permit().tryAcquireAsync().join().orElseThrow();
    assertTrue(one.isValid());
    refused(waiting, 8);
    refused(three.permit().tryAcquireAsync(), 8);
    refused(three.permits(3).acquireAsync(), 8);
    assertEquals(Optional.empty(), eight.permits(5).tryAcquireAsync().join());
    more.release();
    granted(eight.permits(5).acquireAsync());
  }

  /** The message about a change may come late, or not at all. */
  @Test
  void whatAWaiterWasToldBeforeAChangeDoesNotCountAfterIt() {
    LockClient deaf = scene.deafClient();
    granted(elsewhere.permits(3).acquireAsync());
    CompletableFuture<Lease> old = deaf.semaphore("a", 3, OPTIONS).permit().acquireAsync();
    DistributedLock another = deaf.semaphore("a", 8, OPTIONS).permit();
    refused(another.acquireAsync(), 3);
    refused(another.tryAcquireAsync(), 3);
    assertFalse(old.isDone());

    assertTrue(client.inspector().changeCapacity("a", 3, 8));
    Lease lease = another.tryAcquireAsync().join().orElseThrow();
    refused(old, 8);
    lease.release();
    granted(another.acquireAsync());
  }

  /** It may have been on its way when the capacity was changed. */
  @Test
  void theAnswerToAnEarlierAttemptDoesNotCountEither() {
    LockClient deaf = scene.deafClient();
    granted(elsewhere.permits(3).acquireAsync());
    scene.server.delayAnswers(Duration.ofMillis(10));
    CompletableFuture<Lease> old = deaf.semaphore("a", 3, OPTIONS).permit().acquireAsync();
    scene.time.advance(Duration.ofMillis(5));
    scene.server.delayAnswers(Duration.ZERO);
    assertTrue(client.inspector().changeCapacity("a", 3, 8));
    DistributedLock another = deaf.semaphore("a", 8, OPTIONS).permit();
    CompletableFuture<Optional<Lease>> now = another.tryAcquireAsync();
    CompletableFuture<Lease> later = another.acquireAsync();
    assertFalse(now.isDone());
    scene.time.advance(Duration.ofMillis(50));
    assertTrue(now.join().isPresent());
    granted(later);
    refused(old, 8);
  }

  @Test
  void aBigRequestOfTheNewCapacityWaitsAndThoseOfTheOldAreRefused() {
    Lease one = granted(three.permits(3).acquireAsync());
    CompletableFuture<Lease> old = three.permit().acquireAsync();
    assertTrue(scene.client().inspector().changeCapacity("a", 3, 8));
    CompletableFuture<Lease> all = eight.permits(8).acquireAsync();
    assertFalse(all.isDone());
    refused(old, 8);
    refused(three.permit().acquireAsync(), 8);
    CompletableFuture<Lease> next = eight.permit().acquireAsync();
    one.release();
    Lease big = granted(all);
    assertFalse(next.isDone());
    big.release();
    granted(next);
  }

  @Test
  void capacitiesThatAreAskedForAtTheSameTimeAreDecidedByTheServer() {
    granted(three.permits(2).acquireAsync());
    scene.server.delayAnswers(Duration.ofMillis(10));
    CompletableFuture<Optional<Lease>> first = eight.permit().tryAcquireAsync();
    CompletableFuture<Optional<Lease>> second = eight.permit().tryAcquireAsync();
    CompletableFuture<Lease> right = three.permit().acquireAsync();
    scene.time.advance(Duration.ofSeconds(1));
    refused(first, 3);
    refused(second, 3);
    Lease granted = granted(right);
    scene.server.delayAnswers(Duration.ZERO);
    assertTrue(scene.client().inspector().changeCapacity("a", 3, 8));
    scene.server.delayAnswers(Duration.ofMillis(10));
    granted.releaseAsync();
    CompletableFuture<Lease> old = three.permit().acquireAsync();
    CompletableFuture<Lease> several = eight.permits(6).acquireAsync();
    scene.time.advance(Duration.ofSeconds(1));
    refused(old, 8);
    granted(several);
  }

  @Test
  void waitersOfAnotherCapacityKeepTheirOrder() {
    granted(three.permits(3).acquireAsync());
    assertTrue(scene.client().inspector().changeCapacity("a", 3, 8));
    scene.server.delayAnswers(Duration.ofMillis(10));
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int place = i;
      eight.permit().acquireAsync().thenAccept(lease -> order.add(place));
    }
    scene.time.advance(Duration.ofSeconds(1));
    assertEquals(List.of(0, 1, 2, 3), order);
  }

  @Test
  void requestsOfAWrongCapacityDoNotKeepOutWhoHasRoom() {
    granted(three.permit().acquireAsync());
    scene.server.delayAnswers(Duration.ofMillis(10));
    CompletableFuture<Lease> wrong = eight.permit().acquireAsync();
    CompletableFuture<Lease> alsoWrong = eight.permit().acquireAsync();
    CompletableFuture<Lease> right = three.permit().acquireAsync();
    for (int i = 0; i < 10; i++) {
      scene.time.advance(Duration.ofMillis(10));
      wrong = wrong.isDone() ? eight.permit().acquireAsync() : wrong;
      alsoWrong = alsoWrong.isDone() ? eight.permit().acquireAsync() : alsoWrong;
    }
    assertTrue(right.isDone(), "there are two free permits");
  }

  @Test
  void anOutageSaysNothingAboutTheCapacity() {
    granted(three.permit().acquireAsync());
    assertTrue(scene.client().inspector().changeCapacity("a", 3, 8));
    scene.server.goAway();
    CompletableFuture<Lease> old = three.permit().acquireAsync();
    CompletableFuture<Lease> asked = eight.permit().acquireAsync();
    assertFalse(asked.isDone());
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(2));
    refused(old, 8);
    granted(asked);
  }

  @Test
  void oneThatDoesNotWaitIsNotTurnedAwayByThoseOfTheOldCapacity() {
    granted(three.permits(2).acquireAsync());
    assertTrue(scene.client().inspector().changeCapacity("a", 3, 8));
    scene.server.delayAnswers(Duration.ofMillis(10));
    for (int i = 0; i < 4; i++) {
      three.permits(2).acquireAsync();
    }
    CompletableFuture<Optional<Lease>> first = eight.permit().tryAcquireAsync();
    CompletableFuture<Optional<Lease>> second = eight.permit().tryAcquireAsync();
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(first.join().isPresent());
    assertTrue(second.join().isPresent());
  }

  @Test
  void aSmallerCapacityIsKeptOnceLeasesFit() {
    DistributedSemaphore two = scene.client().semaphore("a", 2, OPTIONS);
    Lease one = granted(three.permits(2).acquireAsync());
    Lease other = granted(elsewhere.permit().acquireAsync());
    assertTrue(client.inspector().changeCapacity("a", 3, 2));
    CompletableFuture<Lease> waiting = two.permit().acquireAsync();
    other.release();
    assertFalse(waiting.isDone());
    one.release();
    granted(waiting);
  }

  @Test
  void aHolderOfMoreThanTheSmallerCapacityIsToldToHoldAllOfIt() {
    granted(eight.permits(2).acquireAsync());
    Lease five = granted(eight.permits(5).acquireAsync());
    assertTrue(client.inspector().changeCapacity("a", 8, 3));
    List<Share> told =
        client.inspector().holders("a").stream().map(holder -> holder.share()).toList();
    assertEquals(List.of(Share.of(2, 3), Share.of(3, 3)), told);
    assertEquals(Share.of(5, 8), five.share());
    assertTrue(five.isValid());
  }

  /** With one permit it would be a lock, and with so many a read-write lock. */
  @Test
  void aCapacityThatNoSemaphoreHasIsRefused() {
    granted(three.permit().acquireAsync());
    for (int other : new int[] {-1, 0, 1, Share.MOST_PERMITS + 1, Integer.MAX_VALUE}) {
      assertThrows(
          IllegalArgumentException.class, () -> client.inspector().changeCapacity("a", 3, other));
      assertThrows(
          IllegalArgumentException.class, () -> client.inspector().changeCapacity("a", other, 3));
    }
    assertTrue(client.inspector().changeCapacity("a", 3, Share.MOST_PERMITS));
    assertTrue(client.inspector().changeCapacity("a", Share.MOST_PERMITS, 2));
  }

  /** One semaphore can become another; nothing else can, so the server need not be asked. */
  @Test
  void theServerIsAskedForAnotherCapacityOnlyWhereItMayHaveChanged() {
    granted(client.lock("lock", OPTIONS).acquireAsync());
    granted(client.readWriteLock("shared", OPTIONS).readLock().acquireAsync());
    granted(client.semaphore("permits", Share.MOST_PERMITS, OPTIONS).permit().acquireAsync());
    scene.events.clear();
    refused(permitOfTwo("lock"), 1);
    refused(permitOfTwo("shared"), Share.READ_WRITE_CAPACITY);
    assertEquals(0, scene.count(LockEvent.Attempted.class));
    refused(permitOfTwo("permits"), Share.MOST_PERMITS);
    assertEquals(1, scene.count(LockEvent.Attempted.class));
  }

  private CompletableFuture<?> permitOfTwo(String name) {
    return client.semaphore(name, 2, OPTIONS).permit().tryAcquireAsync();
  }

  private static void refused(CompletableFuture<?> asked, int inUse) {
    assertTrue(asked.isDone(), "neither refused nor granted");
    CompletionException failed = assertThrows(CompletionException.class, asked::join);
    LockCapacityException refusal =
        assertInstanceOf(LockCapacityException.class, failed.getCause());
    assertEquals(inUse, refusal.inUse());
  }
}
