/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A process that starts a worker when it ends already. */
final class LateWorkMain {

  private LateWorkMain() {}

  public static void main(String[] args) {
    LockClient client = new MemoryServer().open();
    CountDownLatch works = new CountDownLatch(1);
    Work work =
        new Work() {
          @Override
          public void start(Lease lease) {
            System.out.println("works");
            works.countDown();
          }

          @Override
          public void stop(StopReason reason) {
            System.out.println(reason);
          }
        };
    LockWorker worker =
        new LockWorker(client, "nightly", work, WorkerOptions.defaults().withStopAtShutdown(true));
    Runtime.getRuntime().addShutdownHook(new Thread(() -> workUntilStopped(worker, works)));
  }

  private static void workUntilStopped(LockWorker worker, CountDownLatch works) {
    worker.start();
    try {
      works.await(Patience.SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    worker.close();
  }
}
