/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.shedlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.testsupport.CapturedLog;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests an unavailable server, a loss and short times, on a clock that is driven by hand. */
class MemoryTermsTest {

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofSeconds(4);
  private static final Duration NOT = Duration.ZERO;
  private static final String NAME = "nightly";

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);
  private final LockClient client =
      server.open(ClientOptions.defaults().withCallbackExecutor(Runnable::run));
  private final HoldfastLockProvider provider = new HoldfastLockProvider(client);

  @AfterEach
  void end() {
    server.comeBack();
    client.close();
  }

  private SimpleLock locked(Duration atMost, Duration atLeast) {
    return provider.lock(new LockConfiguration(Instant.now(), NAME, atMost, atLeast)).orElseThrow();
  }

  private boolean isLocked() {
    return server.owners().containsKey(NAME);
  }

  private List<String> warningsOf(SimpleLock unlocked) {
    try (CapturedLog log = new CapturedLog()) {
      unlocked.unlock();
      return log.warnings("io.holdfast.lock.shedlock");
    }
  }

  @Test
  void aLockThatWasLostIsToldAtItsUnlock() {
    SimpleLock lock = locked(SHORT, NOT);
    time.advance(SHORT);
    List<String> warnings = warningsOf(lock);
    assertEquals(1, warnings.size());
    assertTrue(
        warnings.get(0).contains("Lock 'nightly' was lost before it was unlocked"),
        warnings.get(0));
  }

  @Test
  void soIsOneWhoseLockAtLeastForWasExtended() {
    SimpleLock lock = locked(LONG, NOT).extend(LONG, LONG).orElseThrow();
    time.advance(LONG);
    assertEquals(1, warningsOf(lock).size());
  }

  @Test
  void aLockThatWasNotLostIsUnlockedInSilence() {
    assertEquals(List.of(), warningsOf(locked(LONG, NOT)));
    assertEquals(List.of(), warningsOf(locked(LONG, NOT).extend(LONG, SHORT).orElseThrow()));
    assertTrue(isLocked(), "for its extended lockAtLeastFor");
  }

  /** The task was done; what it has returned must not be lost for that. */
  @Test
  void anUnlockThatIsNotAnsweredDoesNotThrow() {
    SimpleLock lock = locked(LONG, NOT);
    server.goAway();
    assertEquals(List.of(), warningsOf(lock));
  }

  @Test
  void norDoesOneThatKeepsTheNameTaken() {
    SimpleLock lock = locked(LONG, NOT).extend(LONG, SHORT).orElseThrow();
    server.goAway();
    assertEquals(List.of(), warningsOf(lock));
    server.comeBack();
    time.advance(LONG);
    assertFalse(isLocked());
  }

  /** Or nobody would learn that the task is not run any more. */
  @Test
  void aServerThatIsAwayIsNoBusyLock() {
    server.goAway();
    assertThrows(LockUnavailableException.class, () -> locked(LONG, NOT));
  }

  /** Not even to a waiter of the same client that asks on the same terms. */
  @Test
  void anUnlockGivesTheLockBackToTheServer() {
    HoldfastLockProvider renewed = new HoldfastLockProvider(client, Renewal.automatic());
    SimpleLock lock =
        renewed.lock(new LockConfiguration(Instant.now(), NAME, LONG, NOT)).orElseThrow();
    String owner = server.owners().get(NAME);
    LockOptions terms = LockOptions.defaults().withTtl(LONG).withMinHold(NOT);
    CompletableFuture<Lease> waiting = client.lock(NAME, terms).acquireAsync();
    lock.unlock();
    time.advance(LONG);
    assertTrue(waiting.isDone());
    assertNotEquals(owner, waiting.join().ownerId());
  }

  @Test
  void timesThatAreTooShortAreLengthened() {
    SimpleLock lock = locked(Duration.ofMillis(1), NOT);
    time.advance(Duration.ofMillis(50));
    assertTrue(isLocked());
    SimpleLock longer = lock.extend(Duration.ofMillis(1), NOT).orElseThrow();
    time.advance(Duration.ofMillis(50));
    assertTrue(isLocked());
    longer.unlock();
    assertFalse(isLocked());
  }
}
