/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockProvider;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which connections the end of a client, or an administrator, ends. */
class BackendsEndTest {

  private static PostgresHarness scene;

  @BeforeAll
  static void open() {
    scene = new PostgresHarness().withSchema();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  private static LockProvider provider(String name) {
    return switch (name) {
      case AdvisoryLockProvider.NAME -> new AdvisoryLockProvider();
      case TableLockProvider.NAME -> new TableLockProvider();
      default -> new RowLockProvider();
    };
  }

  /** Code that stops a program by interrupts counts on that. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aThreadInterruptedDuringACloseStaysInterrupted(String name) {
    LockBackend<?> backend =
        provider(name).open(new Settings(name, scene.settings("command-timeout", "10s")));
    Thread.currentThread().interrupt();
    backend.close();
    assertTrue(Thread.interrupted());
  }

  /** That looks up by itself after a third of the session's time. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void closingOneDoesNotWaitForWhatListens(String name) {
    LockClient client = scene.client(name, "session-timeout", "10m", "command-timeout", "3m");
    assertTimeoutPreemptively(Duration.ofSeconds(60), client::close);
  }

  /** A program that has come to its end ends, though its clients are open. */
  @Test
  void noThreadKeepsAProgramFromItsEnd() throws Exception {
    for (String name : List.of("postgres-advisory", "postgres-table", "postgres-row")) {
      try (LockClient client = scene.client(name);
          LockClient other = scene.client(name)) {
        Lease held = client.lock("daemons").acquire();
        assertTrue(other.lock("daemons").tryAcquire().isEmpty());
        List<Thread> ours =
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-postgres-"))
                .toList();
        assertTrue(ours.size() >= 4, ours::toString);
        assertTrue(ours.stream().allMatch(Thread::isDaemon), ours::toString);
        assertEquals(ReleaseOutcome.RELEASED, held.release());
      }
    }
  }

  /** It would end the connection that the answer comes over, and all that the client holds. */
  @Test
  void aClientDoesNotEndItsOwnSession() throws Exception {
    try (LockClient client = scene.client(AdvisoryLockProvider.NAME)) {
      Lease held = client.lock("own").acquire();
      LockHolder holder = client.inspector().holder("own").orElseThrow();
      LockRejectedException told =
          assertThrows(LockRejectedException.class, () -> client.inspector().evict(holder));
      assertTrue(String.valueOf(told.getMessage()).contains("own session"), told::toString);
      assertEquals(ReleaseOutcome.RELEASED, held.release());
    }
  }
}
