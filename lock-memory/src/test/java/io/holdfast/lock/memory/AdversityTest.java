/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.memory;

import static io.holdfast.lock.memory.MemoryHarness.granted;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LossReason;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers and executors at their worst. */
@Timeout(60)
class AdversityTest {

  private final MemoryHarness scene = new MemoryHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void tryAcquireDoesNotWaitBehindWaiters() {
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
