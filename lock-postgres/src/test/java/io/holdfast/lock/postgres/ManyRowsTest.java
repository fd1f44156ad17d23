/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that the cost of a lock does not grow with the number of others. */
class ManyRowsTest {

  private static final LockOptions LONG = LockOptions.defaults().withTtl(Duration.ofMinutes(2));
  private static final int OTHERS = 20_000;
  private static final int TIMES = 20;

  /** Plans are made when there are few rows, and are not made anew when there are many. */
  @Test
  void aLockReadsFewRowsOfMany() throws Exception {
    try (PostgresHarness scene = new PostgresHarness("autovacuum=off")) {
      LockClient client = scene.client(TableLockProvider.NAME);
      use(client);
      scene.server.ask(
          "INSERT INTO holdfast.table_lock"
              + " SELECT 'lock', 'other-' || i, 'somebody', i, now() + interval '1 h', '-infinity'"
              + " FROM generate_series(1, "
              + OTHERS
              + ") AS i");
      long before = rowsRead(scene);
      use(client);
      // A session that ends tells what it has read.
      client.close();
      PostgresHarness.await("no session", () -> sessions(scene) == 0);
      long read = rowsRead(scene) - before;
      System.out.println(read + " rows read for " + TIMES + " times");
      assertTrue(read <= TIMES * 20, read + " rows read for " + TIMES + " times");
    }
  }

  private static void use(LockClient client) throws InterruptedException {
    for (int i = 0; i < TIMES; i++) {
      Lease lease = client.lock("mine", LONG).acquire();
      lease.extend(Duration.ofMinutes(3));
      client.inspector().holder("mine");
      lease.release();
    }
  }

  private static long sessions(PostgresHarness scene) {
    return Long.parseLong(
        scene
            .server
            .ask("SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'holdfast%'")
            .get(0));
  }

  private static long rowsRead(PostgresHarness scene) {
    return Long.parseLong(
        scene
            .server
            .ask(
                "SELECT coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)"
                    + " FROM pg_stat_user_tables WHERE relname = 'table_lock'")
            .get(0));
  }
}
