/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedReadWriteLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.JavaReadWriteLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockCapacityException;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUpgradeException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Readers and writers, on a clock driven by hand. */
class ReadWriteLockTest {

  private static final LockOptions SHARING =
      MemoryHarness.TEN_SECONDS.withHandOver(new HandOver(1024, Duration.ofSeconds(2)));

  private final MemoryHarness scene = new MemoryHarness();
  private final LockClient client = scene.client();
  private final DistributedReadWriteLock lock = client.readWriteLock("a", SHARING);
  private final DistributedReadWriteLock elsewhere = scene.client().readWriteLock("a", SHARING);

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void readersOfOneClientShareAClaim() {
    Lease one = granted(lock.readLock().acquireAsync());
    Lease two = granted(lock.readLock().acquireAsync());
    assertEquals(one.ownerId(), two.ownerId());
    assertTrue(two.fencingToken() > one.fencingToken());
    assertEquals(1, scene.count(LockEvent.Attempted.class));
    assertEquals(1, holders().size());
    one.release();
    assertTrue(two.isValid());
    assertEquals(1, holders().size());
    two.release();
    assertEquals(List.of(), holders());
  }

  @Test
  void afterTheBoundsOfHandOverAReaderAsksTheServer() {
    Lease one = granted(lock.readLock().acquireAsync());
    scene.time.advance(Duration.ofSeconds(2));
    Lease two = granted(lock.readLock().acquireAsync());
    assertNotEquals(one.ownerId(), two.ownerId());
    assertEquals(2, holders().size());
    Lease three = granted(lock.readLock().acquireAsync());
    assertEquals(two.ownerId(), three.ownerId());
  }

  @Test
  void readersOfAllClientsReadTogetherAndAWriterAlone() {
    Lease here = granted(lock.readLock().acquireAsync());
    Lease there = granted(elsewhere.readLock().acquireAsync());
    CompletableFuture<Lease> writer = elsewhere.writeLock().acquireAsync();
    here.release();
    assertFalse(writer.isDone());
    there.release();
    Lease written = granted(writer);
    assertTrue(written.fencingToken() > there.fencingToken());
    assertEquals(Optional.empty(), lock.readLock().tryAcquireAsync().join());
  }

  @Test
  void aWriterThatWaitsIsNotOvertaken() {
    Lease reader = granted(lock.readLock().acquireAsync());
    CompletableFuture<Lease> writer = elsewhere.writeLock().acquireAsync();
    scene.time.advance(Duration.ofSeconds(2));
    CompletableFuture<Lease> later = lock.readLock().acquireAsync();
    assertFalse(later.isDone(), "a new claim of a reader goes behind the writer");
    reader.release();
    Lease written = granted(writer);
    assertFalse(later.isDone());
    written.release();
    granted(later);
  }

  @Test
  void aWriterOfTheSameClientThatGivesUpLetsReadersIn() {
    Lease reader = granted(lock.readLock().acquireAsync());
    CompletableFuture<Lease> writer = lock.writeLock().acquireAsync();
    CompletableFuture<Lease> later = lock.readLock().acquireAsync();
    CompletableFuture<Lease> last = lock.readLock().acquireAsync();
    writer.cancel(true);
    assertTrue(reader.isValid());
    granted(later);
    granted(last);
  }

  @Test
  void eachReaderOfOneClientHasItsOwnMaximumHold() {
    DistributedReadWriteLock bounded =
        client.readWriteLock("a", SHARING.withMaxHold(Duration.ofSeconds(30)));
    Lease first = granted(bounded.readLock().acquireAsync());
    scene.time.advance(Duration.ofSeconds(1));
    Lease second = granted(bounded.readLock().acquireAsync());
    scene.time.advance(Duration.ofSeconds(29));
    assertFalse(first.isValid());
    assertEquals(LossReason.MAX_HOLD_REACHED, first.loss().join().reason());
    assertTrue(second.isValid());
    scene.time.advance(Duration.ofSeconds(1));
    assertFalse(second.isValid());
  }

  @Test
  void aWriterOfTheSameClientIsNotOvertakenEither() {
    Lease reader = granted(lock.readLock().acquireAsync());
    CompletableFuture<Lease> writer = lock.writeLock().acquireAsync();
    CompletableFuture<Lease> later = lock.readLock().acquireAsync();
    assertFalse(later.isDone());
    reader.release();
    granted(writer).release();
    granted(later);
  }

  @Test
  void aWaitingWriterThatDiedKeepsReadersOutForItsTtlOnly() {
    Lease reader = granted(lock.readLock().acquireAsync());
    CompletableFuture<Lease> writer = elsewhere.writeLock().acquireAsync();
    scene.time.advance(Duration.ofSeconds(2));
    CompletableFuture<Lease> later = lock.readLock().acquireAsync();
    scene.server.goAway();
    writer.cancel(true);
    scene.time.advance(Duration.ofSeconds(3));
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(11));
    granted(later);
    reader.release();
  }

  @Test
  void aLossIsToldToAllReadersThatShare() {
    List<Loss> told = new ArrayList<>();
    Lease one = granted(lock.readLock().acquireAsync());
    Lease two = granted(lock.readLock().acquireAsync());
    Lease three = granted(lock.readLock().acquireAsync());
    one.onLoss(told::add);
    two.onLoss(told::add);
    three.onLoss(told::add);
    two.release();
    scene.server.revoke("a");
    scene.time.advance(Duration.ofSeconds(4));
    assertEquals(2, told.size());
    assertFalse(one.isValid());
    assertFalse(three.isValid());
    assertEquals(2, scene.count(LockEvent.Lost.class));
  }

  @Test
  void theOldestReaderIsRenewedThoughTheOthersHaveGone() {
    Lease one = granted(lock.readLock().acquireAsync());
    Lease two = granted(lock.readLock().acquireAsync());
    two.release();
    scene.time.advance(Duration.ofMinutes(1));
    assertTrue(one.isValid());
    one.release();
    granted(elsewhere.writeLock().acquireAsync());
  }

  @Test
  void aReaderDoesNotBecomeAWriter() throws InterruptedException {
    Lease read = lock.readLock().acquire();
    assertThrows(LockUpgradeException.class, () -> lock.writeLock().acquire());
    assertThrows(LockUpgradeException.class, () -> lock.writeLock().tryAcquire());
    assertTrue(read.isValid());
    read.release();
    lock.writeLock().acquire().release();
  }

  @Test
  void norDoesOneThatWasTheWriter() throws InterruptedException {
    Lease read = lock.writeLock().acquire().downgrade();
    assertThrows(LockUpgradeException.class, () -> lock.writeLock().tryAcquire());
    assertThrows(LockUpgradeException.class, () -> lock.writeLock().acquire());
    assertTrue(read.isValid());
    read.release();
    lock.writeLock().acquire().release();
  }

  @Test
  void aLockAndAReadWriteLockOfOneNameRefuseEachOther() {
    Lease read = granted(lock.readLock().acquireAsync());
    refused(scene.lock("a").acquireAsync());
    refused(client.lock("a").acquireAsync());
    read.release();
    Lease held = granted(scene.lock("a").acquireAsync());
    refused(lock.readLock().acquireAsync());
    assertTrue(held.isValid());
  }

  private static void refused(CompletableFuture<Lease> asked) {
    CompletionException failed = assertThrows(CompletionException.class, asked::join);
    LockCapacityException refusal =
        assertInstanceOf(LockCapacityException.class, failed.getCause());
    assertNotEquals(refusal.askedFor(), refusal.inUse());
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // Tests unlock itself.
  void theJavaViewIsReentrantAndDowngrades() {
    JavaReadWriteLock view = lock.asJavaReadWriteLock();
    view.writeLock().lock();
    view.writeLock().lock();
    view.readLock().lock();
    view.writeLock().unlock();
    assertEquals(Share.WRITE, holders().get(0).share());
    view.writeLock().unlock();
    assertEquals(Share.READ, holders().get(0).share());
    assertTrue(view.readLock().isHeldByCurrentThread());
    assertThrows(LockUpgradeException.class, () -> view.writeLock().lock());
    assertThrows(LockUpgradeException.class, () -> view.writeLock().tryLock());
    view.readLock().unlock();
    assertEquals(List.of(), holders());
    assertEquals(lock.readLock().asJavaLock(), view.readLock());
    assertNotEquals(view.writeLock(), view.readLock());
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // Tests unlock itself.
  void aReadLockInsideAWriteLockIsGivenBackFirst() {
    JavaReadWriteLock view = lock.asJavaReadWriteLock();
    view.writeLock().lock();
    view.readLock().lock();
    view.readLock().unlock();
    assertEquals(Share.WRITE, holders().get(0).share());
    view.writeLock().unlock();
    assertEquals(List.of(), holders());
  }

  @Test
  @SuppressWarnings("LockNotBeforeTry") // Tests lock itself.
  void aThreadThatLostTheWriteLockDoesNotReadUnderIt() {
    JavaReadWriteLock view = lock.asJavaReadWriteLock();
    view.writeLock().lock();
    scene.server.revoke("a");
    scene.time.advance(Duration.ofSeconds(4));
    assertThrows(LockLostException.class, () -> view.readLock().lock());
    assertThrows(LockLostException.class, () -> view.readLock().tryLock());
    assertFalse(view.readLock().isHeldByCurrentThread());
    assertThrows(LockLostException.class, () -> view.writeLock().unlock());
    view.readLock().lock();
    assertTrue(view.readLock().lease().orElseThrow().isValid());
    view.readLock().unlock();
    assertEquals(List.of(), holders());
  }

  @Test
  void theCloseOfAClientGivesUpAllReaders() {
    granted(lock.readLock().acquireAsync());
    granted(lock.readLock().acquireAsync());
    CompletableFuture<Lease> writer = elsewhere.writeLock().acquireAsync();
    client.close();
    granted(writer);
  }

  private List<LockHolder> holders() {
    return client.inspector().holders("a");
  }
}
