/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.worker;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.memory.MemoryServer;
import java.util.concurrent.CompletableFuture;

/** A process that works until it is ended: whether its worker is stopped then, is its argument. */
final class EndedWorkMain {

  private EndedWorkMain() {}

  public static void main(String[] args) throws InterruptedException {
    LockClient client = new MemoryServer().open();
    CompletableFuture<Lease> granted = new CompletableFuture<>();
    Work work =
        new Work() {
          @Override
          public void start(Lease lease) {
            granted.complete(lease);
            System.out.println("works");
          }

          @Override
          public void stop(StopReason reason) {
            System.out.println(reason + (granted.join().isValid() ? ", valid" : ", not valid"));
          }
        };
    new LockWorker(
            client,
            "nightly",
            work,
            WorkerOptions.defaults().withStopAtShutdown(Boolean.parseBoolean(args[0])))
        .start();
    Thread.currentThread().join();
  }
}
