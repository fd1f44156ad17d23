/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static io.holdfast.lock.worker.Patience.get;
import static io.holdfast.lock.worker.Patience.next;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.memory.ManualTime;
import io.holdfast.lock.memory.MemoryServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests signals while a worker waits, on a clock that does not wake it. Events are told at once.
 */
@Timeout(60)
class WorkerSignalsTest {

  private static final Duration TTL = Duration.ofSeconds(10);
  private static final Duration HEAD_START = Duration.ofSeconds(2);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final Alarms alarms = new Alarms(time);
  private final MemoryServer server = new MemoryServer(time);
  private final LockClient client =
      server.open(ClientOptions.defaults().withCallbackExecutor(Runnable::run));
  private final RecordedStates states = new RecordedStates();
  private final RecordedWork recorder = new RecordedWork();
  private final LockWorker worker =
      new LockWorker(
          client,
          "nightly",
          recorder,
          WorkerOptions.defaults()
              .withOptions(LockOptions.defaults().withTtl(TTL))
              .withHeadStart(HEAD_START)
              .withPause(PAUSE)
              .withStopAtShutdown(false)
              .withTime(alarms),
          states::add);

  @AfterEach
  void close() {
    worker.close();
    client.close();
  }

  /** Its thread waits for the end of the lease when this returns. */
  private Lease startAndWait() throws InterruptedException {
    worker.start();
    Lease lease = next(recorder.started);
    alarms.awaitAlarm(lease.remaining().minus(HEAD_START));
    return lease;
  }

  @Test
  void workThatFailsLaterGivesTheLockBackAtOnce() throws Exception {
    CountDownLatch mayFail = new CountDownLatch(1);
    recorder.inPlace =
        () -> {
          mayFail.await();
          throw new IllegalStateException("this work fails late");
        };
    startAndWait();
    mayFail.countDown();
    alarms.awaitAlarm(PAUSE);
    assertEquals(List.of(StopReason.FAILED), recorder.stopped);
    assertEquals(List.of(true), recorder.validAtStop);
    assertEquals(Map.of(), server.owners());
  }

  /** It would be told that the lease is valid until it has stopped. */
  @Test
  void workThatIsStoppedAfterALossIsToldOfTheLoss() throws Exception {
    startAndWait();
    time.pause(TTL);
    get(worker.stop());
    assertEquals(List.of(StopReason.LOST), recorder.stopped);
    assertEquals(
        List.of(
            WorkerState.ACQUIRING,
            WorkerState.WORKING,
            WorkerState.PAUSING,
            WorkerState.RELEASING,
            WorkerState.IDLE),
        states.left());
  }

  @Test
  void aRenewalThatFailsWhileTheWorkIsBeingStoppedChangesNoState() throws Exception {
    CountDownLatch stops = new CountDownLatch(1);
    recorder.beforeStopped = stops;
    startAndWait();
    List<LockEvent> told = new CopyOnWriteArrayList<>();
    client.addListener(told::add);
    worker.stop();
    states.await(WorkerState.CLEANING_UP);
    server.goAway();
    time.advance(TTL.dividedBy(2));
    assertTrue(told.stream().anyMatch(LockEvent.RenewalFailed.class::isInstance));
    assertEquals(WorkerState.CLEANING_UP, worker.state());
    server.comeBack();
    stops.countDown();
    worker.close();
    assertEquals(List.of(WorkerState.RELEASING, WorkerState.IDLE), states.left());
    assertFalse(alarms.isClosed(), "the clock is not the worker's");
  }

  @Test
  void aRenewalOfAnotherLockThatFailsChangesNoState() throws Exception {
    startAndWait();
    List<LockEvent> told = new CopyOnWriteArrayList<>();
    client.addListener(told::add);
    LockOptions brief = LockOptions.defaults().withTtl(Duration.ofSeconds(1));
    Lease other = client.lock("other", brief).acquire();
    server.goAway();
    time.advance(Duration.ofMillis(600));
    assertTrue(
        told.stream()
            .anyMatch(
                event ->
                    event instanceof LockEvent.RenewalFailed && event.lockName().equals("other")));
    server.comeBack();
    other.release();
    assertEquals(List.of(WorkerState.ACQUIRING, WorkerState.WORKING), states.left());
  }

  /** The name is a semaphore for as long as somebody has its permits. */
  @Test
  void aLockThatIsRefusedIsAskedForAgain() throws Exception {
    try (LockClient another = server.open()) {
      Lease permit = another.semaphore("nightly", 3).permit().acquire();
      worker.start();
      states.await(WorkerState.WAITING);
      alarms.awaitAlarm(PAUSE);
      permit.release();
      time.advance(PAUSE);
      Lease lease = next(recorder.started);
      assertTrue(lease.isValid());
    }
  }
}
