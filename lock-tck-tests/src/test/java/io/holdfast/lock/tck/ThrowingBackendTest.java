/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
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
  private Optional<Throwable> inRenewal = Optional.empty();

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
      assertTrue(String.valueOf(told.getCause()).endsWith("gone, on purpose"), told.toString());
      assertTrue(lease.isValid());
      lease.extend(Duration.ofMinutes(1));
    }
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

    Throwing(MemoryServer server) {
      super(server.backend());
    }

    @Override
    public Claim claim(ClaimRequest request, ClaimSignals signals) {
      fail(inClaim);
      return super.claim(request, signals);
    }

    @Override
    CompletionStage<Attempt> attempt(Claim claim) {
      fail(inAttempt);
      return super.attempt(claim);
    }

    @Override
    public CompletionStage<List<RenewalAnswer>> renew(List<RenewalRequest<Claim>> requests) {
      fail(inRenewal);
      return super.renew(requests);
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
