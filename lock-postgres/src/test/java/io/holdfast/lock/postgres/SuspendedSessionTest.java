/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A process of the server that stands still, so that nobody can end its session. */
class SuspendedSessionTest {

  private static final Duration TTL = Duration.ofSeconds(20);

  private static final LockOptions OFTEN_RENEWED =
      LockOptions.defaults().withTtl(TTL).withRenewal(Renewal.every(Duration.ofSeconds(2)));

  @Test
  void aClientWithShortTimeOutsLeavesItBehindAndKeepsItsLeases() throws Exception {
    try (PostgresHarness scene = new PostgresHarness().withSchema()) {
      LockClient client = scene.client(TableLockProvider.NAME, "command-timeout", "1500ms");
      Lease lease = client.lock("kept", OFTEN_RENEWED).acquire();
      // Not by what it has not sent: the session that listens may not have sent LISTEN yet.
      String process =
          scene
              .server
              .ask(
                  "SELECT pid FROM pg_stat_activity"
                      + " WHERE application_name = 'holdfast' AND query LIKE '%table_lock%'"
                      // One before may have been slow, and given up.
                      + " ORDER BY backend_start DESC")
              .get(0);
      send("STOP", process);
      long later = System.nanoTime() + Duration.ofSeconds(1).toNanos();
      try {
        PostgresHarness.await(
            "a renewal, asked for later, in another session",
            () -> lease.remaining().toNanos() - (later - System.nanoTime()) > TTL.toNanos());
      } finally {
        send("CONT", process);
      }
      assertTrue(lease.isValid());
    }
  }

  private static void send(String signal, String process) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, process).inheritIO().start();
    assertEquals(0, kill.waitFor());
  }
}
