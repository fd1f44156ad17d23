/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Locks;
import io.holdfast.lock.Loss;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests that the engine acts at the end of its times, on a clock driven by hand. */
class EngineTimesTest {

  private static final ClientOptions OPTIONS =
      ClientOptions.defaults().withCallbackExecutor(Runnable::run);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final LockOptions DELAYED =
      LockOptions.defaults()
          .withTtl(Duration.ofSeconds(10))
          .withRenewal(Renewal.none())
          .withLockDelay(MINUTE);

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);

  /** The last answer counts: the lock is busy, and the server can be reached. */
  @Test
  void aLimitIsALimitThoughAnAttemptHasFailedBefore() {
    try (LockClient other = server.open(OPTIONS);
        LockClient client = server.open(OPTIONS)) {
      Lease held = other.lock("a").acquireAsync().join();
      server.goAway();
      CompletableFuture<Optional<Lease>> waiting =
          client.lock("a").tryAcquireAsync(Duration.ofSeconds(5));
      server.comeBack();
      time.advance(Duration.ofSeconds(5));
      assertTrue(waiting.isDone());
      assertEquals(Optional.empty(), waiting.join());
      assertEquals(ReleaseOutcome.RELEASED, held.release());
    }
  }

  @Test
  void theServerKeepsALockDelayThoughTheEndWasSetEarlier() {
    try (LockClient client = server.open(OPTIONS)) {
      Lease lease = client.lock("a", DELAYED).acquireAsync().join();
      lease.expireIn(Duration.ofSeconds(2));
      // The client does nothing meanwhile, as if its process had died.
      time.pause(MINUTE);
      assertTrue(server.owners().containsKey("a"), "free before the delay has passed");
      time.pause(Duration.ofSeconds(2));
      assertFalse(server.owners().containsKey("a"), "taken for longer than the delay");
    }
  }

  @Test
  void anExtensionBeyondTheTtlCountsWithALockDelayToo() {
    try (LockClient client = server.open(OPTIONS)) {
      Lease lease = client.lock("a", DELAYED).acquireAsync().join();
      lease.extend(Duration.ofSeconds(30));
      assertTrue(lease.remaining().compareTo(Duration.ofSeconds(29)) > 0, lease::toString);
      assertTrue(lease.remaining().compareTo(Duration.ofSeconds(30)) <= 0, lease::toString);
      time.advance(Duration.ofSeconds(20));
      assertTrue(lease.isValid());
    }
  }

  /** Timers stand still while a host is suspended, and the clock does not. */
  @Test
  void aLeaseThatEndsWhileTheHostIsSuspendedIsToldWithinASecond() {
    AtomicLong suspended = new AtomicLong();
    TimeSource clock =
        new TimeSource() {
          @Override
          public long nanos() {
            return time.nanos() + suspended.get();
          }

          @Override
          public Timer schedule(Duration delay, Runnable task) {
            return time.schedule(delay, task);
          }

          @Override
          public void close() {}
        };
    LockOptions fixed = LockOptions.defaults().withTtl(MINUTE).withRenewal(Renewal.none());
    try (LockClient client = Locks.using(server.backend(), OPTIONS.withTime(clock))) {
      Lease lease = client.lock("a", fixed).acquireAsync().join();
      CompletableFuture<Loss> loss = lease.loss();
      suspended.set(MINUTE.toNanos());
      time.advance(Duration.ofSeconds(1));
      assertTrue(loss.isDone(), "not told");
    }
  }

  /** A close may take a while, and what is sent then could be carried out after it. */
  @Test
  void noReleaseIsSentAgainWhileTheBackendIsClosed() {
    Closing backend = new Closing();
    LockClient client = Locks.using(backend, OPTIONS.withTime(time));
    Lease lease = client.lock("a").acquireAsync().join();
    server.goAway();
    assertEquals(ReleaseOutcome.UNKNOWN, lease.release());
    client.close();
    assertEquals(List.of("a"), backend.released);
  }

  /** Takes five seconds to close, and notes which locks it was asked to release. */
  private final class Closing extends ForwardingBackend {

    final List<String> released = new ArrayList<>();

    Closing() {
      super(server.backend());
    }

    @Override
    public Claim claim(ClaimRequest request, ClaimSignals signals) {
      return new Claim(inner.claim(request, signals), request) {
        @Override
        public CompletionStage<ReleaseAnswer> release() {
          released.add(request.lockName());
          return super.release();
        }
      };
    }

    @Override
    public void close() {
      time.advance(Duration.ofSeconds(5));
      super.close();
    }
  }
}
