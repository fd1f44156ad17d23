/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.Scene.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.HandOver;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Passing on among the waiters of one client, on a clock driven by hand. */
class HandOverTest {

  private static final HandOver LONG = new HandOver(1024, Duration.ofMinutes(1));

  private final Scene scene = new Scene();
  private final DistributedLock lock =
      scene.client().lock("a", Scene.TEN_SECONDS.withHandOver(LONG));

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void whatOneLeaseBoughtAheadIsNotPassedOn() {
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
    assertEquals(
        List.of(LockEvent.Released.class, LockEvent.Granted.class),
        scene.events.stream().map(LockEvent::getClass).toList());
  }

  @Test
  void whatIsPassedOnAfterTheLockWasTakenAwayIsRefusedByItsTokenAndLostAtTheNextRenewal() {
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
}
