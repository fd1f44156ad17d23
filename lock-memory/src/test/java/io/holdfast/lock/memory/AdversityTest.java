/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers, executors and clocks at their worst. */
@Timeout(60)
class AdversityTest {

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void whoDoesNotWantToWaitDoesNotWaitBehindWaiters() {
    DistributedLock lock = scene.lock("a");
    Lease first = granted(lock.acquireAsync());
    CompletableFuture<Lease> waiter = lock.acquireAsync();
    scene.server.delayAnswers(Duration.ofMillis(100));
    first.releaseAsync();
    CompletableFuture<Optional<Lease>> once = lock.tryAcquireAsync();
    scene.server.delayAnswers(Duration.ZERO);
    scene.time.advance(Duration.ofSeconds(5));
    assertTrue(granted(waiter).isValid());
    assertTrue(once.isDone(), "one attempt was asked for, and it still waits");
    assertEquals(Optional.empty(), once.join());
  }

  private static ClientOptions withExecutor(AtomicBoolean broken) {
    Executor executor =
        task -> {
          if (broken.get()) {
            throw new IllegalStateException("this executor is broken");
          }
          task.run();
        };
    return ClientOptions.defaults().withCallbackExecutor(executor);
  }

  @Test
  void anExecutorThatFailsDropsNoLease() throws Exception {
    MemoryServer server = new MemoryServer();
    AtomicBoolean broken = new AtomicBoolean();
    try (LockClient client = server.open(withExecutor(broken))) {
      broken.set(true);
      CompletableFuture<Lease> granted = client.lock("a").acquireAsync();
      assertTrue(granted.get(30, TimeUnit.SECONDS).isValid());
    }
  }

  @Test
  void anExecutorThatFailsStopsNoBlockingCaller() throws Exception {
    MemoryServer server = new MemoryServer();
    AtomicBoolean broken = new AtomicBoolean();
    try (LockClient client = server.open(withExecutor(broken))) {
      client.addListener(event -> {});
      broken.set(true);
      Optional<Lease> lease =
          CompletableFuture.supplyAsync(
                  () -> {
                    try {
                      return client.lock("a").tryAcquire(Duration.ofSeconds(10));
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  })
              .get(30, TimeUnit.SECONDS);
      assertTrue(lease.isPresent());
    }
  }

  @Test
  void aListenerThatWasTakenAwayHearsNothingOfWhatWaitedForIt() throws Exception {
    MemoryServer server = new MemoryServer();
    try (LockClient client = server.open()) {
      CountDownLatch entered = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      List<LockEvent> heard = new CopyOnWriteArrayList<>();
      LockClient.Subscription subscription =
          client.addListener(
              event -> {
                heard.add(event);
                entered.countDown();
                try {
                  goOn.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      client.lock("a").run(lease -> {});
      assertTrue(entered.await(30, TimeUnit.SECONDS));
      subscription.close();
      goOn.countDown();
      CountDownLatch later = new CountDownLatch(1);
      client.addListener(event -> later.countDown());
      client.lock("b").run(lease -> {});
      assertTrue(later.await(30, TimeUnit.SECONDS));
      long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
      while (System.nanoTime() < until) {
        assertEquals(1, heard.size(), "heard after it was taken away: " + heard);
      }
    }
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

  @Test
  void theReasonOfALossIsThatOfTheLease() {
    Lease lease =
        granted(
            scene
                .client()
                .lock("a", MemoryHarness.TEN_SECONDS.withRenewal(io.holdfast.lock.Renewal.none()))
                .acquireAsync());
    scene.server.goAway();
    assertThrows(RuntimeException.class, () -> lease.extend(Duration.ofSeconds(20)));
    scene.server.comeBack();
    scene.time.advance(Duration.ofSeconds(20));
    assertEquals(LossReason.EXPIRED, lease.loss().join().reason());
    assertEquals(Map.of(), scene.server.owners());
  }
}
