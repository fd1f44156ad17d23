/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.TEN_SECONDS;
import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.DistributedSemaphore;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a client's status about a name that it holds, waits for or gives back. */
class QueueStatusTest {

  private static final Duration SLOW = Duration.ofMillis(100);

  private final MemoryHarness scene = new MemoryHarness();
  private final LockClient client = scene.client();
  private final DistributedLock lock = client.lock("a", TEN_SECONDS);

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void ofSeveralLeasesTheShortestValidityIsTold() {
    DistributedSemaphore three = client.semaphore("b", 3, TEN_SECONDS);
    Lease first = granted(three.permit().acquireAsync());
    scene.time.advance(Duration.ofSeconds(1));
    Lease second = granted(three.permit().acquireAsync());
    assertEquals(Optional.of(first.remaining()), status().validity());
    assertEquals(2, status().leases());
    first.release();
    assertEquals(Optional.of(second.remaining()), status().validity());
    assertEquals(1, status().leases());
  }

  @Test
  void aRequestAtTheServerAndThoseBehindItAreWaiters() {
    granted(scene.lock("a").acquireAsync());
    lock.acquireAsync();
    assertEquals(1, status().waiters());
    lock.acquireAsync();
    assertEquals(new LockStatus("a", Optional.empty(), 2, 0, Optional.empty()), status());
  }

  @Test
  void aRequestBehindALeaseIsAWaiterAndItsHolderIsNot() {
    Lease lease = granted(lock.acquireAsync());
    CompletableFuture<Lease> waiting = lock.acquireAsync();
    assertEquals(1, status().waiters());
    assertEquals(1, status().leases());
    lease.release();
    assertEquals(0, status().waiters());
    granted(waiting).release();
    assertNothing();
  }

  @Test
  void aRequestThatGaveUpIsNoWaiterThoughItsPlaceIsStillGivenBack() {
    granted(scene.lock("a").acquireAsync());
    CompletableFuture<Lease> first = lock.acquireAsync();
    CompletableFuture<Lease> second = lock.acquireAsync();
    scene.server.delayAnswers(SLOW);
    first.cancel(true);
    assertEquals(1, status().waiters());
    second.cancel(true);
    assertNothing();
    scene.time.advance(SLOW);
    assertNothing();
  }

  @Test
  void aLeaseThatIsBeingReleasedIsNotTold() {
    Lease lease = granted(lock.acquireAsync());
    scene.server.delayAnswers(SLOW);
    CompletableFuture<?> released = lease.releaseAsync();
    assertFalse(released.isDone());
    assertNothing();
  }

  private LockStatus status() {
    return client.status().locks().get(0);
  }

  private void assertNothing() {
    assertEquals(List.of(), client.status().locks());
  }
}
