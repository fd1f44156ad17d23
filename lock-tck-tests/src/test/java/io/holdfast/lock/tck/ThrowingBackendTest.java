/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import io.holdfast.lock.spi.RenewalRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that an exception of a backend ends one acquisition, and blocks no lock. */
@Timeout(60)
class ThrowingBackendTest {

  private Optional<Throwable> inClaim = Optional.empty();
  private Optional<Throwable> inAttempt = Optional.empty();

  /** Renewals, and releases that failed, are sent by the timer. */
  private volatile Optional<Throwable> inRenewal = Optional.empty();

  private volatile Optional<Throwable> inRelease = Optional.empty();
  private Optional<Throwable> inEarlierEnd = Optional.empty();

  @Test
  void aClaimThatCannotBeMadeIsAFailureOfTheAcquisition() throws InterruptedException {
    inClaim = Optional.of(new IllegalStateException("no claim, on purpose"));
    failsOnceAndWorksAgain("no claim, on purpose");
  }

  @Test
  void norOneThatFailsWithAnError() throws InterruptedException {
    inClaim = Optional.of(new NoClassDefFoundError("gone, on purpose"));
    failsOnceAndWorksAgain("gone, on purpose");
  }

  @Test
  void anAttemptThatFailsWithAnErrorIsAFailureOfTheAcquisition() throws InterruptedException {
    inAttempt = Optional.of(new NoClassDefFoundError("gone, on purpose"));
    failsOnceAndWorksAgain("gone, on purpose");
  }

  @Test
  void anExtensionThatFailsWithAnErrorIsTold() throws Exception {
    try (LockClient client =
        Locks.using(new Throwing(new MemoryServer()), ClientOptions.defaults())) {
      Lease lease = client.lock("a").acquire();
      inRenewal = Optional.of(new NoClassDefFoundError("gone, on purpose"));
      CompletableFuture<Void> extended = lease.extendAsync(Duration.ofMinutes(1));
      ExecutionException told =
          assertThrows(ExecutionException.class, () -> extended.get(10, TimeUnit.SECONDS));
      inRenewal = Optional.empty();
      assertIsTold(assertInstanceOf(LockUnavailableException.class, told.getCause()));
      assertTrue(lease.isValid());
      lease.extend(Duration.ofMinutes(1));
    }
  }

  @Test
  void anEarlierEndThatFailsWithAnErrorIsTold() throws Exception {
    try (LockClient client =
        Locks.using(new Throwing(new MemoryServer()), ClientOptions.defaults())) {
      LockOptions fixed =
          LockOptions.defaults().withTtl(Duration.ofMinutes(1)).withRenewal(Renewal.none());
      Lease lease = client.lock("a", fixed).acquire();
      inEarlierEnd = Optional.of(new NoClassDefFoundError("gone, on purpose"));
      CompletableFuture<Void> shortened = lease.expireInAsync(Duration.ofSeconds(30));
      ExecutionException told =
          assertThrows(ExecutionException.class, () -> shortened.get(10, TimeUnit.SECONDS));
      assertIsTold(assertInstanceOf(LockUnavailableException.class, told.getCause()));
      assertTrue(lease.isValid());
      assertTrue(lease.remaining().compareTo(Duration.ofSeconds(30)) <= 0);
      // It may have been sent before it failed.
      assertThrows(LockUnavailableException.class, () -> lease.extend(Duration.ofMinutes(2)));
    }
  }

  @Test
  void soIsARenewal() throws Exception {
    try (LockClient client =
        Locks.using(new Throwing(new MemoryServer()), ClientOptions.defaults())) {
      CompletableFuture<LockEvent.RenewalFailed> failed = new CompletableFuture<>();
      client.addListener(
          event -> {
            if (event instanceof LockEvent.RenewalFailed told) {
              failed.complete(told);
            }
          });
      Renewal often = Renewal.every(Duration.ofMillis(100));
      Lease lease = client.lock("a", LockOptions.defaults().withRenewal(often)).acquire();
      inRenewal = Optional.of(new NoClassDefFoundError("gone, on purpose"));
      assertIsTold(failed.get(10, TimeUnit.SECONDS).cause());
      inRenewal = Optional.empty();
      assertTrue(lease.isValid());
    }
  }

  @Test
  void aReleaseThatFailsWithAnErrorIsSentAgain() throws Exception {
    try (LockClient client =
        Locks.using(new Throwing(new MemoryServer()), ClientOptions.defaults())) {
      DistributedLock lock = client.lock("a");
      Lease lease = lock.acquire();
      inRelease = Optional.of(new NoClassDefFoundError("gone, on purpose"));
      assertEquals(ReleaseOutcome.UNKNOWN, lease.releaseAsync().get(10, TimeUnit.SECONDS));
      inRelease = Optional.empty();
      assertTrue(lock.acquireAsync().get(10, TimeUnit.SECONDS).isValid());
    }
  }

  @Test
  void aRefusedCallerDoesNotWaitForAReleaseThatFailsWithAnError() throws Exception {
    MemoryServer server = new MemoryServer();
    try (LockClient holder = Locks.using(server.backend(), ClientOptions.defaults());
        LockClient client = Locks.using(new Throwing(server), ClientOptions.defaults())) {
      Lease lease = holder.lock("a").acquire();
      inRelease = Optional.of(new NoClassDefFoundError("gone, on purpose"));
      DistributedLock lock = client.lock("a");
      assertEquals(Optional.empty(), lock.tryAcquireAsync().get(10, TimeUnit.SECONDS));
      assertEquals(Optional.empty(), lock.tryAcquireAsync().get(10, TimeUnit.SECONDS));
      inRelease = Optional.empty();
      lease.release();
    }
  }

  @Test
  void itIsClosedThoughItsReleasesFailWithErrors() throws Exception {
    Throwing backend = new Throwing(new MemoryServer());
    LockClient client = Locks.using(backend, ClientOptions.defaults());
    Lease lease = client.lock("a").acquire();
    inRelease = Optional.of(new NoClassDefFoundError("gone, on purpose"));
    client.close();
    assertTrue(backend.closed);
    assertFalse(lease.isValid());
  }

  private static void assertIsTold(LockException failure) {
    assertTrue(String.valueOf(failure.getCause()).endsWith("gone, on purpose"), () -> "" + failure);
  }

  private void failsOnceAndWorksAgain(String cause) throws InterruptedException {
    MemoryServer server = new MemoryServer();
    try (LockClient client = Locks.using(new Throwing(server), ClientOptions.defaults())) {
      DistributedLock lock = client.lock("a");
      LockUnavailableException told =
          assertThrows(LockUnavailableException.class, lock::tryAcquire);
      assertTrue(String.valueOf(told.getCause()).endsWith(cause), () -> "" + told.getCause());
      inClaim = Optional.empty();
      inAttempt = Optional.empty();
      Lease lease = lock.tryAcquire().orElseThrow();
      assertTrue(lease.isValid());
      lease.release();
    }
  }

  private final class Throwing extends ForwardingBackend {

    private boolean closed;

    Throwing(MemoryServer server) {
      super(server.backend());
    }

    @Override
    public Claim claim(ClaimRequest request, ClaimSignals signals) {
      fail(inClaim);
      return new Claim(inner.claim(request, signals), request) {
        @Override
        public CompletionStage<RenewalAnswer> expireIn(Duration left) {
          fail(inEarlierEnd);
          return inner.expireIn(left);
        }
      };
    }

    @Override
    CompletionStage<Attempt> attempt(Claim claim) {
      fail(inAttempt);
      return super.attempt(claim);
    }

    @Override
    CompletionStage<ReleaseAnswer> release(Claim claim) {
      fail(inRelease);
      return super.release(claim);
    }

    @Override
    public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<Claim>> requests) {
      fail(inRenewal);
      return super.renew(requests);
    }

    @Override
    public void close() {
      closed = true;
      super.close();
    }

    private static void fail(Optional<Throwable> with) {
      if (with.isPresent() && with.get() instanceof Error error) {
        throw error;
      } else if (with.isPresent() && with.get() instanceof RuntimeException exception) {
        throw exception;
      }
    }
  }
}
