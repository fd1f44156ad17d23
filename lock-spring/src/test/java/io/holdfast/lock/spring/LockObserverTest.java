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

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockTimeoutException;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.spring.Locked.Busy;
import io.holdfast.lock.spring.ReactiveTransactionsTest.Manager;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Tests what an observer is told of each kind of method, and when. */
class LockObserverTest {

  private static final String FAILED = "failed LockTimeoutException";
  private static final List<String> ALL =
      List.of("begin 7", "open", "granted", "work", "close", "end, free");

  private final MemoryServer server = new MemoryServer();
  private final LockClient client = server.open();
  private final LockClient another = server.open();
  private final Recorder told = new Recorder();
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private Jobs jobs = new Jobs();
  private LockTemplate template = new LockTemplate(new HeldLeases(), () -> told);

  /** Writes down what it is told, and whether the lock is held at the end. */
  private final class Recorder implements LockObserver, LockObserver.Work {

    private final List<String> signals = new CopyOnWriteArrayList<>();
    private final ThreadLocal<Boolean> current = ThreadLocal.withInitial(() -> false);
    private volatile @Nullable String refused;

    @Override
    public Work begin(DistributedLock lock, Optional<Object> parent) {
      signals.add("begin " + lock.name() + parent.map(value -> " in " + value).orElse(""));
      refuse("begin");
      return this;
    }

    @Override
    public Object contextKey() {
      refuse("contextKey");
      return "key";
    }

    @Override
    public Optional<Object> context() {
      refuse("context");
      return Optional.of("own");
    }

    @Override
    public Runnable open() {
      signals.add("open");
      refuse("open");
      current.set(true);
      return () -> {
        signals.add("close");
        current.set(false);
        refuse("close");
      };
    }

    @Override
    public void granted(Lease lease) {
      signals.add("granted");
      refuse("granted");
    }

    @Override
    public void failed(Throwable thrown) {
      signals.add("failed " + thrown.getClass().getSimpleName());
      refuse("failed");
    }

    @Override
    public void end() {
      signals.add("end, " + (server.owners().containsKey("7") ? "held" : "free"));
      refuse("end");
    }

    private void refuse(String step) {
      if (step.equals(refused)) {
        throw new NoSuchMethodError("not now");
      }
    }

    private <T> T work(T result) {
      signals.add(current.get() ? "work" : "work of nobody");
      return result;
    }
  }

  /** Methods of each kind. */
  static class Jobs {

    @Locked(key = "#p0")
    public <T> T run(String name, Supplier<T> work) {
      return work.get();
    }

    @Locked(key = "#p0", busy = Busy.SKIP)
    public @Nullable String tryRun(String name) {
      return name;
    }

    @Locked(key = "#p0", maxWait = "0s")
    public <T> CompletableFuture<T> stage(String name, Supplier<CompletableFuture<T>> work) {
      return work.get();
    }

    @Locked(key = "#p0", maxWait = "0s")
    public Mono<String> mono(String name, Supplier<Mono<String>> work) {
      return work.get();
    }

    @Locked(key = "#p0")
    public Flux<String> flux(String name, Supplier<Flux<String>> work) {
      return work.get();
    }
  }

  @BeforeEach
  void start() {
    context.register(LockedConfiguration.class);
    context.registerBean(LockSource.class, () -> new ClientLockSource(client));
    context.registerBean(LockObserver.class, () -> told);
    context.registerBean(Jobs.class);
    context.refresh();
    jobs = context.getBean(Jobs.class);
    template = context.getBean(LockTemplate.class);
  }

  @AfterEach
  void stop() {
    context.close();
    client.close();
    another.close();
  }

  /** It has begun without a lock, and ended. */
  private void assertBusy(String next, String last) {
    assertEquals(List.of("begin 7", "open", next, last, "end, held"), told.signals);
  }

  @Test
  void aMethodThatBlocks() {
    assertEquals("done", jobs.run("7", () -> told.work("done")));
    assertEquals(ALL, told.signals);
  }

  @Test
  void aCallWithinAnotherOneOfTheSameLockIsAPartOfIt() {
    assertEquals("done", jobs.run("7", () -> jobs.run("7", () -> told.work("done"))));
    assertEquals(ALL, told.signals);
  }

  @Test
  void aFailureOfTheWork() {
    assertThrows(
        IllegalStateException.class,
        () ->
            jobs.run(
                "7",
                () -> {
                  throw new IllegalStateException("own");
                }));
    assertEquals(
        List.of("begin 7", "open", "granted", "failed IllegalStateException", "close", "end, free"),
        told.signals);
  }

  @Test
  void aBusyLock() throws Exception {
    Lease lease = another.lock("7").acquire();
    assertNull(jobs.tryRun("7"));
    assertEquals(List.of("begin 7", "open", "close", "end, held"), told.signals);

    told.signals.clear();
    assertThrows(
        LockTimeoutException.class,
        () -> template.call(client.lock("7"), Duration.ZERO, own -> told.work("done")));
    assertBusy(FAILED, "close");

    told.signals.clear();
    assertThrows(
        Exception.class,
        () ->
            jobs.stage("7", () -> CompletableFuture.completedFuture("done"))
                .get(10, TimeUnit.SECONDS));
    assertBusy("close", FAILED);

    told.signals.clear();
    Mono<String> result = jobs.mono("7", () -> Mono.just("done"));
    assertThrows(LockTimeoutException.class, () -> result.block(SOON));
    assertBusy("close", FAILED);
    lease.release();
  }

  @Test
  void aLockThatIsKeptUntilTheTransactionHasEnded() {
    new TransactionTemplate(new SharedMethodsTest.NoTransactions())
        .executeWithoutResult(
            status -> {
              assertEquals("done", jobs.run("7", () -> told.work("done")));
              assertEquals(ALL.subList(0, 5), told.signals);
            });
    assertEquals(ALL, told.signals);
  }

  @Test
  void aMethodThatReturnsAStage() throws Exception {
    assertEquals(
        "done",
        jobs.stage("7", () -> CompletableFuture.completedFuture(told.work("done")))
            .get(10, TimeUnit.SECONDS));
    assertEquals("end, free", told.signals.get(told.signals.size() - 1));
    assertTrue(told.signals.containsAll(ALL), told.signals::toString);
  }

  @Test
  void aMethodThatReturnsAPublisher() {
    Supplier<Mono<String>> work =
        () -> {
          told.work("assembled");
          return Mono.deferContextual(view -> Mono.just(view.<String>get("key")));
        };
    Mono<String> mono = jobs.mono("7", work);
    assertTrue(told.signals.isEmpty());
    assertEquals("own", mono.block(SOON));
    assertEquals(told.signals.get(0), "begin 7");
    assertEquals("end, free", told.signals.get(told.signals.size() - 1));
    assertTrue(told.signals.containsAll(ALL), told.signals::toString);

    told.signals.clear();
    assertEquals(
        List.of("own"),
        jobs.flux("7", () -> Flux.from(work.get()))
            .contextWrite(view -> view.put("key", "caller"))
            .collectList()
            .block(SOON));
    assertEquals("begin 7 in caller", told.signals.get(0));
    assertEquals("end, free", told.signals.get(told.signals.size() - 1));
  }

  @Test
  void aSubscriptionThatIsCancelled() {
    Sinks.One<String> never = Sinks.one();
    CompletableFuture<String> result = jobs.mono("7", never::asMono).toFuture();
    await(() -> never.currentSubscriberCount() == 1);
    result.cancel(true);
    await(() -> told.signals.stream().anyMatch(signal -> signal.startsWith("end")));
    await(() -> server.owners().isEmpty());
  }

  @Test
  void aLockThatIsKeptUntilTheReactiveTransactionHasEnded() {
    TransactionalOperator transaction = TransactionalOperator.create(new Manager(server));
    assertEquals(
        "done",
        jobs.mono("7", () -> Mono.just(told.work("done")))
            .doOnNext(done -> assertEquals("close", told.signals.get(told.signals.size() - 1)))
            .as(transaction::transactional)
            .block(SOON));
    assertEquals("end, free", told.signals.get(told.signals.size() - 1));
  }

  /** Or a mistake of it would keep the lock, or give it back while the work goes on. */
  @ParameterizedTest
  @ValueSource(
      strings = {"begin", "contextKey", "context", "open", "close", "granted", "failed", "end"})
  void anExceptionOfTheObserverChangesNothing(String step) throws Exception {
    told.refused = step;
    assertEquals("done", jobs.run("7", () -> "done"));
    assertTrue(server.owners().isEmpty());
    CompletableFuture<String> work = new CompletableFuture<>();
    CompletableFuture<String> result = jobs.stage("7", () -> work);
    await(() -> server.owners().containsKey("7"));
    assertFalse(result.isDone());
    work.complete("done");
    assertEquals("done", result.get(10, TimeUnit.SECONDS));
    await(() -> server.owners().isEmpty());
    assertEquals("done", jobs.mono("7", () -> Mono.just("done")).block(SOON));
    await(() -> server.owners().isEmpty());
    assertThrows(
        UnsupportedOperationException.class,
        () ->
            jobs.run(
                "7",
                () -> {
                  throw new UnsupportedOperationException();
                }));
    assertTrue(server.owners().isEmpty());
  }
}
