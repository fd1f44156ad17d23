/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.JavaLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Loss;
import io.holdfast.lock.Renewal;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leases that nothing refers to any more. */
class LeakTest {

  private static final Duration A_RENEWAL = MemoryHarness.TEN_SECONDS.ttl().dividedBy(2);

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void aLeaseThatNothingRefersToIsReleasedAtItsNextRenewal() {
    dropped(scene.lock("a"));
    assertTrue(scene.lock("a").tryAcquireAsync().join().isEmpty(), "released too early");
    scene.time.advance(A_RENEWAL);
    assertEquals(1, scene.count(LockEvent.Released.class));
    assertEquals(0, scene.count(LockEvent.Renewed.class));
    assertTrue(scene.lock("a").tryAcquireAsync().join().isPresent());
  }

  @Test
  void aLeaseThatSomebodyHasIsRenewed() {
    Lease lease = granted(scene.lock("a").acquireAsync());
    dropped(scene.lock("b"));
    scene.time.advance(A_RENEWAL);
    assertTrue(lease.isValid());
    assertEquals(1, scene.count(LockEvent.Released.class));
  }

  @Test
  void aWaiterOfTheSameClientIsTheNext() {
    DistributedLock lock = scene.lock("a");
    dropped(lock);
    CompletableFuture<Lease> next = lock.acquireAsync();
    scene.time.advance(A_RENEWAL);
    assertTrue(granted(next).isValid());
  }

  @Test
  void aLeaseWhoseLossIsWaitedForIsKept() {
    List<Loss> losses = new ArrayList<>();
    List<CompletableFuture<Loss>> futures = new ArrayList<>();
    List<WeakReference<Lease>> kept = new ArrayList<>();
    keeping(lease -> lease.onLoss(losses::add), "told", kept);
    keeping(lease -> futures.add(lease.loss()), "future", kept);
    keeping(lease -> assertTrue(lease.unwrap(String.class).isEmpty()), "unwrapped", kept);
    keeping(lease -> lease.onRenewalFailing(A_RENEWAL, failed -> {}), "warned", kept);
    System.gc();
    scene.time.advance(A_RENEWAL);
    assertEquals(0, scene.count(LockEvent.Released.class));
    assertFalse(kept.stream().anyMatch(lease -> lease.refersTo(null)));
    scene.server.goAway();
    scene.time.advance(Duration.ofSeconds(20));
    assertEquals(1, losses.size());
    assertTrue(futures.get(0).isDone());
  }

  @Test
  void aLeaseOfSeveralLocksThatNothingRefersToIsReleased() {
    dropped(several());
    assertEquals(Set.of("a", "b"), scene.taken());
    scene.time.advance(A_RENEWAL);
    assertEquals(2, scene.count(LockEvent.Released.class));
    assertEquals(Set.of(), scene.taken());
  }

  @Test
  void aLeaseOfSeveralLocksWhoseLossIsWaitedForIsKept() {
    List<CompletableFuture<Loss>> losses = new ArrayList<>();
    collected(waitedFor(several(), losses));
    scene.time.advance(A_RENEWAL);
    assertEquals(0, scene.count(LockEvent.Released.class));
    assertEquals(Set.of("a", "b"), scene.taken());
    scene.server.revoke("b");
    scene.time.advance(A_RENEWAL);
    assertTrue(losses.get(0).isDone());
    assertEquals("b", losses.get(0).join().lockName());
  }

  private DistributedLock several() {
    return scene.client().allOf(List.of("a", "b"), MemoryHarness.TEN_SECONDS);
  }

  private static WeakReference<Lease> waitedFor(
      DistributedLock lock, List<CompletableFuture<Loss>> losses) {
    Lease lease = granted(lock.acquireAsync());
    losses.add(lease.loss());
    return new WeakReference<>(lease);
  }

  @Test
  void aReaderThatNothingRefersToIsReleasedThoughOthersShareItsClaim() {
    LockOptions sharing = MemoryHarness.TEN_SECONDS.withHandOver(HandOver.defaults());
    LockClient client = scene.client();
    DistributedLock read = client.readWriteLock("a", sharing).readLock();
    WeakReference<Lease> dropped = acquired(read);
    Lease other = granted(read.acquireAsync());
    collected(dropped);
    assertEquals(2, client.status().locks().get(0).leases());
    scene.time.advance(A_RENEWAL);
    assertEquals(1, scene.count(LockEvent.Released.class));
    assertEquals(1, client.status().locks().get(0).leases());
    scene.time.advance(Duration.ofMinutes(1));
    assertTrue(other.isValid());
    other.release();
    assertTrue(scene.client().readWriteLock("a").writeLock().tryAcquireAsync().join().isPresent());
  }

  @Test
  void aLeaseOfFixedTimeEndsByItself() {
    LockOptions fixed = MemoryHarness.TEN_SECONDS.withRenewal(Renewal.none());
    dropped(scene.client().lock("a", fixed));
    scene.time.advance(A_RENEWAL);
    assertEquals(0, scene.count(LockEvent.Released.class));
  }

  @Test
  void aLockWhoseThreadHasEndedIsReleased() throws Exception {
    WeakReference<Lease> lease = lockedByAThreadThatEnds(scene.lock("a"), held -> {});
    scene.time.advance(A_RENEWAL);
    assertEquals(1, scene.count(LockEvent.Renewed.class));
    collected(lease);
    scene.time.advance(A_RENEWAL);
    assertEquals(1, scene.count(LockEvent.Released.class));
    assertEquals(Set.of(), scene.taken());
  }

  @Test
  void soAreSeveralLocks() throws Exception {
    WeakReference<Lease> lease = lockedByAThreadThatEnds(several(), held -> {});
    scene.time.advance(A_RENEWAL);
    collected(lease);
    scene.time.advance(A_RENEWAL);
    assertEquals(Set.of(), scene.taken());
  }

  @Test
  void aLockWhoseThreadHasEndedIsKeptForWhoHasTheLease() throws Exception {
    List<Lease> passedOn = new ArrayList<>();
    lockedByAThreadThatEnds(scene.lock("a"), passedOn::add);
    threeRenewals();
    assertTrue(passedOn.get(0).isValid());
    assertEquals(0, scene.count(LockEvent.Released.class));
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // Nothing is protected.
  void aLockWhoseThreadLivesIsKept() {
    JavaLock view = scene.lock("a").asJavaLock();
    view.lock();
    threeRenewals();
    assertTrue(view.lease().orElseThrow().isValid());
    view.unlock();
    assertEquals(1, scene.count(LockEvent.Released.class));
  }

  private void threeRenewals() {
    for (int i = 0; i < 3; i++) {
      scene.time.advance(A_RENEWAL);
      System.gc();
    }
  }

  private static WeakReference<Lease> lockedByAThreadThatEnds(
      DistributedLock lock, Consumer<Lease> use) throws InterruptedException {
    JavaLock view = lock.asJavaLock();
    AtomicReference<WeakReference<Lease>> held = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              view.lock();
              Lease lease = view.lease().orElseThrow();
              use.accept(lease);
              held.set(new WeakReference<>(lease));
            });
    thread.start();
    thread.join();
    return Objects.requireNonNull(held.get());
  }

  private void keeping(Consumer<Lease> use, String name, List<WeakReference<Lease>> kept) {
    Lease lease = granted(scene.lock(name).acquireAsync());
    use.accept(lease);
    kept.add(new WeakReference<>(lease));
  }

  /** Acquires a lock and waits until the lease is gone. */
  private static void dropped(DistributedLock lock) {
    collected(acquired(lock));
  }

  private static void collected(WeakReference<Lease> gone) {
    for (int i = 0; i < 100 && !gone.refersTo(null); i++) {
      System.gc();
    }
    assertTrue(gone.refersTo(null), "something still refers to the lease");
  }

  private static WeakReference<Lease> acquired(DistributedLock lock) {
    return new WeakReference<>(granted(lock.acquireAsync()));
  }
}
