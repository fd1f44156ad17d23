/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures the remains of names that are used once at the server: 200,000 of them, 500 a second,
 * and what is there each half minute and after. The arguments may be another provider, number and
 * rate.
 */
final class NamesCost {

  private NamesCost() {}

  public static void main(String[] arguments) throws Exception {
    String provider = arguments.length > 0 ? arguments[0] : TableLockProvider.NAME;
    int names = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 200_000;
    int rate = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 500;
    String table =
        switch (provider) {
          case TableLockProvider.NAME -> "table_lock";
          case RowLockProvider.NAME -> "row_lock";
          default -> "advisory_name";
        };
    try (PostgresHarness scene = new PostgresHarness()) {
      LockClient client = scene.client(provider);
      System.out.println("second\tnames\trows\tdead\tdeleted\tbytes");
      long begun = System.nanoTime();
      long nextReport = 30;
      for (int i = 0; i < names; i++) {
        CompletableFuture<Lease> asked = client.lock("order-" + i).acquireAsync();
        asked.thenAccept(Lease::releaseAsync);
        long due = begun + TimeUnit.SECONDS.toNanos(i) / rate;
        LockSupport.parkNanos(due - System.nanoTime());
        if (System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(nextReport)) {
          report(scene, table, begun, i);
          nextReport += 30;
        }
      }
      report(scene, table, begun, names);
      for (int i = 0; i < 10; i++) {
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(20));
        report(scene, table, begun, names);
      }
    }
  }

  private static void report(PostgresHarness scene, String table, long begun, int names) {
    String found =
        scene
            .server
            .ask(
                "SELECT concat_ws(E'\\t', (SELECT count(*) FROM holdfast."
                    + table
                    + "), n_dead_tup, n_tup_del, pg_total_relation_size(relid))"
                    + " FROM pg_stat_user_tables WHERE relname = '"
                    + table
                    + "'")
            .get(0);
    System.out.printf(
        Locale.ROOT,
        "%d\t%d\t%s%n",
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun),
        names,
        found);
  }
}
