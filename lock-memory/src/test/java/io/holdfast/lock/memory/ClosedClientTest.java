/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what happens to leases when their client is closed, on a clock driven by hand. */
class ClosedClientTest {

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void aBodyWhoseLockWasFreedByTheCloseOfTheClientIsTold() {
    LockClient client = scene.client();
    assertThrows(
        LockLostException.class,
        () ->
            client
                .lock("a")
                .run(
                    lease -> {
                      client.close();
                      assertFalse(lease.isValid());
                      assertTrue(granted(scene.lock("a").acquireAsync()).isValid());
                    }));
  }

  @Test
  void aCloseBeforeTheMinimumHasPassedLeavesTheNameTaken() {
    LockClient client = scene.client();
    Duration minute = Duration.ofMinutes(1);
    Lease lease =
        granted(client.lock("a", MemoryHarness.TEN_SECONDS.withMinHold(minute)).acquireAsync());
    scene.time.advance(Duration.ofSeconds(20));
    client.close();
    assertEquals(LossReason.CLIENT_CLOSED, lease.loss().join().reason());
    scene.time.advance(Duration.ofSeconds(40).minusMillis(1));
    assertEquals(Map.of("a", lease.ownerId()), scene.server.owners());
    scene.time.advance(Duration.ofMillis(1));
    assertEquals(Map.of(), scene.server.owners());
  }

  /** The close has looked for what is held a moment before. */
  @Test
  void aLeaseThatIsGrantedWhileItsClientIsClosedIsOver() {
    AtomicReference<Runnable> atNextLook = new AtomicReference<>(() -> {});
    TimeSource time =
        new TimeSource() {
          @Override
          public long nanos() {
            atNextLook.getAndSet(() -> {}).run();
            return scene.time.nanos();
          }

          @Override
          public Timer schedule(Duration delay, Runnable task) {
            return scene.time.schedule(delay, task);
          }

          @Override
          public void close() {}
        };
    LockClient client =
        Locks.using(
            new ForwardingBackend(scene.server) {
              @Override
              public Duration operationTimeout() {
                // The close waits for the grant, which waits for the close.
                return Duration.ofMillis(10);
              }
            },
            ClientOptions.defaults().withCallbackExecutor(Runnable::run).withTime(time));
    scene.server.delayAnswers(Duration.ofMillis(100));
    CompletableFuture<Lease> asked = client.lock("a").acquireAsync();
    scene.server.delayAnswers(Duration.ZERO);
    // That is when the answer has come.
    atNextLook.set(client::close);
    scene.time.advance(Duration.ofSeconds(1));
    Lease lease = granted(asked);
    assertFalse(lease.isValid());
    assertEquals(LossReason.CLIENT_CLOSED, lease.loss().join().reason());
    assertEquals(Map.of(), scene.server.owners());
  }
}
