/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.testsupport.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A server that refuses for a while that a writer goes on as a reader, on a hand-driven clock. */
@Isolated("reads the standard error of the JVM")
class RefusedDowngradeTest {

  private static final ClientOptions OPTIONS =
      ClientOptions.defaults().withCallbackExecutor(Runnable::run);
  private static final LockOptions TEN_SECONDS =
      LockOptions.defaults().withTtl(Duration.ofSeconds(10));

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);
  private boolean refuses = true;
  private int asked;

  @Test
  void itIsAskedForAsLongAsTheLeaseIsRenewed() {
    try (LockClient other = server.open(OPTIONS);
        LockClient client = Locks.using(new Refusing(server), OPTIONS.withTime(time))) {
      Lease read = downgraded(client);
      time.advance(Duration.ofMinutes(1));
      assertTrue(read.isValid());
      assertEquals(Optional.empty(), reader(other), "the server counts a writer");
      refuses = false;
      time.advance(Duration.ofSeconds(2));
      assertTrue(read.isValid());
      assertTrue(reader(other).isPresent(), "a writer that is none keeps readers out");
    }
  }

  @Test
  void aRefusalThatLastsIsLoggedOnce() {
    List<String> warnings;
    try (CapturedLog log = new CapturedLog()) {
      try (LockClient client = Locks.using(new Refusing(server), OPTIONS.withTime(time))) {
        Lease read = downgraded(client);
        time.advance(Duration.ofMinutes(1));
        read.release();
      }
      warnings = log.warnings("io.holdfast.lock.engine.Cleanup");
    }
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).contains("it is asked again until it does"), warnings::toString);
  }

  @Test
  void itIsNotAskedForAfterTheLeaseHasEnded() {
    try (LockClient client = Locks.using(new Refusing(server), OPTIONS.withTime(time))) {
      Lease read = downgraded(client);
      time.advance(Duration.ofMinutes(1));
      int before = asked;
      assertTrue(before > 30, "asked " + before + " times");
      read.release();
      time.advance(Duration.ofMinutes(1));
      assertEquals(before, asked);
    }
  }

  private static Lease downgraded(LockClient client) {
    Lease written = client.readWriteLock("a", TEN_SECONDS).writeLock().acquireAsync().join();
    return written.downgradeAsync().join();
  }

  private static Optional<Lease> reader(LockClient client) {
    return client.readWriteLock("a", TEN_SECONDS).readLock().tryAcquireAsync().join();
  }

  private final class Refusing extends ForwardingBackend {

    Refusing(MemoryServer server) {
      super(server.backend());
    }

    @Override
    public Claim claim(ClaimRequest request, ClaimSignals signals) {
      return new Claim(inner.claim(request, signals), request) {
        @Override
        public CompletionStage<ReleaseAnswer> reduceTo(int kept) {
          asked++;
          return refuses
              ? CompletableFuture.failedFuture(new LockRejectedException("Not permitted"))
              : inner.reduceTo(kept);
        }
      };
    }
  }
}
