/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static io.holdfast.lock.spring.Eventually.SOON;
import static io.holdfast.lock.spring.Eventually.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spring.ReactiveTransactionsTest.Manager;
import io.holdfast.lock.spring.SharedMethodsTest.NoTransactions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A lease may have a transaction of its own: its release commits that, and its close rolls it back.
 * So it is released where the work was done, and closed where that has failed.
 */
class LeaseEndTest {

  /** Methods of each kind. */
  static class Jobs {

    @Locked(key = "#p0")
    public <T> T run(String name, Supplier<T> work) {
      return work.get();
    }

    @Locked(key = "#p0")
    public CompletableFuture<String> stage(String name, CompletableFuture<String> work) {
      return work;
    }

    @Locked(key = "#p0")
    public Mono<String> mono(String name, Mono<String> work) {
      return work;
    }

    @Locked(key = "#p0")
    public Flux<String> flux(String name, Flux<String> work) {
      return work;
    }
  }

  private final MemoryServer server = new MemoryServer();
  private final LockClient client = server.open();
  private final RecordedLeases leases = new RecordedLeases();
  private final TransactionTemplate blocking = new TransactionTemplate(new NoTransactions());
  private final TransactionalOperator reactive = TransactionalOperator.create(new Manager(server));
  private final AnnotationConfigApplicationContext context =
      LockedContext.of((scenario, name) -> leases.of(client.lock(name)), Jobs.class);
  private final IllegalStateException own = new IllegalStateException("own");
  private final Jobs jobs = context.getBean(Jobs.class);

  @AfterEach
  void stop() {
    context.close();
    client.close();
  }

  private String failing() {
    throw own;
  }

  private void assertFails(Runnable call) {
    assertEquals(own, assertThrows(IllegalStateException.class, call::run));
  }

  /** How leases were ended since the last look, and that all were. */
  private void assertEnds(String... ends) {
    await(() -> server.owners().isEmpty());
    assertEquals(List.of(ends), leases.ends);
    leases.ends.clear();
  }

  @Test
  void ofAMethodThatBlocks() {
    assertEquals("done", jobs.run("7", () -> "done"));
    assertEnds("release");
    assertFails(() -> jobs.run("7", this::failing));
    assertEnds("close");
  }

  @Test
  void ofATemplate() throws Exception {
    LockTemplate template = context.getBean(LockTemplate.class);
    DistributedLock lock = leases.of(client.lock("7"));
    assertEquals("done", template.call(lock, lease -> "done"));
    assertEnds("release");
    assertEquals("done", template.tryCall(lock, Duration.ZERO, lease -> "done").orElseThrow());
    assertEnds("release");
    assertThrows(
        IllegalStateException.class, () -> template.tryCall(lock, SOON, lease -> failing()));
    assertEnds("close");
  }

  @Test
  void ofATransactionThatWasUnderWay() {
    blocking.executeWithoutResult(status -> jobs.run("7", () -> "done"));
    assertEnds("release");
    assertFails(
        () ->
            blocking.executeWithoutResult(
                status -> {
                  jobs.run("7", () -> "done");
                  failing();
                }));
    assertEnds("close");
    blocking.executeWithoutResult(
        status -> {
          jobs.run("7", () -> "done");
          status.setRollbackOnly();
        });
    assertEnds("close");
  }

  @Test
  void ofAMethodThatReturnsAStage() throws Exception {
    assertEquals(
        "done",
        jobs.stage("7", CompletableFuture.completedFuture("done"))
            .get(SOON.toSeconds(), TimeUnit.SECONDS));
    assertEnds("releaseAsync");
    CompletableFuture<String> failed = jobs.stage("7", CompletableFuture.failedFuture(own));
    assertEquals(
        own,
        assertThrows(ExecutionException.class, () -> failed.get(SOON.toSeconds(), TimeUnit.SECONDS))
            .getCause());
    assertEnds("close");
  }

  @Test
  void ofAMethodThatReturnsAPublisher() {
    assertEquals("done", jobs.mono("7", Mono.just("done")).block(SOON));
    assertEnds("releaseAsync");
    assertFails(() -> jobs.mono("7", Mono.error(own)).block(SOON));
    assertEnds("close");
    assertEquals("done", jobs.flux("7", Flux.just("done")).blockLast(SOON));
    assertEnds("releaseAsync");
    assertFails(() -> jobs.flux("7", Flux.error(own)).blockLast(SOON));
    assertEnds("close");
  }

  @Test
  void ofASubscriptionThatIsCancelled() {
    Sinks.One<String> never = Sinks.one();
    Disposable subscription = jobs.mono("7", never.asMono()).subscribe();
    await(() -> never.currentSubscriberCount() == 1);
    subscription.dispose();
    await(() -> server.owners().isEmpty());
    assertTrue(leases.ends.contains("close"), leases.ends::toString);
    assertTrue(leases.ends.stream().allMatch("close"::equals), leases.ends::toString);
  }

  @Test
  void ofAReactiveTransactionThatWasUnderWay() {
    Mono<String> done = jobs.mono("7", Mono.just("done"));
    assertEquals("done", done.as(reactive::transactional).block(SOON));
    assertEnds("releaseAsync");
    assertFails(() -> done.then(Mono.<String>error(own)).as(reactive::transactional).block(SOON));
    assertEnds("close");
    assertFails(() -> jobs.mono("7", Mono.error(own)).as(reactive::transactional).block(SOON));
    assertEnds("close");
  }
}
