/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import static io.holdfast.lock.worker.Patience.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;
import io.holdfast.lock.testsupport.CapturedLog;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LeasedWorkTest {

  /** As a JVM does that has no room for one. */
  static Thread unstartable(Runnable task) {
    return new Thread(task) {
      @Override
      public synchronized void start() {
        throw new OutOfMemoryError("unable to create native thread");
      }
    };
  }

  @Test
  void withoutAThreadTheWorkHasFailedAndIsTriedAgain() throws Exception {
    RecordedWork recorder = new RecordedWork();
    try (LockClient client = new MemoryServer().open();
        Lease lease = client.lock("nightly\u001b[2J").acquire();
        CapturedLog log = new CapturedLog()) {
      LeasedWork begun = new LeasedWork(recorder, lease, LeasedWorkTest::unstartable);
      begun.start(() -> {});
      assertTrue(begun.hasFailed());
      log.assertContains("for the work under lock 'nightly\\u001b[2J'");
      begun.stop(StopReason.FAILED);
      assertEquals(List.of(), recorder.stopped, "it was not started");
    }
  }

  /** Or the lock would be given back while the work goes on. */
  @Test
  void anInterruptDoesNotEndTheWaitForItsStopAndStaysSet() throws Exception {
    RecordedWork recorder = new RecordedWork();
    CountDownLatch stops = new CountDownLatch(1);
    recorder.beforeStopped = stops;
    try (LockClient client = new MemoryServer().open();
        Lease lease = client.lock("nightly").acquire()) {
      LeasedWork begun = new LeasedWork(recorder, lease, Thread::new);
      begun.start(() -> {});
      recorder.started.take();
      CompletableFuture<Boolean> stopped = new CompletableFuture<>();
      Thread stopper =
          new Thread(
              () -> {
                Thread.currentThread().interrupt();
                begun.stop(StopReason.STOPPED);
                stopped.complete(Thread.interrupted());
              });
      stopper.start();
      while (stopper.isAlive() && stopper.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertFalse(stopped.isDone());
      stops.countDown();
      assertTrue(get(stopped));
      assertEquals(List.of(StopReason.STOPPED), recorder.stopped);
    }
  }
}
