/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests how often a client of rows waits for an answer of the server. */
class RowRoundTripsTest {

  private static final int TIMES = 21;

  private static PostgresHarness scene;

  @BeforeAll
  static void open() {
    scene = new PostgresHarness();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  private static LockClient counted() {
    return scene.client(
        RowLockProvider.NAME,
        "url",
        CountingSockets.counted(scene.server.url()),
        "session-timeout",
        "60s");
  }

  /** Of what is done often; now and then the client also removes old rows, or asks for itself. */
  private static int usual(Callable<?> action) throws Exception {
    List<Integer> counts = new ArrayList<>();
    action.call();
    for (int i = 0; i < TIMES; i++) {
      int before = CountingSockets.roundTrips();
      action.call();
      counts.add(CountingSockets.roundTrips() - before);
    }
    counts.sort(null);
    return counts.get(TIMES / 2);
  }

  @Test
  void aLockThatIsFreeIsTakenAndReleased() throws Exception {
    DistributedLock lock = counted().lock("free");
    assertEquals(2, usual(() -> lock.acquire().release()));
  }

  /** A rollback does not wait for the disk, so the session does not draw tokens after it. */
  @Test
  void aLockThatIsFreeIsTakenAndClosed() throws Exception {
    DistributedLock lock = counted().lock("closed");
    assertEquals(
        4,
        usual(
            () -> {
              lock.acquire().close();
              return lock;
            }));
  }

  @Test
  void aLockThatIsTakenIsRefused() throws Exception {
    assertTrue(scene.client(RowLockProvider.NAME).lock("taken").acquire().isValid());
    DistributedLock lock = counted().lock("taken");
    assertEquals(2, usual(lock::tryAcquire));
  }
}
