/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static io.holdfast.lock.worker.Patience.get;
import static io.holdfast.lock.worker.Patience.next;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.memory.MemoryServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LockWorkerTest {

  private static final WorkerOptions SHORT =
      WorkerOptions.defaults()
          .withOptions(LockOptions.defaults().withTtl(Duration.ofSeconds(12)))
          .withHeadStart(Duration.ofSeconds(4))
          .withPause(Duration.ofMillis(20));

  private final MemoryServer server = new MemoryServer();
  private final LockClient client = server.open();
  private final RecordedStates states = new RecordedStates();
  private final RecordedWork recorder = new RecordedWork();
  private final LockWorker worker = worker(client, recorder, SHORT);

  private LockWorker worker(LockClient on, Work work, WorkerOptions options) {
    return new LockWorker(on, "nightly", work, options, states::add);
  }

  @AfterEach
  void close() {
    worker.close();
    client.close();
  }

  @Test
  void worksUntilItIsStoppedAndGivesTheLockBack() throws Exception {
    worker.start();
    Lease lease = next(recorder.started);
    assertTrue(lease.isValid());
    assertEquals(WorkerState.WORKING, worker.state());
    assertEquals(lease, worker.lease().orElseThrow());
    get(worker.stop());
    assertEquals(List.of(StopReason.STOPPED), recorder.stopped);
    assertEquals(List.of(true), recorder.validAtStop);
    assertFalse(server.owners().containsKey("nightly"));
    assertEquals(
        List.of(
            WorkerState.ACQUIRING,
            WorkerState.WORKING,
            WorkerState.CLEANING_UP,
            WorkerState.RELEASING,
            WorkerState.IDLE),
        states.left());
  }

  @Test
  void canBeStartedAgainAndNotTwice() throws Exception {
    worker.start();
    assertThrows(IllegalStateException.class, worker::start);
    recorder.started.take();
    worker.close();
    worker.close();
    worker.start();
    assertTrue(recorder.started.take().isValid());
  }

  @Test
  void stopsWhileItWaitsForTheLock() throws Exception {
    try (LockClient other = server.open();
        Lease held = other.lock("nightly").acquire()) {
      worker.start();
      states.await(WorkerState.ACQUIRING);
      get(worker.stop());
      assertTrue(held.isValid());
      assertEquals(0, server.waiters());
      assertEquals(List.of(), recorder.stopped);
    }
  }

  @Test
  void aLossStopsTheWorkAndIsFollowedByAnotherTenure() throws Exception {
    worker.start();
    Lease first = recorder.started.take();
    server.revoke("nightly");
    Lease second = recorder.started.take();
    assertFalse(first.isValid());
    assertTrue(second.fencingToken() > first.fencingToken());
    assertEquals(List.of(StopReason.LOST), recorder.stopped);
  }

  @Test
  void theWorkIsToldToStopBeforeTheValidityEnds() throws Exception {
    worker.start();
    recorder.started.take();
    server.goAway();
    states.await(WorkerState.RENEWING);
    states.await(WorkerState.PAUSING);
    server.comeBack();
    recorder.started.take();
    assertEquals(List.of(StopReason.ENDING), recorder.stopped);
    assertEquals(List.of(true), recorder.validAtStop);
  }

  @Test
  void renewsThroughAShortOutage() throws Exception {
    worker.start();
    recorder.started.take();
    server.goAway();
    states.await(WorkerState.RENEWING);
    server.comeBack();
    states.await(WorkerState.WORKING);
    assertEquals(List.of(), recorder.stopped);
  }

  @Test
  void resigningLetsAnotherHaveTheLock() throws Exception {
    worker.start();
    recorder.started.take();
    try (LockClient other = server.open()) {
      var waiting = other.lock("nightly").acquireAsync();
      worker.resign();
      Lease next = get(waiting);
      assertEquals(List.of(StopReason.RESIGNED), recorder.stopped);
      next.release();
    }
    assertTrue(recorder.started.take().isValid());
  }

  @Test
  void theLockIsHeldUntilTheWorkHasStopped() throws Exception {
    CountDownLatch stops = new CountDownLatch(1);
    recorder.beforeStopped = stops;
    worker.start();
    recorder.started.take();
    var end = worker.stop();
    states.await(WorkerState.CLEANING_UP);
    assertTrue(server.owners().containsKey("nightly"));
    assertFalse(end.isDone());
    stops.countDown();
    get(end);
    assertFalse(server.owners().containsKey("nightly"));
  }

  @Test
  void workThatFailsIsStartedAnewAfterAPause() throws Exception {
    recorder.failsNext.set(true);
    worker.start();
    recorder.started.take();
    Lease next = recorder.started.take();
    assertEquals(List.of(StopReason.FAILED), recorder.stopped);
    assertEquals(Optional.of(next), worker.lease());
  }

  @Test
  void workDoneInPlaceIsInterruptedWhenItHasToStop() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    recorder.inPlace =
        () -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
          }
        };
    worker.start();
    recorder.started.take();
    get(worker.stop());
    assertTrue(interrupted.await(Patience.SECONDS, TimeUnit.SECONDS));
    assertEquals(List.of(false), recorder.interruptedAtStop);
  }

  /** Otherwise a stop that waits would give up at once, and the lock be free too early. */
  @Test
  void anInterruptOfItsStartThatIsStillSetIsNotOfItsStop() throws Exception {
    recorder.inPlace =
        () -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    worker.start();
    recorder.started.take();
    get(worker.stop());
    assertEquals(List.of(false), recorder.interruptedAtStop);
  }

  @Test
  void aFailureToStopCountsAsStopped() throws Exception {
    recorder.failingToStop.set(true);
    worker.start();
    recorder.started.take();
    get(worker.stop());
    assertFalse(server.owners().containsKey("nightly"));
  }

  @Test
  void endsWithItsClient() throws Exception {
    worker.start();
    recorder.started.take();
    client.close();
    states.await(WorkerState.IDLE);
    get(worker.stop());
    assertEquals(List.of(StopReason.LOST), recorder.stopped);
  }

  @Test
  void oneOfManyWorksAtATime() throws Exception {
    AtomicInteger working = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger tenures = new AtomicInteger();
    Work counting =
        new Work() {
          @Override
          public void start(Lease lease) {
            most.accumulateAndGet(working.incrementAndGet(), Math::max);
            tenures.incrementAndGet();
          }

          @Override
          public void stop(StopReason reason) {
            working.decrementAndGet();
          }
        };
    List<LockClient> clients = new CopyOnWriteArrayList<>();
    List<LockWorker> workers = new CopyOnWriteArrayList<>();
    for (int i = 0; i < 4; i++) {
      LockClient own = server.open();
      clients.add(own);
      LockWorker one = worker(own, counting, SHORT);
      workers.add(one);
      one.start();
    }
    while (tenures.get() < 40) {
      workers.forEach(LockWorker::resign);
      Thread.onSpinWait();
    }
    workers.forEach(LockWorker::close);
    clients.forEach(LockClient::close);
    assertEquals(1, most.get());
    assertEquals(0, working.get());
  }

  @Test
  void canBeClosedFromWithinTheWork() throws Exception {
    recorder.inPlace = worker::close;
    worker.start();
    recorder.started.take();
    states.await(WorkerState.IDLE);
    get(worker.stop());
    assertFalse(server.owners().containsKey("nightly"));
    assertEquals(List.of(StopReason.STOPPED), recorder.stopped);
  }

  @Test
  void anObserverThatFailsLeavesNoLock() throws Exception {
    LockWorker observed =
        new LockWorker(
            client,
            "observed\u001b[2J",
            recorder,
            SHORT,
            state -> {
              throw new AssertionError("of the observer's own at " + state);
            });
    observed.start();
    assertTrue(recorder.started.take().isValid());
    IllegalStateException twice = assertThrows(IllegalStateException.class, observed::start);
    assertEquals("The worker of lock 'observed\\u001b[2J' runs already", twice.getMessage());
    get(observed.stop());
    assertEquals(Optional.empty(), observed.lease());
    assertEquals(Map.of(), server.owners());
  }

  @Test
  void aClockThatFailsLeavesNoWorkAndNoLock() throws Exception {
    TimeSource host = TimeSource.host();
    TimeSource broken =
        new TimeSource() {
          @Override
          public long nanos() {
            return host.nanos();
          }

          @Override
          public Timer schedule(Duration delay, Runnable task) {
            throw new IllegalStateException("No timer");
          }

          @Override
          public void close() {
            host.close();
          }
        };
    LockWorker clocked =
        new LockWorker(client, "clocked", recorder, SHORT.withTime(broken), states::add);
    clocked.start();
    recorder.started.take();
    states.await(WorkerState.IDLE);
    get(clocked.stop());
    assertEquals(List.of(StopReason.FAILED), recorder.stopped);
    assertFalse(server.owners().containsKey("clocked"));
    broken.close();
  }
}
