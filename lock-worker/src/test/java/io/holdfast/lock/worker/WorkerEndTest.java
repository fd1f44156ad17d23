/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockClosedException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.testsupport.CapturedLog;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whoever ends a worker, and whatever fails, it ends. */
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
    worker.stop().get(20, TimeUnit.SECONDS);
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
      worker.stop().get(20, TimeUnit.SECONDS);
      log.assertContains("The worker of lock 'nightly\\u001b[2J' failed");
    }
    assertEquals(WorkerState.IDLE, worker.state());
    assertEquals(List.of(), states.left());
    worker.start();
    worker.close();
  }
}
