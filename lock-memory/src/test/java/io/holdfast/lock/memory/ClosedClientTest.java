/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockInspector;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.spi.LockInspection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
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

  /** The failure of the backend is only a consequence then. */
  @Test
  void aQuestionThatIsCutOffByTheCloseSaysSo() {
    List<LockClient> opened = new ArrayList<>();
    LockInspection cutOff =
        new LockInspection() {
          @Override
          public CompletionStage<Optional<LockHolder>> holder(String lockName) {
            opened.get(0).close();
            return CompletableFuture.failedFuture(new LockUnavailableException("Not connected"));
          }

          @Override
          public CompletionStage<Set<String>> names() {
            return CompletableFuture.completedFuture(Set.of());
          }

          @Override
          public CompletionStage<Boolean> evict(LockHolder holder) {
            return CompletableFuture.completedFuture(false);
          }
        };
    opened.add(
        Locks.using(
            new ForwardingBackend(scene.server) {
              @Override
              public Optional<LockInspection> inspection() {
                return Optional.of(cutOff);
              }
            },
            ClientOptions.defaults().withTime(scene.time)));
    LockInspector inspector = opened.get(0).inspector();
    LockClosedException told = assertThrows(LockClosedException.class, () -> inspector.holder("a"));
    assertInstanceOf(LockUnavailableException.class, told.getCause());
  }

  /** Its caller may end what the client was lent as soon as it returns. */
  @Test
  void aSecondCloseWaitsForTheFirst() throws Exception {
    List<LockClient> opened = new ArrayList<>();
    AtomicBoolean closed = new AtomicBoolean();
    CompletableFuture<Boolean> closedThen = new CompletableFuture<>();
    opened.add(
        Locks.using(
            new ForwardingBackend(scene.server) {
              @Override
              public Duration operationTimeout() {
                return Duration.ofMinutes(1);
              }

              @Override
              public void close() {
                Thread second =
                    new Thread(
                        () -> {
                          opened.get(0).close();
                          closedThen.complete(closed.get());
                        });
                second.start();
                waitsOrIsOver(second);
                closed.set(true);
                super.close();
              }
            },
            ClientOptions.defaults().withTime(scene.time)));
    opened.get(0).close();
    assertTrue(closedThen.get(30, TimeUnit.SECONDS), "the first was not over");
  }

  private static void waitsOrIsOver(Thread thread) {
    long begun = System.nanoTime();
    while (thread.getState() != Thread.State.TIMED_WAITING
        && thread.getState() != Thread.State.TERMINATED
        && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(30)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
