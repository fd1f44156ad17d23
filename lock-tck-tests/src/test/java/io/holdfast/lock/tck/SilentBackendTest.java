/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a backend which breaks its own deadlines keeps no caller for ever. */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SilentBackendTest {

  private final ManualTime time = new ManualTime();
  private final MemoryServer server = new MemoryServer(time);
  private final Silent backend = new Silent(server);
  private final LockClient client =
      Locks.using(
          backend, ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(time));

  @Test
  void aReleaseWithoutAnAnswerIsUnknownAndTheClientCanBeClosed() {
    Lease lease = client.lock("a").acquireAsync().join();
    assertEquals(ReleaseOutcome.UNKNOWN, lease.release());
    assertFalse(lease.isValid());
    client.close();
    assertTrue(backend.closed);
  }

  @Test
  void aHolderThatIsAskedForWithoutAnAnswerIsUnavailable() {
    assertThrows(LockUnavailableException.class, () -> client.inspector().holder("a"));
    client.close();
    assertTrue(backend.closed);
  }

  private static final class Silent extends ForwardingBackend {

    private boolean closed;

    Silent(MemoryServer server) {
      super(server.backend());
    }

    @Override
    public Duration operationTimeout() {
      return Duration.ofMillis(10);
    }

    @Override
    CompletionStage<ReleaseAnswer> release(Claim claim) {
      return new CompletableFuture<>();
    }

    @Override
    public Optional<LockInspection> inspection() {
      return super.inspection()
          .map(
              all ->
                  new Inspection(all) {
                    @Override
                    public CompletionStage<Optional<LockHolder>> holder(String lockName) {
                      return new CompletableFuture<>();
                    }
                  });
    }

    @Override
    public void close() {
      closed = true;
      super.close();
    }
  }
}
