/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Retry;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.TcpProxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What advisory locks need of the server, and what becomes of them there. */
class AdvisorySessionTest {

  private static final String LOCKS =
      "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = ";

  /** That somebody waits, and who. */
  private static final int MARKS = 2;

  /** Of 13.5 s, of which a third passes before each renewal. */
  private static final Duration RENEWED = Duration.ofSeconds(12);

  private static final LockOptions SLOW_POLLS =
      LockOptions.defaults()
          .withRetry(Retry.defaults().withPauses(Duration.ofSeconds(60), Duration.ofSeconds(60)));

  private static int count(PostgresHarness scene, String sql) {
    return Integer.parseInt(scene.server.ask(sql).get(0));
  }

  private static int connections(PostgresHarness scene) {
    return count(
        scene, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'holdfast'");
  }

  @Test
  void manyLocksNeedFewConnections() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      LockClient client = scene.client(AdvisoryLockProvider.NAME);
      List<CompletableFuture<Lease>> asked = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        asked.add(client.lock("many-" + i).acquireAsync());
      }
      for (CompletableFuture<Lease> lease : asked) {
        assertTrue(lease.get(60, TimeUnit.SECONDS).isValid());
      }
      assertEquals(5_000, count(scene, LOCKS + 1));
      assertTrue(connections(scene) <= 4, connections(scene) + " connections");
      Lease one = asked.get(0).join();
      PostgresHarness.await("a renewal to come", () -> one.remaining().compareTo(RENEWED) < 0);
      PostgresHarness.await("a renewal", () -> one.remaining().compareTo(RENEWED) > 0);
      assertTrue(asked.stream().allMatch(lease -> lease.join().isValid()));
      asked.forEach(lease -> lease.join().releaseAsync());
      PostgresHarness.await("all to be free", () -> count(scene, LOCKS + 1) == 0);
    }
  }

  /** The server shows the locks of all its databases together. */
  @Test
  void aLockOfAnotherDatabaseIsAnother() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      scene.server.ask("CREATE DATABASE other");
      LockClient here = scene.client(AdvisoryLockProvider.NAME);
      String url = scene.server.url().replace("/postgres", "/other");
      LockClient there = scene.client(AdvisoryLockProvider.NAME, "url", url);
      Lease held = there.lock("same").acquire();
      // So that the name is known here.
      here.lock("same").acquire().release();
      assertTrue(here.inspector().holder("same").isEmpty());
      assertEquals(List.of(), here.inspector().held(10));
      Lease own = here.lock("same").acquire();
      assertEquals(1, here.inspector().held(10).size());
      assertTrue(held.isValid() && own.isValid());
    }
  }

  @Test
  void aTerminatedSessionIsToldAtOnce() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      LockClient client = scene.client(AdvisoryLockProvider.NAME, "session-timeout", "60s");
      Lease lease = client.lock("terminated").acquire();
      long begun = System.nanoTime();
      scene.server.ask(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'");
      Loss loss = PostgresHarness.get(lease.loss());
      long took = System.nanoTime() - begun;
      assertEquals(LossReason.SESSION_ENDED, loss.reason());
      // Long before the next renewal.
      assertTrue(took < TimeUnit.SECONDS.toNanos(12), took + " ns");
      assertTrue(client.lock("terminated").acquire().fencingToken() > lease.fencingToken());
    }
  }

  @Test
  void aHostThatVanishedFreesItsLocksInTime() throws Exception {
    try (PostgresHarness scene = new PostgresHarness().withSchema();
        TcpProxy link = TcpProxy.to(scene.server.host(), scene.server.port())) {
      String url = scene.url(link);
      LockClient far = scene.client(AdvisoryLockProvider.NAME, "url", url, "session-timeout", "4s");
      LockClient near = scene.client(AdvisoryLockProvider.NAME, "session-timeout", "4s");
      Lease lease = far.lock("vanished").acquire();
      link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
      long begun = System.nanoTime();
      Lease next = near.lock("vanished").acquire(PostgresHarness.SOON);
      long took = System.nanoTime() - begun;
      assertTrue(next.isValid() && !lease.isValid());
      assertTrue(took < TimeUnit.SECONDS.toNanos(12), took + " ns");
      link.heal();
    }
  }

  @Test
  void waitersLeaveNoMarkBehind() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      LockClient holder = scene.client(AdvisoryLockProvider.NAME);
      LockClient waiter = scene.client(AdvisoryLockProvider.NAME);
      Lease held = holder.lock("marked").acquire();
      CompletableFuture<Lease> waiting = waiter.lock("marked", SLOW_POLLS).acquireAsync();
      PostgresHarness.await("a mark", () -> count(scene, LOCKS + 2) == MARKS);
      waiting.cancel(true);
      PostgresHarness.await("no mark", () -> count(scene, LOCKS + 2) == 0);
      CompletableFuture<Lease> served = waiter.lock("marked", SLOW_POLLS).acquireAsync();
      PostgresHarness.await("a mark", () -> count(scene, LOCKS + 2) == MARKS);
      held.release();
      PostgresHarness.get(served).release();
      assertEquals(0, count(scene, LOCKS + 1) + count(scene, LOCKS + 2));
    }
  }

  @Test
  void aLockTableThatIsFullIsTypedAndHarmsNoOtherLease() throws Exception {
    try (PostgresHarness scene =
        new PostgresHarness("max_connections=20", "max_locks_per_transaction=10")) {
      LockClient client = scene.client(AdvisoryLockProvider.NAME);
      List<Lease> held = new ArrayList<>();
      LockUnavailableException told =
          assertThrows(
              LockUnavailableException.class,
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  client.lock("full-" + i).tryAcquire().ifPresent(held::add);
                }
              });
      assertTrue(
          String.valueOf(told.getMessage()).contains("max_locks_per_transaction"),
          told.getMessage());
      assertTrue(held.size() > 100 && held.stream().allMatch(Lease::isValid));
      // Whoever asks the server what it has needs some room as well.
      for (int i = 0; i < 50; i++) {
        held.remove(0).release();
      }
      assertTrue(client.lock("full-again").tryAcquire().isPresent());
      int atServer = count(scene, LOCKS + 1);
      assertEquals(held.size() + 1, atServer, "locks at the server for the leases that there are");
    }
  }

  @Test
  void aSessionThatCannotUndoWhatAFailedStatementTookIsGivenUp() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      scene.client(AdvisoryLockProvider.NAME).lock("first").acquire().release();
      for (String sql :
          List.of(
              "CREATE ROLE app LOGIN",
              "GRANT USAGE ON SCHEMA holdfast TO app",
              "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA holdfast TO app",
              "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA holdfast TO app",
              "REVOKE EXECUTE ON FUNCTION pg_advisory_unlock(bigint) FROM PUBLIC")) {
        scene.server.ask(sql);
      }
      LockClient client =
          scene.client(AdvisoryLockProvider.NAME, "username", "app", "command-timeout", "1s");
      try (Connection administrator = scene.connect()) {
        administrator.setAutoCommit(false);
        PostgresHarness.ask(administrator, "ALTER SEQUENCE holdfast.lock_token INCREMENT BY 1");
        // Locks, and then waits for its token until the statement time-out.
        assertThrows(LockUnavailableException.class, () -> client.lock("stays").tryAcquire());
        administrator.rollback();
      }
      PostgresHarness.await("the lock to be free", () -> count(scene, LOCKS + 1) == 0);
      assertTrue(scene.client(AdvisoryLockProvider.NAME).lock("stays").acquire().isValid());
    }
  }

  @Test
  void aWaiterWhoseSessionEndedFreesWhatItGetsInTheNext() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      Lease held = scene.client(AdvisoryLockProvider.NAME).lock("again").acquire();
      LockClient waiter = scene.client(AdvisoryLockProvider.NAME);
      CompletableFuture<Lease> waiting = waiter.lock("again").acquireAsync();
      endTheWaitersSession(scene);
      held.release();
      assertEquals(ReleaseOutcome.RELEASED, PostgresHarness.get(waiting).release());
      assertEquals(0, count(scene, LOCKS + 1));
      LockClient other = scene.client(AdvisoryLockProvider.NAME);
      assertTrue(other.lock("again").tryAcquire().isPresent());
    }
  }

  @Test
  void aWaiterWhoseSessionEndedMarksThatItWaitsInTheNext() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      Lease held = scene.client(AdvisoryLockProvider.NAME).lock("again").acquire();
      LockClient waiter = scene.client(AdvisoryLockProvider.NAME);
      CompletableFuture<Lease> waiting = waiter.lock("again").acquireAsync();
      endTheWaitersSession(scene);
      PostgresHarness.await("another mark", () -> count(scene, LOCKS + 2) == MARKS);
      held.release();
      PostgresHarness.get(waiting).release();
      assertEquals(0, count(scene, LOCKS + 1) + count(scene, LOCKS + 2));
    }
  }

  /** Returns when it is gone, and the waiter may have another. */
  private static void endTheWaitersSession(PostgresHarness scene) {
    PostgresHarness.await("a mark", () -> count(scene, LOCKS + 2) == MARKS);
    scene.server.ask(
        "SELECT pg_terminate_backend(pid, 20000) FROM pg_locks"
            + " WHERE locktype = 'advisory' AND objsubid = 2");
  }

  @Test
  void aLockThatWasAskedForTwiceIsTakenOnce() throws Exception {
    try (PostgresHarness scene = new PostgresHarness();
        TcpProxy link = TcpProxy.to(scene.server.host(), scene.server.port())) {
      String url = scene.url(link);
      // Makes what is missing in the database, which may take longer than the other's patience.
      LockClient other = scene.client(AdvisoryLockProvider.NAME);
      LockClient client =
          scene.client(AdvisoryLockProvider.NAME, "url", url, "command-timeout", "1500ms");
      client.lock("twice").acquire().release();
      link.stall(Direction.TO_SERVER, Direction.TO_CLIENT);
      Map<String, Integer> failed = new ConcurrentHashMap<>();
      client.addListener(
          event -> {
            if (event instanceof LockEvent.AttemptFailed) {
              failed.merge(event.lockName(), 1, Integer::sum);
            }
          });
      CompletableFuture<Lease> before = client.lock("before").acquireAsync();
      awaitFailures(failed, "before", 1);
      // These wait behind the first question of all, and so come to the server together.
      CompletableFuture<Lease> known = client.lock("twice").acquireAsync();
      CompletableFuture<Lease> fresh = client.lock("fresh").acquireAsync();
      awaitFailures(failed, "twice", 2);
      awaitFailures(failed, "fresh", 2);
      link.heal();
      for (CompletableFuture<Lease> asked : List.of(before, known, fresh)) {
        assertEquals(ReleaseOutcome.RELEASED, PostgresHarness.get(asked).release());
      }
      assertEquals(0, count(scene, LOCKS + 1));
      assertTrue(other.lock("twice").tryAcquire().isPresent());
    }
  }

  private static void awaitFailures(Map<String, Integer> failed, String name, int times) {
    PostgresHarness.await("questions about " + name, () -> failed.getOrDefault(name, 0) >= times);
  }
}
