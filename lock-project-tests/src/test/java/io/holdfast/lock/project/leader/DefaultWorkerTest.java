/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.project.leader;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.Server;
import io.holdfast.lock.servers.ZooKeeperServer;
import io.holdfast.lock.worker.LockWorker;
import io.holdfast.lock.worker.StopReason;
import io.holdfast.lock.worker.Work;
import io.holdfast.lock.worker.WorkerOptions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Options and settings that nobody chose fit together, where the server decides on the time. */
@Timeout(120)
class DefaultWorkerTest {

  private static final String RENEWED = "renewed";

  @Test
  void worksOnUnderASessionOfZooKeeper() throws Exception {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    try (Server server = ZooKeeperServer.launch(Duration.ofMillis(500));
        LockClient client =
            Locks.open(
                Map.of(
                    "provider",
                    "zookeeper",
                    "connect",
                    "localhost:" + server.port(),
                    "connect-timeout",
                    "30s"));
        LockWorker worker =
            new LockWorker(client, "nightly", new Telling(told), WorkerOptions.defaults())) {
      client.addListener(
          event -> {
            if (event instanceof LockEvent.Renewed) {
              told.add(RENEWED);
            }
          });
      worker.start();
      int stops = 0;
      for (int renewals = 0; renewals < 3; ) {
        String next = told.poll(20, TimeUnit.SECONDS);
        if (RENEWED.equals(next)) {
          renewals++;
        } else {
          // A machine that stands still stops it as well, but not again and again.
          stops++;
          assertTrue(next != null && stops < 3, "told " + next);
          renewals = 0;
        }
      }
    }
  }

  private record Telling(BlockingQueue<String> told) implements Work {

    @Override
    public void start(Lease lease) {
      // Goes on elsewhere.
    }

    @Override
    public void stop(StopReason reason) {
      told.add("stopped " + reason);
    }
  }
}
