/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.spring;

import static io.holdfast.lock.spring.Eventually.SOON;
import static io.holdfast.lock.spring.Eventually.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spring.ReactiveTransactionsTest.Manager;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tests what a subscriber of a {@link Locked} method has, and is told. */
class ReactiveLockingTest {

  /** Methods whose results are subscribed to. */
  static class Jobs {

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
  private final AnnotationConfigApplicationContext context =
      LockedContext.of((scenario, name) -> client.lock(name), Jobs.class);
  private final Jobs jobs = context.getBean(Jobs.class);

  @AfterEach
  void stop() {
    context.close();
    client.close();
  }

  private Mono<String> losing() {
    return Mono.fromCallable(
        () -> {
          client.close();
          return "done";
        });
  }

  /** The holder of the lock, or a text that nobody has as an owner id. */
  private String owner() {
    return server.owners().getOrDefault("7", "nobody");
  }

  @Test
  void eachSubscriptionHasALeaseOfItsOwn() {
    Mono<String> result = jobs.mono("7", Mono.fromSupplier(this::owner));
    Flux<String> results = jobs.flux("7", Flux.defer(() -> Flux.just(owner())));
    List<String> owners = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 2; i++) {
      owners.add(result.blockOptional(SOON).orElseThrow());
      owners.addAll(results.collectList().blockOptional(SOON).orElseThrow());
    }
    assertEquals(4, owners.stream().filter(owner -> !owner.equals("nobody")).distinct().count());
  }

  @Test
  void aLossIsThrownAtTheEnd() {
    Mono<String> result = jobs.mono("7", losing());
    assertThrows(LockLostException.class, () -> result.block(SOON));
  }

  @Test
  void aLossIsThrownAtTheEndOfMany() {
    Flux<String> results = jobs.flux("7", Flux.just("a").concatWith(losing()));
    assertThrows(LockLostException.class, () -> results.collectList().block(SOON));
  }

  @Test
  void aFailureWithinATransactionKeepsTheLockUntilThatIsRolledBack() {
    List<String> owners = new CopyOnWriteArrayList<>();
    TransactionalOperator transaction = TransactionalOperator.create(new Manager(server));
    Mono<String> failing =
        jobs.mono("7", Mono.error(new IllegalStateException("own")))
            .doOnError(failure -> owners.add(owner()));
    assertThrows(
        IllegalStateException.class, () -> failing.as(transaction::transactional).block(SOON));
    assertEquals(1, owners.size());
    assertNotEquals("nobody", owners.get(0));
    await(() -> server.owners().isEmpty());
  }
}
