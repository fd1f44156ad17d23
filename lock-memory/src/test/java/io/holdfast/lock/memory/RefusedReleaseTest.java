/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.TEN_SECONDS;
import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities.Lifetime;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.testsupport.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A server that refuses to give a lock back, as one does whose disk is full. */
class RefusedReleaseTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualTime time = MemoryHarness.at(Duration.ofHours(1));
  private final MemoryServer server = new MemoryServer(time);
  private WatchedBackend backend = refusing(Lifetime.TTL);

  private WatchedBackend refusing(Lifetime lifetime) {
    WatchedBackend refusing = new WatchedBackend(server, lifetime, time);
    refusing.releases =
        claim -> CompletableFuture.failedFuture(new LockRejectedException("The disk is full"));
    return refusing;
  }

  private LockClient client() {
    return Locks.using(
        backend, ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(time));
  }

  @Test
  void itIsMadeGoodIfThatDoesNotLast() {
    try (LockClient client = client()) {
      Lease lease = held(client);
      assertEquals(ReleaseOutcome.UNKNOWN, lease.release());
      time.advance(Duration.ofSeconds(5));
      assertEquals(Map.of("a", lease.ownerId()), server.owners());
      isAllowedAgain();
      assertEquals(Map.of(), server.owners());
    }
  }

  @Test
  void itIsNotAskedForOnceTheTtlHasPassedTwice() {
    List<String> warnings;
    try (CapturedLog log = new CapturedLog();
        LockClient client = client()) {
      held(client).release();
      time.advance(TEN_SECONDS.ttl().multipliedBy(2));
      int before = asked();
      time.advance(MINUTE);
      assertTrue(asked() <= before + 1, "asked %d times more".formatted(asked() - before));
      warnings = log.warnings("io.holdfast.lock.engine.Cleanup");
    }
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).contains("its time-outs will do it"), warnings::toString);
  }

  /** The server keeps it for as long as the extension has asked for. */
  @Test
  void noTtlFreesWhatWasExtendedForLonger() {
    try (LockClient client = client()) {
      Lease lease = held(client);
      lease.extend(Duration.ofHours(1));
      lease.release();
      assertStaysUntilItIsAllowed();
    }
  }

  /** Nobody knows whether it was carried out. */
  @Test
  void norWhatAnExtensionWithoutAnAnswerMayKeep() {
    try (LockClient client = client()) {
      Lease lease = held(client);
      backend.answers =
          given -> CompletableFuture.failedFuture(new LockUnavailableException("No answer"));
      assertThrows(LockUnavailableException.class, () -> lease.extend(Duration.ofHours(1)));
      lease.release();
      assertStaysUntilItIsAllowed();
    }
  }

  /** The server was asked for the delay as well, though nobody was told of the grant. */
  @Test
  void norWhatItKeepsForALockDelay() {
    try (LockClient client = client()) {
      server.delayAnswers(Duration.ofMillis(5));
      CompletableFuture<Lease> asked =
          client.lock("a", TEN_SECONDS.withLockDelay(MINUTE)).acquireAsync();
      time.advance(Duration.ofMillis(2));
      asked.cancel(true);
      server.delayAnswers(Duration.ZERO);
      assertStaysUntilItIsAllowed();
    }
  }

  @Test
  void noTtlFreesALockDuringTheLockDelayOfItsLease() {
    try (LockClient client = client()) {
      Lease lease = granted(client.lock("a", TEN_SECONDS.withLockDelay(MINUTE)).acquireAsync());
      assertEquals(ReleaseOutcome.UNKNOWN, lease.release());
      assertStaysUntilItIsAllowed();
    }
  }

  @Test
  void noTtlFreesWhatASessionKeeps() {
    backend = refusing(Lifetime.SESSION);
    try (LockClient client = client()) {
      held(client).release();
      time.advance(MINUTE);
      int before = asked();
      time.advance(MINUTE);
      assertTrue(asked() > before + 50, "asked %d times more".formatted(asked() - before));
      isAllowedAgain();
      before = asked();
      time.advance(MINUTE);
      assertEquals(before, asked());
    }
  }

  private static Lease held(LockClient client) {
    return granted(client.lock("a", TEN_SECONDS).acquireAsync());
  }

  private int asked() {
    return backend.ends.size();
  }

  private void assertStaysUntilItIsAllowed() {
    time.advance(Duration.ofSeconds(50));
    assertEquals(Set.of("a"), server.owners().keySet());
    isAllowedAgain();
    assertEquals(Map.of(), server.owners());
  }

  /** It is asked for again once in a second. */
  private void isAllowedAgain() {
    backend.releases = RenewableClaim::release;
    time.advance(Duration.ofSeconds(1));
  }
}
