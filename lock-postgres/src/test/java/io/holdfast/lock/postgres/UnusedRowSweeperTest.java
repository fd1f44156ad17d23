/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Conditions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of names that nobody uses any more go, however busy the client is with others. */
class UnusedRowSweeperTest {

  private static final int OLD = 5_000;
  private static final int RECENT = 100;

  @Test
  void rowsOfFreeLocksGoWhileOthersAreUsed() throws Exception {
    goWhileOthersAreUsed(
        TableLockProvider.NAME,
        "table_lock",
        "'lock', 'old-' || i, NULL, i, now() - interval '61 s', '-infinity'",
        "'lock', 'free-' || i, NULL, i, now() - interval '1 s', '-infinity'");
  }

  @Test
  void rowsThatTransactionsLockedGoWhileOthersAreUsed() throws Exception {
    goWhileOthersAreUsed(
        RowLockProvider.NAME,
        "row_lock",
        "'lock', 'old-' || i, now() - interval '61 s'",
        "'lock', 'free-' || i, now()");
  }

  @Test
  void namesOfAdvisoryLocksGoWhileOthersAreUsed() throws Exception {
    goWhileOthersAreUsed(
        AdvisoryLockProvider.NAME,
        "advisory_name",
        // Behind the key of the lock that is held, which was looked at when these have gone.
        "9223372036854775807 - i * 1000003::bigint, 'lock', 'old-' || i, now() - interval '121 s'",
        "i, 'lock', 'free-' || i, now() - interval '61 s'",
        // That one stays, though nobody has told it for so long.
        "UPDATE holdfast.advisory_name SET seen_at = now() - interval '121 s' WHERE name = 'old-0'");
  }

  /** The names stay: they are used as locks now. */
  @Test
  void rowsOfSharesThatAreOverGoWhileOthersAreUsed() throws Exception {
    try (PostgresHarness scene = new PostgresHarness("autovacuum=off")) {
      LockClient client = scene.client(TableLockProvider.NAME);
      shares(scene, "old", OLD, "- interval '61 s'");
      shares(scene, "recent", RECENT, "- interval '1 s'");
      shares(scene, "live", RECENT, "+ interval '1 h'");
      AtomicInteger used = new AtomicInteger();
      Conditions.until(
          "no old rows",
          Duration.ofSeconds(40),
          () -> {
            for (int i = 0; i < 100; i++) {
              use(client.readWriteLock("new-" + used.incrementAndGet()).readLock());
            }
            return count(scene, "table_share", "old-%").equals(List.of("0"));
          });
      assertEquals(List.of(Integer.toString(RECENT)), count(scene, "table_share", "recent-%"));
      assertEquals(List.of(Integer.toString(RECENT)), count(scene, "table_share", "live-%"));
      assertEquals(List.of(Integer.toString(OLD)), count(scene, "table_lock", "old-%"));
    }
  }

  /** Long after the last use, as at night. One that somebody has locked is left for later. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void rowsGoWhileNothingIsUsed(String provider) throws Exception {
    String old = "'lock', 'old-' || i";
    String table =
        switch (provider) {
          case AdvisoryLockProvider.NAME -> "advisory_name";
          case TableLockProvider.NAME -> "table_lock";
          default -> "row_lock";
        };
    String rows =
        switch (provider) {
          case AdvisoryLockProvider.NAME -> "i, " + old + ", now() - interval '121 s'";
          case TableLockProvider.NAME -> old + ", NULL, i, now() - interval '61 s', '-infinity'";
          default -> old + ", now() - interval '61 s'";
        };
    try (PostgresHarness scene = new PostgresHarness().withSchema()) {
      scene.server.ask(
          "INSERT INTO holdfast.%s SELECT %s FROM generate_series(1, %d) AS i"
              .formatted(table, rows, OLD));
      scene.client(provider, "session-timeout", "4s");
      PostgresHarness.await("no old rows", () -> count(scene, table, "old-%").equals(List.of("0")));
    }
  }

  /** Renewals come sooner after each other than the client takes itself to be idle. */
  @Test
  void rowsThatTransactionsLockedGoWhileLeasesAreRenewed() throws Exception {
    try (PostgresHarness scene = new PostgresHarness().withSchema()) {
      scene.server.ask(
          "INSERT INTO holdfast.row_lock SELECT 'lock', 'old-' || i, now() - interval '61 s' FROM generate_series(1, %d) AS i"
              .formatted(OLD));
      LockClient client = scene.client(RowLockProvider.NAME, "session-timeout", "4s");
      Renewal often = Renewal.every(Duration.ofMillis(200));
      Lease held = client.lock("held", LockOptions.defaults().withRenewal(often)).acquire();
      Conditions.until(
          "no old rows",
          Duration.ofSeconds(40),
          () -> count(scene, "row_lock", "old-%").equals(List.of("0")));
      held.release();
    }
  }

  /** Of names that somebody has as locks. */
  private static void shares(PostgresHarness scene, String name, int rows, String end) {
    String each = " FROM generate_series(1, " + rows + ") AS i";
    scene.server.ask(
        "INSERT INTO holdfast.table_lock SELECT 'lock', '"
            + name
            + "-' || i, 'somebody', i, now() + interval '1 h', '-infinity'"
            + each);
    scene.server.ask(
        "INSERT INTO holdfast.table_share SELECT 'lock', '"
            + name
            + "-' || i, 'owner', 1, i, i, now() "
            + end
            + each);
  }

  private static void goWhileOthersAreUsed(
      String provider, String table, String old, String recent, String... more) throws Exception {
    // Without autovacuum nobody else looks at the table, and what is read can be counted.
    try (PostgresHarness scene = new PostgresHarness("autovacuum=off")) {
      // There is never a moment in which the client has had nothing to do for long.
      LockClient client = scene.client(provider, "session-timeout", "1h");
      Lease held = client.lock("old-0").acquire();
      scene.server.ask(
          "INSERT INTO holdfast."
              + table
              + " SELECT "
              + old
              + " FROM generate_series(1, "
              + OLD
              + ") AS i");
      scene.server.ask(
          "INSERT INTO holdfast."
              + table
              + " SELECT "
              + recent
              + " FROM generate_series(1, "
              + RECENT
              + ") AS i");
      for (String each : more) {
        scene.server.ask(each);
      }
      AtomicInteger used = new AtomicInteger();
      Conditions.until(
          "no old rows",
          Duration.ofSeconds(60),
          () -> {
            for (int i = 0; i < 100; i++) {
              use(client.lock("new-" + used.incrementAndGet()));
            }
            return count(scene, table, "old-_%' AND name <> 'old-0").equals(List.of("0"));
          });
      assertEquals(List.of(Integer.toString(RECENT)), count(scene, table, "free-%"));
      assertEquals(List.of("1"), count(scene, table, "old-0"));
      assertTrue(held.isValid());
    }
  }

  private static void use(DistributedLock lock) {
    try {
      lock.acquire().release();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> count(PostgresHarness scene, String table, String like) {
    return scene.server.ask(
        "SELECT count(*) FROM holdfast." + table + " WHERE name LIKE '" + like + "'");
  }
}
