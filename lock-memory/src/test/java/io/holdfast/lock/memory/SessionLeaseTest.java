/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.Capabilities.Retention;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.spi.RenewalAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Leases of fixed time on a session: the session is renewed, and outlives them. Their end is the
 * client's, so it has no margin for the clock of a server.
 */
class SessionLeaseTest {

  private static final LockOptions FIXED =
      MemoryHarness.TEN_SECONDS
          .withTtl(Duration.ofSeconds(30))
          .withRenewal(Renewal.none())
          .withHandOver(new HandOver(10, Duration.ofHours(1)));

  private final ManualTime time = MemoryHarness.at(WatchedBackend.BEGIN);
  private final MemoryServer server = new MemoryServer(time);
  private final WatchedBackend backend = new WatchedBackend(server, Lifetime.SESSION, time);
  private final LockClient client = client(Retention.NONE);

  private LockClient client(Retention retention) {
    backend.retention = retention;
    return Locks.using(
        backend, ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(time));
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void anEarlierEndHoldsThoughTheSessionIsRenewed() {
    Lease lease = granted(client.lock("a", FIXED).acquireAsync());
    time.advance(Duration.ofSeconds(1));
    lease.expireIn(Duration.ofSeconds(25));
    endsIn(Duration.ofSeconds(25), lease);
    assertEquals(List.of(1_000L, 11_000L, 21_000L), backend.times());
  }

  /** The session of a server may be shorter than the time for which a lease is taken. */
  @Test
  void anEarlierEndIsReachedThoughTheSessionHasToBeRenewedForIt() {
    backend.answers =
        given ->
            CompletableFuture.completedFuture(
                List.of(new RenewalAnswer.Extended(Duration.ofSeconds(10))));
    Lease lease = granted(client.lock("a", FIXED).acquireAsync());
    time.advance(Duration.ofSeconds(1));
    lease.extend(Duration.ofMinutes(2));
    lease.expireIn(Duration.ofMinutes(1));
    endsIn(Duration.ofMinutes(1), lease);
  }

  @Test
  void anEarlierEndIsMovedByALaterOne() {
    Lease lease = granted(client.lock("a", FIXED).acquireAsync());
    lease.expireIn(Duration.ofSeconds(2));
    time.advance(Duration.ofSeconds(1));
    lease.expireIn(Duration.ofSeconds(20));
    endsIn(Duration.ofSeconds(20), lease);
  }

  private void endsIn(Duration left, Lease lease) {
    time.advance(left.minusNanos(1));
    assertTrue(lease.isValid());
    assertEquals(Duration.ofNanos(1), lease.remaining());
    assertFalse(lease.loss().isDone());
    time.advance(Duration.ofNanos(1));
    assertTrue(lease.loss().isDone(), "not told");
    assertEquals(LossReason.EXPIRED, lease.loss().join().reason());
  }

  /** The rest of one lease's time is not the time that the next has asked for. */
  @Test
  void aLeaseOfFixedTimeIsNotPassedOn() {
    DistributedLock lock = client.lock("a", FIXED);
    Lease first = granted(lock.acquireAsync());
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    first.release();
    assertNotEquals(first.ownerId(), granted(waiting).ownerId());
  }

  /** The minimum runs from the grant, and the fixed time from the request. */
  @Test
  void aNameThatTheClientKeepsIsKeptToTheLast() {
    try (LockClient keeping = client(Retention.CLIENT)) {
      server.delayAnswers(Duration.ofMillis(500));
      CompletableFuture<Lease> asked =
          keeping.lock("a", FIXED.withMinHold(FIXED.ttl())).acquireAsync();
      time.advance(Duration.ofMillis(500));
      server.delayAnswers(Duration.ZERO);
      granted(asked).release();
      time.advance(FIXED.ttl().minusMillis(1));
      assertTrue(server.owners().containsKey("a"));
      time.advance(Duration.ofMillis(1));
      assertFalse(server.owners().containsKey("a"));
    }
  }

  /** Where it is a transaction, a wrong end would undo or keep what was done under it. */
  @ParameterizedTest
  @ValueSource(strings = {"release", "discard"})
  void aNameThatTheClientKeptEndsAsItsLeaseHasEnded(String way) {
    try (LockClient keeping = client(Retention.CLIENT)) {
      LockOptions options = FIXED.withMinHold(Duration.ofSeconds(20));
      Lease lease = granted(keeping.lock("a", options).acquireAsync());
      if (way.equals("release")) {
        lease.release();
      } else {
        lease.close();
      }
      assertEquals(List.of(), backend.ends);
      time.advance(Duration.ofSeconds(20));
      assertEquals(List.of(way), backend.ends);
    }
  }

  /** The end of a fixed time is no surprise, though the session that carries it may end before. */
  @Test
  void listenersAreNotWarnedOfAFixedTime() {
    List<LockEvent> told = new ArrayList<>();
    client.addListener(told::add);
    LockOptions warned = FIXED.withEarlyWarning(Duration.ofSeconds(5));
    Lease lease = granted(client.lock("a", warned).acquireAsync());
    server.goAway();
    time.advance(FIXED.ttl());
    assertFalse(lease.isValid());
    assertTrue(told.stream().anyMatch(LockEvent.RenewalFailed.class::isInstance));
    assertFalse(told.stream().anyMatch(LockEvent.EarlyWarning.class::isInstance));
    server.comeBack();
    time.advance(Duration.ofSeconds(2));
  }

  /** The session is there for longer than the lease was, so no answer has to come for that. */
  @Test
  void itIsKeptBeyondTheEndOfTheLeaseThoughTheServerIsAway() {
    try (LockClient keeping = client(Retention.CLIENT)) {
      LockOptions options = FIXED.withMinHold(Duration.ofSeconds(20));
      Lease lease = granted(keeping.lock("a", options).acquireAsync());
      lease.expireIn(Duration.ofSeconds(2));
      server.goAway();
      lease.release();
      time.advance(Duration.ofSeconds(5));
      server.comeBack();
      time.advance(Duration.ofSeconds(15).minusMillis(1));
      assertTrue(server.owners().containsKey("a"), "free before its minimum has passed");
      time.advance(Duration.ofMillis(1));
      assertFalse(server.owners().containsKey("a"));
    }
  }
}
