/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static io.holdfast.lock.spring.Eventually.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * A cancellation may come too late to end the wait for the lock. A lease that is granted all the
 * same is given back, and nothing is done under it.
 */
class LateGrantTest {

  /** Methods whose results come later. */
  static class Jobs {

    @Locked(key = "#p0")
    public <T> CompletableFuture<T> stage(String name, Supplier<CompletableFuture<T>> work) {
      return work.get();
    }

    @Locked(key = "#p0")
    public <T> Mono<T> mono(String name, Supplier<Mono<T>> work) {
      return work.get();
    }
  }

  private final MemoryServer server = new MemoryServer();
  private final LockClient client = server.open();
  private final AtomicInteger calls = new AtomicInteger();
  private final AnnotationConfigApplicationContext context =
      LockedContext.of((scenario, name) -> answering(client.lock(name)), Jobs.class);
  private final Jobs jobs = context.getBean(Jobs.class);

  /** The answer of the lock: no cancellation ends it. */
  private final CompletableFuture<Lease> answer =
      new CompletableFuture<>() {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
          return false;
        }
      };

  @AfterEach
  void stop() {
    context.close();
    client.close();
  }

  private DistributedLock answering(DistributedLock lock) {
    return (DistributedLock)
        Proxy.newProxyInstance(
            DistributedLock.class.getClassLoader(),
            new Class<?>[] {DistributedLock.class},
            (proxy, method, arguments) ->
                method.getName().equals("acquireAsync") ? answer : method.invoke(lock, arguments));
  }

  private String counted() {
    calls.incrementAndGet();
    return "done";
  }

  private void grantAndAssertGivenBack() throws Exception {
    answer.complete(client.lock("7").acquire());
    await(() -> server.owners().isEmpty());
    assertEquals(0, calls.get());
  }

  @Test
  void ofAMethodThatReturnsAStage() throws Exception {
    CompletableFuture<String> result =
        jobs.stage("7", () -> CompletableFuture.completedFuture(counted()));
    assertTrue(result.cancel(true));
    grantAndAssertGivenBack();
  }

  @Test
  void ofAMethodThatReturnsAPublisher() throws Exception {
    Disposable subscription = jobs.mono("7", () -> Mono.just(counted())).subscribe();
    subscription.dispose();
    grantAndAssertGivenBack();
  }
}
