/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Reentry;
import io.holdfast.lock.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Permits of a capacity, on a clock driven by hand. */
class SemaphoreTest {

  private static final LockOptions OPTIONS =
      MemoryHarness.TEN_SECONDS.withHandOver(HandOver.none());

  private final MemoryHarness scene = new MemoryHarness();
  private final LockClient client = scene.client();
  private final DistributedSemaphore three = client.semaphore("a", 3, OPTIONS);
  private final DistributedSemaphore elsewhere = scene.client().semaphore("a", 3, OPTIONS);

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void asManyHoldAsThereArePermits() {
    Lease one = granted(three.permit().acquireAsync());
    granted(three.permit().acquireAsync());
    granted(elsewhere.permit().acquireAsync());
    CompletableFuture<Lease> here = three.permit().acquireAsync();
    CompletableFuture<Lease> there = elsewhere.permit().acquireAsync();
    assertFalse(here.isDone());
    assertFalse(there.isDone());
    one.release();
    assertNotEquals(here.isDone(), there.isDone());
  }

  @Test
  void morePermitsThanThereAreAndNoneAreRefused() {
    for (int count : List.of(4, 0, -1)) {
      assertThrows(IllegalArgumentException.class, () -> three.permits(count), () -> "of " + count);
    }
  }

  @Test
  void leasesOfOneClientHaveOwnersOfTheirOwn() {
    Lease one = granted(three.permit().acquireAsync());
    Lease two = granted(three.permits(2).acquireAsync());
    assertNotEquals(one.ownerId(), two.ownerId());
    assertEquals(
        List.of(Share.of(1, 3), Share.of(2, 3)),
        client.inspector().holders("a").stream().map(LockHolder::share).toList());
    LockStatus status = client.status().locks().get(0);
    assertEquals(2, status.leases());
    assertEquals(0, status.waiters());
    assertEquals(Optional.of(Share.Mode.PERMITS), status.mode());
    CompletableFuture<Lease> third = three.permit().acquireAsync();
    two.release();
    granted(third).release();
    one.release();
    client.lock("b").acquireAsync();
    assertEquals(Optional.of(Share.Mode.LOCK), client.status().locks().get(0).mode());
  }

  @Test
  void simultaneousAttemptsGetWhatThereIs() {
    scene.server.delayAnswers(Duration.ofMillis(10));
    List<CompletableFuture<Optional<Lease>>> asked = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      asked.add(three.permit().tryAcquireAsync());
    }
    scene.time.advance(Duration.ofSeconds(1));
    assertEquals(3, asked.stream().filter(answer -> answer.join().isPresent()).count());
  }

  @Test
  void aBigRequestIsServedThoughSmallOnesKeepComing() {
    Lease one = granted(elsewhere.permit().acquireAsync());
    CompletableFuture<Lease> all = three.permits(3).acquireAsync();
    CompletableFuture<Lease> small = elsewhere.permit().acquireAsync();
    assertFalse(small.isDone(), "there is room, but it came later");
    assertEquals(Optional.empty(), elsewhere.permit().tryAcquireAsync().join());
    one.release();
    Lease big = granted(all);
    assertFalse(small.isDone());
    big.release();
    granted(small);
  }

  @Test
  void aBigRequestOfTheSameClientThatGivesUpLetsSmallOnesIn() {
    granted(three.permits(2).acquireAsync());
    CompletableFuture<Lease> big = three.permits(3).acquireAsync();
    CompletableFuture<Lease> small = three.permit().acquireAsync();
    assertFalse(small.isDone());
    big.cancel(true);
    granted(small);
  }

  @Test
  void aThreadThatHasAllPermitsDoesNotWaitForItself() throws InterruptedException {
    DistributedSemaphore strict = client.semaphore("d", 2, OPTIONS.withReentry(Reentry.REFUSE));
    try (Lease one = strict.permit().acquire();
        Lease two = strict.permit().acquire()) {
      assertTrue(one.isValid() && two.isValid());
      assertThrows(IllegalStateException.class, () -> strict.permit().acquire());
    }
  }

  @Test
  void permitsOfAHolderThatDiedComeBack() {
    granted(elsewhere.permits(3).acquireAsync());
    CompletableFuture<Lease> waiting = three.permits(3).acquireAsync();
    scene.server.goAway();
    scene.time.advance(Duration.ofSeconds(10));
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(6));
    granted(waiting);
  }

  @Test
  void theLossOfOneLeavesTheOthers() {
    Lease one = granted(three.permit().acquireAsync());
    Lease two = granted(three.permit().acquireAsync());
    LockHolder first = client.inspector().holders("a").get(0);
    assertEquals(one.ownerId(), first.ownerId().orElseThrow());
    assertTrue(client.inspector().evict(first));
    assertFalse(client.inspector().evict(first));
    scene.time.advance(Duration.ofSeconds(4));
    assertFalse(one.isValid());
    assertTrue(two.isValid());
  }

  @Test
  void aSemaphoreOfOneIsALock() {
    Lease one = granted(client.semaphore("b", 1, OPTIONS).permit().acquireAsync());
    CompletableFuture<Lease> waiting = scene.lock("b").acquireAsync();
    assertFalse(waiting.isDone());
    one.release();
    granted(waiting);
  }

  @Test
  void aLeaseIsPassedOnToAWaiterForAsMuch() {
    DistributedSemaphore passing =
        client.semaphore("c", 3, OPTIONS.withHandOver(HandOver.defaults()));
    Lease two = granted(passing.permits(2).acquireAsync());
    CompletableFuture<Lease> waiting = passing.permits(2).acquireAsync();
    long asked = scene.count(LockEvent.Attempted.class);
    two.release();
    assertEquals(two.ownerId(), granted(waiting).ownerId());
    assertEquals(asked, scene.count(LockEvent.Attempted.class));
  }

  /** It has room, and was kept out by the one before it. */
  @Test
  void aRequestBehindAWaiterThatIsPassedALeaseIsLetIn() {
    DistributedSemaphore passing =
        client.semaphore("c", 3, OPTIONS.withHandOver(HandOver.defaults()));
    Lease two = granted(passing.permits(2).acquireAsync());
    CompletableFuture<Lease> heir = passing.permits(2).acquireAsync();
    CompletableFuture<Lease> behind = passing.permit().acquireAsync();
    assertFalse(behind.isDone());
    two.release();
    assertEquals(two.ownerId(), granted(heir).ownerId());
    granted(behind);
  }

  /** That one has not asked yet, and they have room together. */
  @Test
  void oneThatDoesNotWaitIsNotTurnedAwayByOneThatLetsOtherClientsGoFirst() {
    Lease all = granted(three.permits(3).acquireAsync());
    CompletableFuture<Lease> waiting = three.permit().acquireAsync();
    scene.time.advance(Duration.ofSeconds(1));
    all.release();
    assertFalse(waiting.isDone());
    CompletableFuture<Optional<Lease>> trying = three.permit().tryAcquireAsync();
    scene.time.advance(Duration.ofMillis(2));
    granted(waiting);
    assertTrue(trying.isDone());
    assertTrue(trying.join().isPresent());
  }

  @Test
  void nothingIsLeftBehind() {
    List<Lease> held = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      held.add(granted(three.permit().acquireAsync()));
    }
    CompletableFuture<Lease> waiting = elsewhere.permit().acquireAsync();
    waiting.cancel(true);
    held.forEach(Lease::release);
    assertEquals(0, scene.server.waiters());
    assertEquals(List.of(), client.inspector().held(10));
    assertEquals(List.of(), client.status().locks());
  }
}
