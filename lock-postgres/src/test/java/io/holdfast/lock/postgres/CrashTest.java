/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Grants and names that a server has after its processes were killed. */
class CrashTest {

  private static final int CRASHES = 3;

  /** With these settings, what a transaction wrote gets to the disk long after its commit. */
  @Test
  void aRowThatWasGrantedIsThereThoughTheDatabaseDoesNotWaitForTheDisk() throws Exception {
    try (PostgresHarness scene =
        new PostgresHarness("synchronous_commit=off", "wal_writer_delay=10s")) {
      LockClient client = scene.client(TableLockProvider.NAME);
      for (int i = 0; i < CRASHES; i++) {
        Lease lease = client.lock("a" + i).acquire(PostgresHarness.SOON);
        crash(scene);
        String owner = "SELECT owner FROM holdfast.table_lock WHERE name = 'a" + i + "'";
        assertEquals(List.of(lease.ownerId()), scene.server.ask(owner));
      }
    }
  }

  /** The table of names is not logged, so a crash empties it. */
  @Test
  void aClientTellsTheNamesOfItsLocksAgain() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      LockClient client = scene.client(AdvisoryLockProvider.NAME);
      client.lock("a").acquire().release();
      crash(scene);
      try (Lease lease = client.lock("a").acquire(PostgresHarness.SOON)) {
        assertEquals(
            List.of(lease.lockName()),
            client.inspector().held(10).stream().map(LockHolder::lockName).toList());
      }
    }
  }

  private static void crash(PostgresHarness scene) {
    scene.server.kill();
    scene.server.start();
  }
}
