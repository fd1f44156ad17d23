/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import static io.holdfast.lock.postgres.session.WorkerScene.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.postgres.PostgresHarness;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The end of a worker. */
class ConnectionWorkerClosingTest {

  private final WorkerScene scene = new WorkerScene();
  private final WorkerScene.Owner owner = new WorkerScene.Owner();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void whatIsAskedAfterwardsFailsAtOnce() {
    ConnectionWorker worker = scene.open(owner);
    worker.close();
    LockException told = failure(worker.ask(scene.echoes, "x", () -> "Asking"));
    assertInstanceOf(LockUnavailableException.class, told);
    assertEquals("Asking: the lock client is closed", told.getMessage());
  }

  /** It has asked, and nothing is answered any more. */
  @Test
  void aSessionThatSaysNothingIsEndedAsWell() {
    ConnectionWorker.Kind<String, String> asks = ConnectionWorker.kind(0, (pg, asked) -> pg.ask());
    try (TcpProxy link = scene.link()) {
      ConnectionWorker worker =
          scene.open(
              "silent",
              Duration.ofMinutes(5),
              owner,
              "url",
              scene.url(link),
              "command-timeout",
              "1s",
              "session-timeout",
              "5m");
      link.stall(Direction.values());
      failure(worker.ask(asks, "x", () -> "Asking"));
      worker.close();
      PostgresHarness.await("the end of its thread", () -> !isRunning("holdfast-postgres-silent"));
      link.heal();
    }
  }

  private static boolean isRunning(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals(name));
  }

  @Test
  void whoClosesItAndIsInterruptedStaysInterrupted() {
    ConnectionWorker worker = scene.open(owner);
    Thread.currentThread().interrupt();
    worker.close();
    assertTrue(Thread.interrupted());
  }
}
