/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static io.holdfast.lock.spring.Eventually.SOON;
import static io.holdfast.lock.spring.Eventually.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientStatus.LockStatus;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.memory.MemoryServer;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/**
 * Tests which thread calls a {@link Locked} method that returns a stage, and what its caller may do
 * with that.
 */
class CompletionStageLockingTest {

  /** A bean with a method that does whatever a test wants. */
  static class Jobs {
    @Locked(key = "#p0")
    public <T> CompletableFuture<T> run(String name, Supplier<CompletableFuture<T>> work) {
      return work.get();
    }
  }

  private final MemoryServer server = new MemoryServer();
  private final LockClient client = server.open();
  private final LockClient another = server.open();
  private UnaryOperator<DistributedLock> view = lock -> lock;
  private final AnnotationConfigApplicationContext context =
      LockedContext.of((scenario, name) -> view.apply(client.lock(name)), Jobs.class);
  private final Jobs jobs = context.getBean(Jobs.class);

  @AfterEach
  void stop() {
    AsyncAcquisition.THREADS.setThreadFactory(null);
    context.close();
    client.close();
    another.close();
  }

  @Test
  void aResultThatEndsWhileTheLockIsBusyLeavesNoWaiter() throws Exception {
    try (Lease lease = another.lock("s").acquire()) {
      CompletableFuture<String> timed = jobs.run("s", CompletableFuture::new);
      CompletableFuture<String> completed = jobs.run("s", CompletableFuture::new);
      await(() -> waiters() == 2);
      completed.complete("instead");
      timed.orTimeout(50, TimeUnit.MILLISECONDS);
      ExecutionException thrown =
          assertThrows(
              ExecutionException.class, () -> timed.get(SOON.toSeconds(), TimeUnit.SECONDS));
      assertInstanceOf(TimeoutException.class, thrown.getCause());
      await(() -> client.status().locks().isEmpty());
      lease.ensureValid();
    }
  }

  @Test
  void aResultThatEndsWhileTheMethodIsAtWorkKeepsTheLockForIt() throws Exception {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result = jobs.run("s", () -> work);
    await(() -> work.getNumberOfDependents() > 0);
    result.complete("instead");
    assertFalse(work.isDone());
    assertFalse(isFree("s"));
    work.complete("done");
    await(() -> isFree("s"));
  }

  @Test
  void aCancellationWhileTheMethodIsCalledEndsItsWork() throws Exception {
    CompletableFuture<CompletableFuture<String>> result = new CompletableFuture<>();
    CompletableFuture<String> work = new CompletableFuture<>();
    result.complete(
        jobs.run(
            "s",
            () -> {
              result.join().cancel(true);
              return work;
            }));
    await(work::isCancelled);
    await(() -> isFree("s"));
  }

  @Test
  void aLossIsThrownAtTheEnd() throws Exception {
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result = jobs.run("s", () -> work);
    await(() -> work.getNumberOfDependents() > 0);
    client.close();
    work.complete("done");
    assertInstanceOf(LockLostException.class, failure(result));
  }

  @Test
  void aFailureOfTheWorkDoesNotHideALoss() throws Exception {
    IllegalStateException own = new IllegalStateException("own");
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result = jobs.run("s", () -> work);
    await(() -> work.getNumberOfDependents() > 0);
    client.close();
    work.completeExceptionally(own);
    assertSame(own, failure(result));
    assertEquals(1, own.getSuppressed().length);
    assertInstanceOf(LockLostException.class, own.getSuppressed()[0]);
  }

  /** It is asynchronous, also in what it refuses. */
  @Test
  void aLockThatCannotBeAskedForFailsTheResult() {
    client.close();
    CompletableFuture<String> result = jobs.run("s", CompletableFuture::new);
    assertInstanceOf(LockClosedException.class, failure(result));
  }

  private static Throwable failure(CompletableFuture<String> result) {
    ExecutionException thrown =
        assertThrows(
            ExecutionException.class, () -> result.get(SOON.toSeconds(), TimeUnit.SECONDS));
    return Objects.requireNonNull(thrown.getCause());
  }

  /** It would be in the caller's transaction, which commits after the lock is given back. */
  @Test
  void itIsNotCalledOnTheThreadOfItsCaller() throws Exception {
    view = CompletionStageLockingTest::answeredAtOnce;
    Thread called =
        jobs.run("s", () -> CompletableFuture.completedFuture(Thread.currentThread()))
            .get(SOON.toSeconds(), TimeUnit.SECONDS);
    assertNotSame(Thread.currentThread(), called);
    assertTrue(isFree("s"));
  }

  /** As a JVM does that has no room for a thread. */
  private static Thread unstartable(Runnable task) {
    return new Thread(task) {
      @Override
      public synchronized void start() {
        throw new OutOfMemoryError("unable to create native thread");
      }
    };
  }

  @Test
  void withoutAThreadForItTheResultFailsAndTheLockIsGivenBack() throws Exception {
    view = CompletionStageLockingTest::answeredAtOnce;
    AtomicInteger calls = new AtomicInteger();
    AsyncAcquisition.THREADS.setThreadFactory(CompletionStageLockingTest::unstartable);
    CompletableFuture<String> result =
        jobs.run(
            "s",
            () -> {
              calls.incrementAndGet();
              return CompletableFuture.completedFuture("done");
            });
    failure(result);
    assertTrue(isFree("s"));
    assertEquals(0, calls.get());
  }

  @Test
  void withoutAThreadForItTheLockOfWorkThatFailsIsGivenBackAllTheSame() throws Exception {
    IllegalStateException own = new IllegalStateException("own");
    Lease lease = another.lock("s").acquire();
    CompletableFuture<String> result = jobs.run("s", () -> CompletableFuture.failedFuture(own));
    await(() -> waiters() == 1);
    AsyncAcquisition.THREADS.setThreadFactory(CompletionStageLockingTest::unstartable);
    lease.release();
    assertSame(own, failure(result));
    assertTrue(isFree("s"));
  }

  /** A view whose futures are complete when they are returned. */
  private static DistributedLock answeredAtOnce(DistributedLock lock) {
    return (DistributedLock)
        Proxy.newProxyInstance(
            DistributedLock.class.getClassLoader(),
            new Class<?>[] {DistributedLock.class},
            (proxy, method, arguments) -> {
              Object answer = method.invoke(lock, arguments);
              if (answer instanceof CompletableFuture<?> future) {
                future.get(SOON.toSeconds(), TimeUnit.SECONDS);
              }
              return answer;
            });
  }

  private int waiters() {
    return client.status().locks().stream().mapToInt(LockStatus::waiters).sum();
  }

  private boolean isFree(String name) throws InterruptedException {
    Optional<Lease> lease = another.lock(name).tryAcquire();
    lease.ifPresent(Lease::release);
    return lease.isPresent();
  }
}
