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

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.memory.MemoryServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.reactive.AbstractReactiveTransactionManager;
import org.springframework.transaction.reactive.GenericReactiveTransaction;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Tests reactive transactions with the locks of their subscribers. */
class ReactiveTransactionsTest {

  private final MemoryServer server = new MemoryServer();
  private final LockClient client = server.open();
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private Manager manager = new Manager(server);

  /** Records how transactions end, and whether the lock was held then. */
  @SuppressWarnings("serial")
  static final class Manager extends AbstractReactiveTransactionManager {

    private final transient MemoryServer server;
    private final transient List<String> ends = new CopyOnWriteArrayList<>();

    Manager(MemoryServer server) {
      this.server = server;
    }

    @Override
    protected Object doGetTransaction(TransactionSynchronizationManager synchronization) {
      return new Object();
    }

    @Override
    protected Mono<Void> doBegin(
        TransactionSynchronizationManager synchronization,
        Object transaction,
        TransactionDefinition definition) {
      return Mono.empty();
    }

    @Override
    protected Mono<Void> doCommit(
        TransactionSynchronizationManager synchronization, GenericReactiveTransaction status) {
      return end("commit");
    }

    @Override
    protected Mono<Void> doRollback(
        TransactionSynchronizationManager synchronization, GenericReactiveTransaction status) {
      return end("rollback");
    }

    private Mono<Void> end(String how) {
      return Mono.fromRunnable(
          () -> ends.add(how + (server.owners().containsKey("7") ? ", held" : ", free")));
    }
  }

  /** Locks and transactions, in each order. */
  public static class Accounts {

    @Locked(key = "#id")
    @Transactional
    public Mono<String> pay(String id, Mono<String> work) {
      return work;
    }

    @Locked(key = "#id")
    @Transactional
    public Flux<String> payAll(String id, Flux<String> work) {
      return work;
    }

    @Locked(key = "#id")
    public Mono<String> locked(String id, Mono<String> work) {
      return work;
    }

    @Transactional
    public Mono<String> transactional(Mono<String> work) {
      return work;
    }

    @Transactional
    public Publisher<String> published(Publisher<String> work) {
      return work;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  @Import(LockedConfiguration.class)
  static class Application {}

  @BeforeEach
  void start() {
    context.register(Application.class);
    context.registerBean(LockSource.class, () -> (scenario, name) -> client.lock(name));
    context.registerBean(Manager.class, () -> new Manager(server));
    context.registerBean(
        TransactionalOperator.class,
        () -> TransactionalOperator.create(context.getBean(Manager.class)));
    context.registerBean(Accounts.class);
    context.refresh();
    manager = context.getBean(Manager.class);
  }

  @AfterEach
  void stop() {
    context.close();
    client.close();
  }

  private Accounts accounts() {
    return context.getBean(Accounts.class);
  }

  private TransactionalOperator operator() {
    return context.getBean(TransactionalOperator.class);
  }

  /** Loses the lock, and waits until the lease knows. */
  private Mono<String> losing() {
    return Mono.fromCallable(
        () -> {
          client.close();
          return "done";
        });
  }

  @Test
  void theLockIsHeldUntilAfterTheCommit() {
    assertEquals("done", accounts().pay("7", Mono.just("done")).block(SOON));
    assertEquals(
        List.of("a", "b"), accounts().payAll("7", Flux.just("a", "b")).collectList().block(SOON));
    assertEquals(List.of("commit, held", "commit, held"), manager.ends);
    awaitFree();
  }

  @Test
  void aCommitIsRefusedIfTheLockIsLost() {
    assertThrows(LockLostException.class, () -> accounts().pay("7", losing()).block(SOON));
    assertEquals(List.of("rollback, free"), manager.ends);
  }

  @Test
  void aCommitOfManyIsRefusedIfTheLockIsLost() {
    Flux<String> losing = Flux.just("a").concatWith(losing());
    assertThrows(
        LockLostException.class, () -> accounts().payAll("7", losing).collectList().block(SOON));
    assertEquals(List.of("rollback, free"), manager.ends);
  }

  @Test
  void soIsACommitThatIsMadeDeepWithin() {
    Mono<String> within = accounts().transactional(losing());
    assertThrows(LockLostException.class, () -> accounts().locked("7", within).block(SOON));
    assertEquals(List.of("rollback, free"), manager.ends);
  }

  @Test
  void soIsThatOfAPublisherThatIsNoneOfReactor() {
    Publisher<String> within = accounts().published(to -> losing().subscribe(to));
    assertThrows(
        LockLostException.class,
        () -> accounts().locked("7", Flux.from(within).last()).block(SOON));
    assertEquals(List.of("rollback, free"), manager.ends);
  }

  @Test
  void anOperatorCommitsWithinALock() {
    Mono<String> within = operator().transactional(Mono.just("done"));
    assertEquals("done", accounts().locked("7", within).block(SOON));
    assertEquals(List.of("commit, held"), manager.ends);
    awaitFree();
  }

  @Test
  void aCommitOfAnOperatorIsRefusedIfTheLockIsLost() {
    Mono<String> within = operator().transactional(losing());
    assertThrows(LockLostException.class, () -> accounts().locked("7", within).block(SOON));
    assertEquals(List.of("rollback, free"), manager.ends);
  }

  @Test
  void soIsThatOfManyOfAnOperator() {
    Mono<String> within = operator().transactional(Flux.just("a").concatWith(losing())).last();
    assertThrows(LockLostException.class, () -> accounts().locked("7", within).block(SOON));
    assertEquals(List.of("rollback, free"), manager.ends);
  }

  @Test
  void soIsThatOfAnOperatorBehindAProxy() {
    Object proxied = new ProxyFactory(TransactionalOperator.create(manager)).getProxy();
    Object guarded = new ReactiveCommitGuard().postProcessAfterInitialization(proxied, "operator");
    Mono<String> within = ((TransactionalOperator) guarded).transactional(losing());
    assertThrows(LockLostException.class, () -> accounts().locked("7", within).block(SOON));
    assertEquals(List.of("rollback, free"), manager.ends);
  }

  @Test
  void anOperatorThatIsUnderWayKeepsTheLock() {
    Mono<String> within =
        accounts()
            .locked("7", Mono.just("done"))
            .doOnNext(done -> assertTrue(server.owners().containsKey("7")));
    assertEquals("done", operator().transactional(within).block(SOON));
    assertEquals(List.of("commit, held"), manager.ends);
    awaitFree();
  }

  @Test
  void aTransactionThatIsUnderWayKeepsTheLock() {
    Mono<String> within =
        accounts()
            .locked("7", Mono.just("done"))
            .doOnNext(done -> assertTrue(server.owners().containsKey("7")));
    assertEquals("done", accounts().transactional(within).block(SOON));
    assertEquals(List.of("commit, held"), manager.ends);
    awaitFree();
  }

  @Test
  void aTransactionThatIsUnderWayIsNotCommittedIfTheLockIsLostAfterItsMethod() {
    Mono<String> within = accounts().locked("7", Mono.just("done")).then(losing());
    assertThrows(LockLostException.class, () -> accounts().transactional(within).block(SOON));
    assertEquals(List.of("rollback, free"), manager.ends);
  }

  @Test
  void aRollbackGivesTheLockBack() {
    IllegalStateException own = new IllegalStateException("own");
    Mono<String> within = accounts().locked("7", Mono.just("done")).then(Mono.error(own));
    assertEquals(
        own,
        assertThrows(
            IllegalStateException.class, () -> accounts().transactional(within).block(SOON)));
    assertEquals(List.of("rollback, held"), manager.ends);
    awaitFree();
  }

  @Test
  void aCancellationRollsBackAndGivesTheLockBack() {
    Sinks.One<String> never = Sinks.one();
    Mono<String> within = accounts().locked("7", never.asMono());
    Disposable subscription = accounts().transactional(within).subscribe();
    await(() -> never.currentSubscriberCount() > 0);
    subscription.dispose();
    awaitFree();
    assertEquals(List.of("rollback, held"), manager.ends);
  }

  @Test
  void cancellationsAtAnyMomentLeaveNothing() {
    for (int i = 0; i < 500; i++) {
      Mono<String> within = accounts().locked("7", Mono.never());
      Disposable subscription = accounts().transactional(within).subscribe();
      for (int spin = 0; spin < i % 100 * 50; spin++) {
        Thread.onSpinWait();
      }
      subscription.dispose();
    }
    awaitFree();
    await(() -> manager.ends.size() == 500);
  }

  @Test
  void withoutALockATransactionCommits() {
    assertNull(accounts().transactional(Mono.empty()).block(SOON));
    assertEquals(List.of("commit, free"), manager.ends);
    assertFalse(server.owners().containsKey("7"));
  }

  private void awaitFree() {
    await(() -> !server.owners().containsKey("7"));
  }
}
