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
import java.util.List;
import org.junit.jupiter.api.Test;

/** A process of the server that stands still, so that nobody can end its session. */
class SuspendedSessionTest {

  private static final LockOptions OFTEN_RENEWED =
      LockOptions.defaults()
          .withTtl(Duration.ofSeconds(20))
          .withRenewal(Renewal.every(Duration.ofSeconds(2)));

  @Test
  void aClientWithShortTimeOutsLeavesItBehindAndKeepsItsLeases() throws Exception {
    try (PostgresHarness scene = new PostgresHarness().withSchema()) {
      LockClient client = scene.client(TableLockProvider.NAME, "command-timeout", "1500ms");
      Lease lease = client.lock("kept", OFTEN_RENEWED).acquire();
      // Of those that asked, the last: one before may have been slow, and given up.
      String suspended = asking(scene, "AND query LIKE '%wanted AS (%'").get(0);
      send("STOP", suspended);
      try {
        PostgresHarness.await(
            "a renewal in another session",
            () -> !asking(scene, "AND query LIKE '%ours AS (%' AND pid <> " + suspended).isEmpty());
      } finally {
        send("CONT", suspended);
      }
      assertTrue(lease.isValid());
    }
  }

  /** The processes whose last statement was one about locks, the latest first. */
  private static List<String> asking(PostgresHarness scene, String which) {
    return scene.server.ask(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'holdfast'"
            + " AND query LIKE '%table_lock%' "
            + which
            + " ORDER BY query_start DESC");
  }

  private static void send(String signal, String process) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + signal, process).inheritIO().start();
    assertEquals(0, kill.waitFor());
  }
}
