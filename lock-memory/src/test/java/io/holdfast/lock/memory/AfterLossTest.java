/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.TEN_SECONDS;
import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.JavaReadWriteLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The time after a lease, or a place in the queue of a backend, was lost. */
class AfterLossTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final LockOptions LEAST = TEN_SECONDS.withMinHold(MINUTE);

  /** A little more than a third of the TTL. */
  private static final Duration A_RENEWAL = Duration.ofSeconds(4);

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  /** While its claim is given back, what was lost still belongs to the client. */
  @Test
  void aReaderThatComesThenSharesNothingThatIsLost() {
    DistributedLock lock =
        scene
            .client()
            .readWriteLock("a", TEN_SECONDS.withHandOver(new HandOver(1024, MINUTE)))
            .readLock();
    Lease lost = granted(lock.acquireAsync());
    scene.server.revoke("a");
    scene.time.advance(Duration.ofSeconds(3));
    scene.server.delayAnswers(Duration.ofMillis(500));
    // The renewal is sent after 3.33 s and the release after 3.83 s, which lasts until 4.33 s.
    scene.time.advance(Duration.ofMillis(900));
    assertFalse(lost.isValid());
    CompletableFuture<Lease> next = lock.acquireAsync();
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofSeconds(1));
    assertTrue(granted(next).isValid());
    assertNotEquals(lost.ownerId(), next.join().ownerId());
    assertEquals(1, scene.count(LockEvent.Lost.class));
  }

  @Test
  void aNameThatTheClientKeptEndsOnce() {
    LockClient client = scene.client(Retention.CLIENT);
    granted(client.lock("a", LEAST).acquireAsync()).release();
    scene.server.revoke("a");
    scene.time.advance(A_RENEWAL);
    Lease next = granted(client.lock("a", TEN_SECONDS).acquireAsync());
    // The minimum of the first passes.
    scene.time.advance(MINUTE);
    assertTrue(next.isValid());
    assertEquals(Map.of("a", next.ownerId()), scene.server.owners());
    assertEquals(1, client.status().locks().size(), "the client has forgotten what it holds");
    CompletableFuture<Lease> waiting = client.lock("a", TEN_SECONDS).acquireAsync();
    assertFalse(waiting.isDone());
    next.release();
    scene.time.advance(Duration.ofSeconds(1));
    granted(waiting).release();
    assertEquals(List.of(), client.status().locks());
  }

  @ParameterizedTest
  @EnumSource(names = {"SERVER", "CLIENT"})
  void theOtherLocksOfTheLeaseKeepTheirMinimum(Retention retention) {
    LockClient client = scene.keeping(retention);
    Lease lease = granted(client.allOf(List.of("a", "b"), LEAST).acquireAsync());
    scene.server.revoke("a");
    scene.time.advance(A_RENEWAL);
    assertEquals("a", lease.loss().join().lockName());
    scene.time.advance(MINUTE.minus(A_RENEWAL).minusMillis(1));
    assertEquals(Set.of("b"), scene.taken());
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(Set.of(), scene.taken());
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // Tests unlock itself.
  void aReaderUnderTheWriteLockIsToldAtEachUnlock() {
    JavaReadWriteLock view = scene.client().readWriteLock("a", TEN_SECONDS).asJavaReadWriteLock();
    view.writeLock().lock();
    view.readLock().lock();
    scene.server.revoke("a");
    scene.time.advance(A_RENEWAL);
    assertThrows(LockLostException.class, () -> view.readLock().unlock());
    assertThrows(LockLostException.class, () -> view.writeLock().unlock());
    view.writeLock().lock();
    view.writeLock().unlock();
    assertEquals(Set.of(), scene.taken());
  }

  @Test
  void aWaiterThatHasLostItsPlaceIsGrantedTheLockAtItsNextAttempt() {
    Lease held = granted(scene.lock("a").acquireAsync());
    List<ClaimSignals> places = new ArrayList<>();
    try (LockClient client = signalling(places, new ArrayList<>())) {
      List<LockEvent> told = new ArrayList<>();
      client.addListener(told::add);
      CompletableFuture<Lease> waiting = client.lock("a", TEN_SECONDS).acquireAsync();
      assertEquals(1, attempts(told));
      places.get(0).lost(LossReason.SESSION_ENDED);
      assertEquals(2, attempts(told), "it asks with its next poll only, and others come first");
      assertFalse(waiting.isDone());
      held.release();
      assertTrue(granted(waiting).isValid());
      assertEquals(1, places.size(), "a claim that was granted the lock was given up");
    }
  }

  @Test
  void aHolderThatHasLostItsSessionHoldsNothing() {
    List<ClaimSignals> places = new ArrayList<>();
    try (LockClient client = signalling(places, new ArrayList<>())) {
      Lease lease = granted(client.lock("a", TEN_SECONDS).acquireAsync());
      places.get(0).lost(LossReason.SESSION_ENDED);
      assertFalse(lease.isValid());
      assertEquals(LossReason.SESSION_ENDED, lease.loss().join().reason());
      assertEquals(Set.of(), scene.taken());
    }
  }

  private static long attempts(List<LockEvent> told) {
    return told.stream().filter(LockEvent.Attempted.class::isInstance).count();
  }

  /** The session that it came from is over. */
  @Test
  void aGrantThatIsOnItsWayThenIsNotHandedOut() {
    List<ClaimSignals> places = new ArrayList<>();
    List<String> owners = new ArrayList<>();
    scene.server.delayAnswers(Duration.ofMillis(100));
    try (LockClient client = signalling(places, owners)) {
      CompletableFuture<Lease> asked = client.lock("a", TEN_SECONDS).acquireAsync();
      scene.time.advance(Duration.ofMillis(1));
      assertEquals(Map.of("a", owners.get(0)), scene.server.owners());
      places.get(0).lost(LossReason.SESSION_ENDED);
      scene.server.delayAnswers(Duration.ZERO);
      scene.time.advance(Duration.ofSeconds(1));
      assertEquals(2, owners.size());
      assertEquals(owners.get(1), granted(asked).ownerId());
      assertEquals(Map.of("a", owners.get(1)), scene.server.owners());
    }
  }

  /** One whose claims tell how to signal to them, and whose they are. */
  private LockClient signalling(List<ClaimSignals> places, List<String> owners) {
    return Locks.using(
        new ForwardingBackend(scene.server) {
          @Override
          public RenewableClaim claim(ClaimRequest request, ClaimSignals signals) {
            places.add(signals);
            owners.add(request.ownerId());
            return super.claim(request, signals);
          }
        },
        ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(scene.time));
  }
}
