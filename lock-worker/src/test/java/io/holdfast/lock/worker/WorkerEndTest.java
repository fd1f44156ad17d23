/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static io.holdfast.lock.worker.Patience.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClient.Subscription;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.testsupport.CapturedLog;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a worker ends, whoever ends it, and whatever fails. */
@Timeout(60)
class WorkerEndTest {

  /**
   * Renewed long before the head start begins, however late that is. No worker that hangs keeps the
   * JVM from its end.
   */
  private static final WorkerOptions SHORT =
      WorkerOptions.defaults()
          .withOptions(
              LockOptions.defaults()
                  .withTtl(Duration.ofSeconds(12))
                  .withRenewal(Renewal.every(Duration.ofSeconds(2))))
          .withPause(Duration.ofMillis(20))
          .withStopAtShutdown(false);

  private final MemoryServer server = new MemoryServer();
  private final LockClient client = server.open();
  private final RecordedStates states = new RecordedStates();
  private final RecordedWork recorder = new RecordedWork();

  @AfterEach
  void close() {
    client.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"RENEWING", "WORKING"})
  void anObserverMayCloseItWhateverThreadItIsToldOn(WorkerState last) throws Exception {
    AtomicBoolean away = new AtomicBoolean();
    CompletableFuture<LockWorker> own = new CompletableFuture<>();
    LockWorker worker =
        new LockWorker(
            client,
            "nightly",
            recorder,
            SHORT,
            state -> {
              states.add(state);
              if (away.get() && state == last) {
                own.join().close();
              }
            });
    own.complete(worker);
    worker.start();
    recorder.started.take();
    away.set(true);
    server.goAway();
    states.await(WorkerState.RENEWING);
    server.comeBack();
    states.await(WorkerState.IDLE);
    get(worker.stop());
    assertEquals(List.of(StopReason.STOPPED), recorder.stopped);
  }

  @Test
  void aLockThatThereCannotBeIsRefusedAtOnce() {
    assertThrows(IllegalArgumentException.class, () -> new LockWorker(client, "", recorder, SHORT));
    client.close();
    assertThrows(
        LockClosedException.class, () -> new LockWorker(client, "nightly", recorder, SHORT));
  }

  @Test
  void itEndsThoughItCannotListen() throws Exception {
    LockClient deaf =
        (LockClient)
            Proxy.newProxyInstance(
                LockClient.class.getClassLoader(),
                new Class<?>[] {LockClient.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("addListener")) {
                    throw new IllegalStateException("no listeners");
                  }
                  return method.invoke(client, arguments);
                });
    LockWorker worker = new LockWorker(deaf, "nightly\u001b[2J", recorder, SHORT, states::add);
    try (CapturedLog log = new CapturedLog()) {
      worker.start();
      get(worker.stop());
      log.assertContains("The worker of lock 'nightly\\u001b[2J' failed");
    }
    assertEquals(WorkerState.IDLE, worker.state());
    assertEquals(List.of(), states.left());
    worker.start();
    worker.close();
  }

  @Test
  void itLeavesNoListenerAndNoThread() throws Exception {
    AtomicInteger listeners = new AtomicInteger();
    LockClient counting =
        (LockClient)
            Proxy.newProxyInstance(
                LockClient.class.getClassLoader(),
                new Class<?>[] {LockClient.class},
                (proxy, method, arguments) -> {
                  Object answer = method.invoke(client, arguments);
                  if (answer instanceof Subscription subscription) {
                    listeners.incrementAndGet();
                    return (Subscription)
                        () -> {
                          listeners.decrementAndGet();
                          subscription.close();
                        };
                  }
                  return answer;
                });
    Set<Thread> before = timers();
    LockWorker worker = new LockWorker(counting, "nightly", recorder, SHORT, states::add);
    worker.start();
    recorder.started.take();
    assertEquals(1, listeners.get());
    get(worker.stop());
    assertEquals(0, listeners.get());
    Conditions.until(
        "its timer has ended",
        Duration.ofSeconds(Patience.SECONDS),
        () -> before.containsAll(timers()));
  }

  /** Of all clocks of the host. */
  private static Set<Thread> timers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("holdfast-timer"))
        .collect(Collectors.toSet());
  }

  @Test
  void anInterruptDoesNotEndAWaitForItsEndAndStaysSet() throws Exception {
    CountDownLatch stops = new CountDownLatch(1);
    recorder.beforeStopped = stops;
    LockWorker worker = new LockWorker(client, "nightly", recorder, SHORT, states::add);
    worker.start();
    recorder.started.take();
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    Thread closer =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              worker.close();
              closed.complete(Thread.interrupted() && worker.state() == WorkerState.IDLE);
            });
    closer.start();
    states.await(WorkerState.CLEANING_UP);
    while (closer.isAlive() && closer.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    stops.countDown();
    assertTrue(get(closed));
    assertEquals(List.of(StopReason.STOPPED), recorder.stopped);
  }

  /** Otherwise it could be started anew while its work goes on. */
  @Test
  void cancellingTheFutureOfItsEndChangesNothing() throws Exception {
    CountDownLatch stops = new CountDownLatch(1);
    recorder.beforeStopped = stops;
    LockWorker worker = new LockWorker(client, "nightly", recorder, SHORT, states::add);
    worker.start();
    recorder.started.take();
    assertTrue(worker.stop().cancel(true));
    states.await(WorkerState.CLEANING_UP);
    assertThrows(IllegalStateException.class, worker::start);
    assertFalse(worker.stop().isDone());
    stops.countDown();
    worker.close();
    assertEquals(WorkerState.IDLE, worker.state());
  }

  @Test
  void oneForWhichThereWasNoThreadMayBeStartedAgain() throws Exception {
    WorkerProgress progress = new WorkerProgress("nightly", states::add);
    assertThrows(
        OutOfMemoryError.class,
        () -> progress.begin(end -> LeasedWorkTest.unstartable(() -> end.complete(null))));
    assertTrue(progress.stop().isDone());
    progress.begin(end -> new Thread(() -> end.complete(null)));
    get(progress.stop());
  }
}
