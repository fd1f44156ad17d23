/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.servers.PgBouncer;
import io.holdfast.lock.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** A pooler that keeps a session for each client, until it does so no more. */
class PoolerSwitchTest {

  private static final int LOCKS = 5;
  private static final int SESSIONS_IN_USE = 8;

  /** Each is left to chance: which session the pooler gives to whom, and what comes before what. */
  private static final int ROUNDS = 8;

  /** Within which a holder asks something twice. */
  private static final Duration ROUND = Duration.ofSeconds(4);

  private static final LockOptions LONG = LockOptions.defaults().withTtl(Duration.ofSeconds(4));

  /** Those behind the pooler are given each other's sessions, in which locks are reentrant. */
  @Test
  void aLockOfASessionIsNotGivenToTwo() throws Exception {
    heldByOneThroughTheSwitch(AdvisoryLockProvider.NAME, true);
  }

  @Test
  void aRowIsNotGivenToTwo() throws Exception {
    heldByOneThroughTheSwitch(TableLockProvider.NAME, false);
  }

  @Test
  void aRowThatATransactionHasLockedIsNotGivenToTwo() throws Exception {
    heldByOneThroughTheSwitch(RowLockProvider.NAME, false);
  }

  @Test
  void aTransactionInAHoldersSessionIsRefused() throws Exception {
    assumeTrue(PgBouncer.isAvailable());
    try (PostgresHarness scene = new PostgresHarness().withSchema()) {
      boolean refused = false;
      for (int round = 0; round < ROUNDS && !refused; round++) {
        refused = meetsAHoldersSession(scene);
      }
      assertTrue(refused, "met none of its sessions");
    }
  }

  /** The holder may be told first that its session is shared, and has that ended. */
  private static boolean meetsAHoldersSession(PostgresHarness scene) throws Exception {
    try (PgBouncer pooler = PgBouncer.launch(scene.server, "session", 2);
        LockClient holder = behind(scene, pooler, AdvisoryLockProvider.NAME)) {
      Lease held = holder.lock("shared").acquire();
      pooler.reload("pool_mode = transaction");
      long begun = System.nanoTime();
      boolean refused = false;
      while (held.isValid() && System.nanoTime() - begun < ROUND.toNanos()) {
        try (Connection other = through(pooler)) {
          refused |= isRefused(other, held);
          // Closed in a transaction, the pooler would end the session, and the holder's lock with
          // it.
          other.rollback();
        } catch (SQLException e) {
          // The holder has had its session ended, whoever has it now.
        }
      }
      return refused;
    }
  }

  private static boolean isRefused(Connection other, Lease held) {
    try {
      boolean locked = TransactionLocks.create().tryLock(other, "shared").isPresent();
      assertFalse(locked && held.isValid(), "given to two");
      return false;
    } catch (LockRejectedException e) {
      assertTrue(String.valueOf(e.getMessage()).contains("session of a lock client"));
      return true;
    } catch (LockException e) {
      // The holder has had this session ended.
      return false;
    }
  }

  private static void heldByOneThroughTheSwitch(String provider, boolean bySession)
      throws Exception {
    assumeTrue(PgBouncer.isAvailable());
    try (PostgresHarness scene = new PostgresHarness().withSchema();
        PgBouncer pooler = PgBouncer.launch(scene.server, "session", 20)) {
      LockClient holder = behind(scene, pooler, provider);
      LockClient neighbour = behind(scene, pooler, provider);
      LockClient direct = scene.client(provider, "session-timeout", "4s", "command-timeout", "2s");
      List<Lease> held = new ArrayList<>();
      List<Lease> neighbours = new ArrayList<>();
      for (int i = 0; i < LOCKS; i++) {
        held.add(holder.lock("pooled-" + i, LONG).acquire());
        neighbours.add(neighbour.lock("neighbours-" + i, LONG).acquire());
      }
      pooler.reload("pool_mode = transaction");
      if (bySession) {
        for (int round = 0; round < ROUNDS && !areLost(held); round++) {
          answeredByAnotherSession(pooler, held);
        }
        assertTrue(areLost(held), "the holder does not learn that another session answers");
      }
      long begun = System.nanoTime();
      int granted = 0;
      while (System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(10)) {
        for (LockClient other : List.of(neighbour, direct)) {
          for (int i = 0; i < LOCKS; i++) {
            Optional<Lease> lease = ask(other, "pooled-" + i);
            // In this order: it is granted before the holder is asked.
            if (lease.isPresent()) {
              assertFalse(held.get(i).isValid(), "lock " + i + " was given to two");
              granted++;
              lease.get().close();
            }
          }
        }
      }
      if (bySession) {
        for (Lease lease : held) {
          assertEquals(LossReason.SESSION_ENDED, lease.loss().get(10, TimeUnit.SECONDS).reason());
        }
        assertTrue(granted > 0, "nobody was granted what the holder had lost");
      }
      // Until here they are held: a lease that nothing refers to is released.
      neighbours.forEach(Lease::close);
    }
  }

  private static boolean areLost(List<Lease> held) {
    return held.stream().noneMatch(Lease::isValid);
  }

  /**
   * Uses each session that the pooler has open, so that the holder's next statement goes to another
   * one. By chance alone it may go to its own for as long as the test lasts; and so it may if the
   * pooler has not had that back yet, as after the first statement in the new mode.
   */
  private static void answeredByAnotherSession(PgBouncer pooler, List<Lease> held)
      throws SQLException {
    List<Connection> busy = new ArrayList<>();
    try {
      for (int i = 0; i < SESSIONS_IN_USE; i++) {
        Connection other = through(pooler);
        busy.add(other);
        try (Statement statement = other.createStatement()) {
          statement.execute("SELECT 1");
        }
      }
      long begun = System.nanoTime();
      while (!areLost(held) && System.nanoTime() - begun < ROUND.toNanos()) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
      }
    } finally {
      for (Connection other : busy) {
        // The holder ends its old session, whoever has it now.
        other.abort(Runnable::run);
      }
    }
  }

  private static Connection through(PgBouncer pooler) throws SQLException {
    Connection connection =
        DriverManager.getConnection(pooler.url() + "?prepareThreshold=0", PostgresServer.USER, "");
    connection.setAutoCommit(false);
    return connection;
  }

  private static LockClient behind(PostgresHarness scene, PgBouncer pooler, String provider) {
    return scene.client(
        provider,
        "url",
        pooler.url(),
        "pooler",
        "session",
        "session-timeout",
        "4s",
        "command-timeout",
        "2s");
  }

  private static Optional<Lease> ask(LockClient client, String name) throws InterruptedException {
    try {
      return client.lock(name, LONG).tryAcquire();
    } catch (LockException e) {
      return Optional.empty();
    }
  }
}
