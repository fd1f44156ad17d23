/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.JavaLock;
import io.holdfast.lock.JavaReadWriteLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.Retry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Locks as those of {@code java.util.concurrent.locks}, on a clock driven by hand. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("LockNotBeforeTry") // Tests lock and unlock themselves.
class JavaViewTest {

  private final MemoryHarness scene = new MemoryHarness();
  private final LockClient client = scene.client();

  @AfterEach
  void close() {
    scene.close();
  }

  private void lose() {
    scene.server.revoke("a");
    scene.time.advance(Duration.ofSeconds(4));
  }

  private JavaReadWriteLock readWriteLock() {
    return client.readWriteLock("a", MemoryHarness.TEN_SECONDS).asJavaReadWriteLock();
  }

  @Test
  void aLossUnderBothSidesIsToldByTheUnlockOfEach() {
    JavaReadWriteLock view = readWriteLock();
    view.writeLock().lock();
    view.readLock().lock();
    view.readLock().lock();
    lose();
    assertThrows(LockLostException.class, () -> view.writeLock().unlock());
    assertTrue(view.readLock().isHeldByCurrentThread());
    assertThrows(LockLostException.class, () -> view.readLock().tryLock());
    assertThrows(LockLostException.class, () -> view.readLock().unlock());
    assertThrows(LockLostException.class, () -> view.readLock().unlock());
    assertFalse(view.readLock().isHeldByCurrentThread());

    view.writeLock().lock();
    view.writeLock().unlock();
    assertEquals(List.of(), client.inspector().holders("a"));
  }

  @Test
  void alsoWhereTheReadLockIsGivenBackFirst() {
    JavaReadWriteLock view = readWriteLock();
    view.writeLock().lock();
    view.readLock().lock();
    lose();
    assertThrows(LockLostException.class, () -> view.readLock().unlock());
    assertThrows(LockLostException.class, () -> view.writeLock().unlock());
    assertFalse(view.writeLock().isHeldByCurrentThread());
  }

  @Test
  void aReadLockThatOutlivesTheWriteLockKeepsWritersOut() {
    JavaReadWriteLock view = readWriteLock();
    view.writeLock().lock();
    view.readLock().lock();
    view.writeLock().unlock();
    assertTrue(
        scene
            .client()
            .readWriteLock("a", MemoryHarness.TEN_SECONDS)
            .writeLock()
            .tryAcquireAsync()
            .join()
            .isEmpty());
    view.readLock().unlock();
    assertEquals(List.of(), client.inspector().holders("a"));
  }

  /** As those of the JDK do, also where the thread has the lock already. */
  @Test
  void aTryWithALimitHeedsAnInterrupt() {
    JavaLock view = client.lock("a", MemoryHarness.TEN_SECONDS).asJavaLock();
    view.lock();
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> view.tryLock(1, TimeUnit.MINUTES));
    assertFalse(Thread.currentThread().isInterrupted());
    assertEquals(1, view.holdCount());
    view.unlock();
    Thread.currentThread().interrupt();
    assertThrows(InterruptedException.class, () -> view.tryLock(1, TimeUnit.MINUTES));
    assertEquals(List.of(), client.inspector().holders("a"));
  }

  @Test
  void aLockWhoseAttemptsAreLimitedIsNotHeldAfterTheLast() {
    granted(scene.lock("a").acquireAsync());
    LockOptions once = MemoryHarness.TEN_SECONDS.withRetry(Retry.defaults().withMaxAttempts(1));
    JavaLock view = client.lock("a", once).asJavaLock();
    assertThrows(LockTimeoutException.class, view::lock);
    assertThrows(LockTimeoutException.class, view::lockInterruptibly);
    assertFalse(view.tryLock());
    assertFalse(view.isHeldByCurrentThread());
  }

  @Test
  void aTryWithoutALimitDoesNot() {
    JavaLock view = client.lock("a", MemoryHarness.TEN_SECONDS).asJavaLock();
    Thread.currentThread().interrupt();
    assertTrue(view.tryLock());
    assertTrue(view.tryLock());
    assertTrue(Thread.interrupted(), "the flag stays");
    view.unlock();
    view.unlock();
  }

  @Test
  void itsTextSaysWhichThreadHasIt() {
    JavaReadWriteLock view = readWriteLock();
    String unheld = "not held by any thread of this client";
    String mine = " by thread " + Thread.currentThread().getName() + "]";
    view.writeLock().lock();
    assertSays("held" + mine, view.writeLock());
    assertSays(unheld, view.readLock());
    assertSays(unheld, client.readWriteLock("b").asJavaReadWriteLock().writeLock());
    lose();
    assertSays("lost" + mine, view.writeLock());
    assertThrows(LockLostException.class, () -> view.writeLock().unlock());
    assertSays(unheld, view.writeLock());
  }

  private static void assertSays(String state, JavaLock view) {
    assertTrue(view.toString().contains(state), view::toString);
  }
}
