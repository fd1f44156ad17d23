/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Passing on among the waiters of one client, on a clock driven by hand. */
class HandOverTest {

  private static final HandOver LONG = new HandOver(1024, Duration.ofMinutes(1));

  private final MemoryHarness scene = new MemoryHarness();
  private final DistributedLock lock =
      scene.client().lock("a", MemoryHarness.TEN_SECONDS.withHandOver(LONG));

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void timeThatOneLeaseAskedForIsNotPassedOn() {
    Lease first = granted(lock.acquireAsync());
    first.extend(Duration.ofHours(1));
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    first.release();
    Lease second = granted(waiting);
    assertNotEquals(first.ownerId(), second.ownerId());
    assertTrue(second.remaining().compareTo(Duration.ofSeconds(10)) < 0, "" + second.remaining());
  }

  @Test
  void listenersHearOfTheReleaseBeforeTheNextGrant() {
    Lease first = granted(lock.acquireAsync());
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    scene.events.clear();
    first.release();
    assertEquals(first.ownerId(), granted(waiting).ownerId());
    assertFalse(first.isValid());
    assertEquals(Duration.ZERO, first.remaining());
    assertEquals(
        List.of(LockEvent.Released.class, LockEvent.Granted.class),
        scene.events.stream().map(LockEvent::getClass).toList());
  }

  @Test
  void aLeasePassedOnAfterARevocationIsRefusedByItsTokenAndLostAtTheNextRenewal() {
    Lease first = granted(lock.acquireAsync());
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    scene.server.revoke("a");
    Lease elsewhere = granted(scene.lock("a").acquireAsync());
    first.release();
    Lease heir = granted(waiting);
    assertTrue(heir.fencingToken() < elsewhere.fencingToken());
    scene.time.advance(Duration.ofSeconds(4));
    assertFalse(heir.isValid());
    assertTrue(elsewhere.isValid());
  }

  /** Between the release and the next grant there is no lease that could be told. */
  @Test
  void aLossWhileTheLockIsPassedOnIsToldToTheHeir() {
    LockClient client = scene.client();
    DistributedLock passed = client.lock("b", MemoryHarness.TEN_SECONDS.withHandOver(LONG));
    Lease first = granted(passed.acquireAsync());
    CompletableFuture<Lease> waiting = passed.acquireAsync();
    client.addListener(
        event -> {
          if (event instanceof LockEvent.Released) {
            scene.server.goAway();
            scene.time.advance(MemoryHarness.TEN_SECONDS.ttl());
          }
        });
    assertEquals(ReleaseOutcome.RELEASED, first.release());
    Lease heir = granted(waiting);
    assertEquals(first.ownerId(), heir.ownerId());
    assertTrue(heir.loss().isDone(), "not told");
    assertFalse(heir.isValid());
    assertEquals(1, scene.count(LockEvent.Lost.class));
    scene.server.comeBack();
    // The lease that could not be given back is given back now.
    scene.time.advance(Duration.ofSeconds(2));
    assertEquals(Map.of(), scene.server.owners());
  }

  @Test
  void aTenureEndsWhenItsTokensAreUsedUp() {
    Lease before = granted(lock.acquireAsync());
    String first = before.ownerId();
    List<CompletableFuture<Lease>> waiting = new ArrayList<>();
    for (int i = 0; i < 2 * LONG.maxLeases(); i++) {
      waiting.add(lock.acquireAsync());
    }
    int passedOn = 0;
    for (CompletableFuture<Lease> next : waiting) {
      before.release();
      Lease lease = granted(next);
      assertTrue(
          lease.fencingToken() > before.fencingToken(),
          lease.fencingToken() + " after " + before.fencingToken());
      passedOn += lease.ownerId().equals(first) ? 1 : 0;
      before = lease;
    }
    assertEquals(LONG.maxLeases() - 1, passedOn);
  }

  @Test
  void aTenureEndsAfterSoManyLeases() {
    DistributedLock three =
        scene
            .client()
            .lock("b", MemoryHarness.TEN_SECONDS.withHandOver(new HandOver(3, LONG.maxTime())));
    assertEquals(List.of(3, 3, 2), tenures(three, 8));
  }

  @Test
  void aTenureEndsAfterItsTime() {
    HandOver brief = new HandOver(1024, Duration.ofMillis(50));
    DistributedLock timed = scene.client().lock("b", MemoryHarness.TEN_SECONDS.withHandOver(brief));
    Lease first = granted(timed.acquireAsync());
    CompletableFuture<Lease> second = timed.acquireAsync();
    CompletableFuture<Lease> third = timed.acquireAsync();
    scene.time.advance(Duration.ofMillis(50).minusNanos(1));
    first.release();
    assertEquals(first.ownerId(), granted(second).ownerId());
    scene.time.advance(Duration.ofNanos(1));
    granted(second).release();
    scene.time.advance(Duration.ofMillis(10));
    assertNotEquals(first.ownerId(), granted(third).ownerId());
  }

  /** Of the ten seconds that were granted, less the margin of 102 ms, it has to be five. */
  @Test
  void anHeirHasHalfOfWhatWasGrantedBeforeIt() {
    for (Duration waited : List.of(Duration.ofMillis(4_897), Duration.ofMillis(4_898))) {
      DistributedLock other = scene.lock(waited.toString()).with(lock.options());
      Lease first = granted(other.acquireAsync());
      CompletableFuture<Lease> waiting = other.acquireAsync();
      scene.server.goAway();
      scene.time.advance(waited);
      CompletableFuture<?> released = first.releaseAsync();
      assertEquals(waited.toMillis() < 4_898, waiting.isDone(), waited.toString());
      scene.server.comeBack();
      scene.time.advance(Duration.ofSeconds(5));
      assertTrue(released.isDone());
      granted(waiting).release();
    }
  }

  @Test
  void aWaiterWithOtherTermsIsNotPassedTheLock() {
    LockOptions options = MemoryHarness.TEN_SECONDS.withHandOver(LONG);
    for (LockOptions other :
        List.of(
            options.withTtl(Duration.ofSeconds(20)),
            options.withRenewal(Renewal.every(Duration.ofSeconds(1))),
            options.withRenewal(Renewal.none()),
            options.withHandOver(new HandOver(LONG.maxLeases(), Duration.ofMinutes(2))))) {
      Lease first = granted(lock.acquireAsync());
      CompletableFuture<Lease> waiting = lock.with(other).acquireAsync();
      first.release();
      Lease second = granted(waiting);
      assertNotEquals(first.ownerId(), second.ownerId(), other.toString());
      second.release();
    }
  }

  /** Without hand-over, the lock is free at the server in between. */
  @Test
  @Timeout(60)
  void tryLockDoesNotOvertakeWaitersOfItsClientWithoutHandOver() {
    DistributedLock none =
        scene.client().lock("b", MemoryHarness.TEN_SECONDS.withHandOver(HandOver.none()));
    JavaLock view = none.asJavaLock();
    Lease before = granted(none.acquireAsync());
    List<CompletableFuture<Lease>> waiting = List.of(none.acquireAsync(), none.acquireAsync());
    scene.server.delayRequests(Duration.ofMillis(10));
    scene.server.delayAnswers(Duration.ofMillis(10));
    for (CompletableFuture<Lease> next : waiting) {
      before.releaseAsync();
      int millis = 0;
      for (; millis < 1_000 && !next.isDone(); millis++) {
        assertFalse(view.tryLock(), millis + " ms after the release");
        scene.time.advance(Duration.ofMillis(1));
      }
      assertTrue(millis >= 20, "too quick for a request and its answer: " + millis + " ms");
      assertFalse(view.tryLock(), "it is held");
      before = granted(next);
    }
    scene.server.delayRequests(Duration.ZERO);
    scene.server.delayAnswers(Duration.ZERO);
    before.release();
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(view.tryLock(), "nobody waits");
    view.unlock();
  }

  /** How many leases each tenure had, in the order of the waiters. */
  private static List<Integer> tenures(DistributedLock of, int leases) {
    List<CompletableFuture<Lease>> all = new ArrayList<>();
    for (int i = 0; i < leases; i++) {
      all.add(of.acquireAsync());
    }
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (CompletableFuture<Lease> one : all) {
      counts.merge(granted(one).ownerId(), 1, Integer::sum);
      one.join().release();
    }
    return List.copyOf(counts.values());
  }
}
