/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static io.holdfast.lock.spring.Eventually.SOON;
import static io.holdfast.lock.spring.Eventually.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spring.Orders.Order;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Tests the promises of a {@link Locked} method, in each of its forms. */
class LockedTest {

  private final MemoryServer server = new MemoryServer();
  private final LockClient client = server.open();
  private final LockClient another = server.open();
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private Orders orders = new Orders();

  @BeforeEach
  void start() {
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("region", "eu", "region.ttl", "9s")));
    context.register(LockedConfiguration.class);
    context.registerBean(LockSource.class, () -> (scenario, name) -> client.lock(name));
    context.registerBean(Orders.class);
    context.refresh();
    orders = context.getBean(Orders.class);
  }

  @AfterEach
  void stop() {
    context.close();
    client.close();
    another.close();
  }

  private boolean isFree(String name) throws InterruptedException {
    Optional<Lease> lease = another.lock(name).tryAcquire();
    lease.ifPresent(Lease::release);
    return lease.isPresent();
  }

  @Test
  void namesTheLockAndPassesTheLease() throws Exception {
    assertEquals("order:7 true", orders.ship(new Order(7), null, 0));
    assertTrue(isFree("order:7"));
  }

  @Test
  void aBusyLockIsThrown() throws Exception {
    try (Lease lease = another.lock("eu").acquire()) {
      LockTimeoutException busy =
          assertThrows(LockTimeoutException.class, () -> orders.count(() -> 1));
      assertTrue(String.valueOf(busy.getMessage()).contains("'eu' was not granted within 2 s"));
      lease.ensureValid();
    }
    assertEquals(1, orders.count(() -> 1));
  }

  @Test
  void aBusyLockIsSkipped() throws Exception {
    try (Lease lease = another.lock("job").acquire()) {
      assertNull(orders.skip("job"));
      assertEquals(Optional.empty(), orders.skipOptional("job"));
      assertNull(orders.skipStage("job").get(SOON.toSeconds(), TimeUnit.SECONDS));
      assertEquals(Optional.empty(), orders.skipMono("job").blockOptional());
      lease.ensureValid();
    }
    assertEquals("job", orders.skip("job"));
    assertEquals("job", orders.skipMono("job").block());
  }

  @Test
  void aCallWithinAnotherSharesItsLease() throws Exception {
    assertEquals(Optional.of("counted 5"), orders.nested(orders));
    assertTrue(isFree("eu"));
  }

  @Test
  void aFailureGivesTheLockBack() throws Exception {
    IllegalStateException own = new IllegalStateException("own");
    assertEquals(
        own,
        assertThrows(
            IllegalStateException.class,
            () ->
                orders.count(
                    () -> {
                      throw own;
                    })));
    assertTrue(isFree("eu"));
  }

  @Test
  void aLossIsThrownAtTheEnd() {
    assertThrows(
        LockLostException.class,
        () ->
            orders.count(
                () -> {
                  client.close();
                  return 1;
                }));
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    String name = "a\u001b[2J";
    try (Lease lease = another.lock(name).acquire()) {
      CompletableFuture<String> message = new CompletableFuture<>();
      CompletableFuture<Boolean> flag = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                CancellationException told =
                    assertThrows(CancellationException.class, () -> orders.print(name));
                message.complete(String.valueOf(told.getMessage()));
                flag.complete(Thread.currentThread().isInterrupted());
              });
      thread.start();
      thread.interrupt();
      assertTrue(flag.get(SOON.toSeconds(), TimeUnit.SECONDS));
      assertEquals("Interrupted while waiting for lock 'a\\u001b[2J'", message.join());
      lease.ensureValid();
    }
  }

  @Test
  void aMethodThatDeclaresItThrowsTheInterruptItself() throws Exception {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    CountDownLatch entered = new CountDownLatch(1);
    Thread thread =
        new Thread(
            () ->
                thrown.complete(
                    assertThrows(
                        InterruptedException.class,
                        () -> orders.untilReleased("long", entered, new CountDownLatch(1)))));
    thread.start();
    assertTrue(entered.await(SOON.toSeconds(), TimeUnit.SECONDS));
    assertFalse(isFree("long"));
    thread.interrupt();
    thrown.get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertTrue(isFree("long"));
  }

  @Test
  void aStageIsHeldUntilItIsComplete() throws Exception {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result = orders.stage("s", work);
    awaitCalls(1);
    assertFalse(isFree("s"));
    assertFalse(result.isDone());
    work.complete("done");
    assertEquals("done", result.get(SOON.toSeconds(), TimeUnit.SECONDS));
    assertTrue(isFree("s"));
  }

  @Test
  void aStageThatFailsGivesTheLockBack() throws Exception {
    failAStage();
  }

  private void failAStage() throws Exception {
    IllegalStateException own = new IllegalStateException("own");
    CompletableFuture<String> result = orders.stage("s", CompletableFuture.failedFuture(own));
    ExecutionException thrown =
        assertThrows(
            ExecutionException.class, () -> result.get(SOON.toSeconds(), TimeUnit.SECONDS));
    assertEquals(own, thrown.getCause());
    assertTrue(isFree("s"));
  }

  /** On a small machine it has one thread, and applications block it. */
  @Test
  void aBusyCommonPoolKeepsNoLock() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < ForkJoinPool.getCommonPoolParallelism(); i++) {
      ForkJoinPool.commonPool().submit(() -> end.await(1, TimeUnit.MINUTES));
    }
    try {
      failAStage();
    } finally {
      end.countDown();
    }
  }

  @Test
  void aCancelledStageGivesTheLockBack() throws Exception {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result = orders.stage("s", work);
    awaitCalls(1);
    result.cancel(true);
    // The call may be about to hand it over.
    await(work::isCancelled);
    awaitFree("s");
  }

  @Test
  void aStageThatIsCancelledWhileItWaitsLeavesNothing() throws Exception {
    Lease lease = another.lock("s").acquire();
    CompletableFuture<String> result = orders.stage("s", new CompletableFuture<>());
    result.cancel(true);
    lease.release();
    awaitFree("s");
    assertEquals(0, orders.calls());
  }

  @Test
  void aMonoIsHeldFromItsSubscriptionUntilItIsComplete() throws Exception {
    Sinks.One<String> work = Sinks.one();
    Mono<String> mono = orders.mono("m", work.asMono());
    assertTrue(isFree("m"));
    CompletableFuture<String> result = mono.toFuture();
    awaitCalls(1);
    assertFalse(isFree("m"));
    work.tryEmitValue("done");
    assertEquals("done", result.get(SOON.toSeconds(), TimeUnit.SECONDS));
    assertTrue(isFree("m"));
  }

  @Test
  void aCancelledMonoGivesTheLockBack() throws Exception {
    Disposable subscription = orders.mono("m", Mono.never()).subscribe();
    awaitCalls(1);
    assertFalse(isFree("m"));
    subscription.dispose();
    awaitFree("m");
  }

  @Test
  void monosThatAreCancelledAtAnyMomentLeaveNothing() throws Exception {
    for (int i = 0; i < 500; i++) {
      Disposable subscription = orders.mono("m", Mono.never()).subscribe();
      if (i % 2 == 0) {
        Thread.onSpinWait();
      } else {
        CountDownLatch moment = new CountDownLatch(1);
        CompletableFuture.runAsync(moment::countDown);
        moment.await();
      }
      subscription.dispose();
    }
    awaitFree("m");
  }

  @Test
  void aFluxIsHeldUntilItsEnd() throws Exception {
    Sinks.Many<Integer> work = Sinks.many().unicast().onBackpressureBuffer();
    CompletableFuture<Integer> sum =
        orders.flux("f", work.asFlux()).reduce(0, Integer::sum).toFuture();
    awaitHeld("f");
    work.tryEmitNext(1);
    work.tryEmitNext(2);
    assertFalse(isFree("f"));
    assertThrows(LockTimeoutException.class, () -> another.lock("f").acquire(Duration.ZERO));
    work.tryEmitComplete();
    assertEquals(3, sum.get(SOON.toSeconds(), TimeUnit.SECONDS));
    assertTrue(isFree("f"));
  }

  @Test
  void aBusyFluxFails() throws Exception {
    try (Lease lease = another.lock("f").acquire()) {
      Flux<Integer> flux = orders.flux("f", Flux.just(1));
      assertThrows(LockTimeoutException.class, flux::blockLast);
      lease.ensureValid();
    }
  }

  private void awaitCalls(int calls) {
    await(() -> orders.calls() >= calls);
  }

  private void awaitFree(String name) {
    await(() -> isFree(name));
  }

  private void awaitHeld(String name) {
    await(() -> server.owners().containsKey(name));
  }
}
