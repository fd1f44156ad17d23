/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.memory.MemoryServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A process that is ended by its own worker: where, is its argument. */
final class ExitingWorkMain {

  static final int EXIT = 7;

  private ExitingWorkMain() {}

  /** Where the process is ended. */
  enum Where {
    /** By work that is done in place. */
    START,
    /** By work that is told to stop, as the process ends already. */
    STOP,
    /** By the observer, on the worker's own thread. */
    OBSERVER,
    /** By the observer, where the client calls its listeners. */
    RENEWING,
    /** By the observer, as the process ends already and somebody waits to stop the worker. */
    LATE_OBSERVER
  }

  public static void main(String[] args) throws InterruptedException {
    Where where = Where.valueOf(args[0]);
    MemoryServer server = new MemoryServer();
    LockClient client = server.open();
    Work work =
        new Work() {
          @Override
          public void start(Lease lease) throws InterruptedException {
            exitIf(where == Where.START);
            System.out.println("works");
            if (where == Where.RENEWING) {
              server.goAway();
            }
            new CountDownLatch(1).await();
          }

          @Override
          public void stop(StopReason reason) {
            exitIf(where == Where.STOP);
          }
        };
    CountDownLatch ending = new CountDownLatch(1);
    LockWorker worker =
        new LockWorker(
            client,
            "nightly",
            work,
            WorkerOptions.defaults()
                .withOptions(LockOptions.defaults().withTtl(Duration.ofSeconds(20))),
            state -> {
              if (where == Where.LATE_OBSERVER && state == WorkerState.WORKING) {
                System.out.println("works");
                await(ending);
                System.exit(EXIT);
              }
              exitIf(where == Where.OBSERVER && state == WorkerState.WORKING);
              exitIf(where == Where.RENEWING && state == WorkerState.RENEWING);
            });
    // Stops it without waiting, besides the worker's own hook.
    Thread hook =
        new Thread(
            () -> {
              ending.countDown();
              worker.stop();
            });
    Runtime.getRuntime().addShutdownHook(hook);
    worker.start();
    Thread.currentThread().join();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void exitIf(boolean now) {
    if (now) {
      System.exit(EXIT);
    }
  }
}
