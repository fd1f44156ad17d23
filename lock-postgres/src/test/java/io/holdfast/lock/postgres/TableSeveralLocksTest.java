/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several locks that are held together, in a table. Nothing here ends by its TTL. */
class TableSeveralLocksTest {

  /** How statements begin. */
  private static final String ACQUIRE = "WITH wanted AS";

  private static final String RELEASE = "WITH claims AS";

  private static final LockOptions LONG = LockOptions.defaults().withTtl(Duration.ofMinutes(2));
  private static final List<String> NAMES = IntStream.range(0, 10).mapToObj(i -> "n" + i).toList();

  private final PostgresHarness scene = new PostgresHarness().withSchema();
  private final StatementHooks hooks = new StatementHooks(scene.server.url());
  private final LockClient client =
      scene.closing(PostgresLocks.table(hooks, PostgresHarness.PATIENT, ClientOptions.defaults()));
  private final LockClient rival = scene.client(TableLockProvider.NAME, "command-timeout", "10s");

  @AfterEach
  void close() {
    scene.close();
  }

  private List<String> held() {
    return scene.server.ask(
        "SELECT name FROM holdfast.table_lock WHERE owner IS NOT NULL ORDER BY name");
  }

  private void awaitHeld(List<String> names) {
    PostgresHarness.await("held: " + names, () -> held().equals(names));
  }

  @Test
  void theyAreTakenInOneStatementAndFreedInAnother() throws Exception {
    try (Lease lease = client.allOf(NAMES, LONG).acquire()) {
      assertTrue(lease.isValid());
      assertEquals(NAMES, held());
      assertEquals(1, hooks.count(ACQUIRE));
    }
    assertEquals(List.of(), held());
    assertEquals(1, hooks.count(ACQUIRE));
    assertEquals(1, hooks.count(RELEASE));
  }

  /** None of them keeps others waiting for long. */
  @Test
  void aThousandAreTakenInSomeStatements() throws Exception {
    List<String> names = IntStream.range(0, 1000).mapToObj(i -> "n" + i).sorted().toList();
    Lease lease = client.allOf(names, LONG).acquire();
    assertEquals(16, hooks.count(ACQUIRE));
    assertEquals(1000, held().size());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertEquals(2, hooks.count(RELEASE));
    assertEquals(List.of(), held());
  }

  @Test
  void oneThatIsBusyLeavesNothingOfTheOthers() throws Exception {
    Lease busy = rival.lock("n5", LONG).acquire();
    assertEquals(Optional.empty(), client.allOf(NAMES, LONG).tryAcquire());
    assertEquals(1, hooks.count(ACQUIRE));
    awaitHeld(List.of("n5"));
    busy.release();
    assertTrue(client.allOf(NAMES, LONG).tryAcquire().isPresent());
  }

  @Test
  void thoseBehindABusyOneAreFreeWhileItIsWaitedFor() throws Exception {
    Lease busy = rival.lock("n5", LONG).acquire();
    CompletableFuture<Lease> asked = client.allOf(NAMES, LONG).acquireAsync();
    awaitHeld(NAMES.subList(0, 6));
    assertFalse(asked.isDone());
    busy.release();
    assertTrue(PostgresHarness.get(asked).isValid());
    assertEquals(NAMES, held());
  }

  /** Of this client's own holder the server is not asked. */
  @Test
  void oneThatIsBusyInTheClientIsHandedOver() throws Exception {
    Lease own = client.lock("n5", LONG).acquire();
    CompletableFuture<Lease> asked = client.allOf(NAMES, LONG).acquireAsync();
    awaitHeld(NAMES.subList(0, 6));
    assertEquals(ReleaseOutcome.RELEASED, own.release());
    Lease lease = PostgresHarness.get(asked);
    assertEquals(NAMES, held());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertEquals(List.of(), held());
  }

  /** In the order of the names, a statement keeps a row locked until it has decided all. */
  @Test
  void ofTwoThatDoNotWaitOneGetsAll() throws Exception {
    List<String> backwards = NAMES.stream().sorted(Collections.reverseOrder()).toList();
    for (int round = 0; round < 50; round++) {
      CompletableFuture<Optional<Lease>> one = client.allOf(NAMES, LONG).tryAcquireAsync();
      CompletableFuture<Optional<Lease>> other = rival.allOf(backwards, LONG).tryAcquireAsync();
      List<Lease> granted =
          List.of(one.join(), other.join()).stream().flatMap(Optional::stream).toList();
      assertEquals(1, granted.size(), "granted in round " + round);
      assertEquals(ReleaseOutcome.RELEASED, granted.get(0).release());
      awaitHeld(List.of());
    }
  }

  @Test
  void anAnswerThatIsLostLeavesNothing() throws Exception {
    hooks.afterNext(
        ACQUIRE,
        () -> {
          assertEquals(NAMES, held());
          throw new SQLException("An I/O error occurred", "08006");
        });
    assertThrows(LockUnavailableException.class, () -> client.allOf(NAMES, LONG).tryAcquire());
    assertTrue(hooks.haveRun());
    awaitHeld(List.of());
    assertTrue(client.allOf(NAMES, LONG).acquire().isValid());
  }

  /** The marks of those who wait go with the session. */
  @Test
  void aFailureIsToldThoughTheSessionEndsBehindIt() throws Exception {
    hooks.afterNext(
        ACQUIRE,
        () -> {
          scene.server.ask(
              "SELECT pg_terminate_backend(pid, 9999) FROM pg_stat_activity WHERE query LIKE '"
                  + ACQUIRE
                  + "%'");
          throw new SQLException("the first failure", "57014");
        });
    LockUnavailableException told =
        assertThrows(LockUnavailableException.class, () -> client.allOf(NAMES, LONG).tryAcquire());
    assertTrue(hooks.haveRun());
    assertTrue(String.valueOf(told.getMessage()).contains("the first failure"), told::toString);
    awaitHeld(List.of());
    assertTrue(client.allOf(NAMES, LONG).acquire(PostgresHarness.SOON).isValid());
  }

  @Test
  void whoWaitsIsGrantedAllAfterAnAnswerThatIsLost() throws Exception {
    hooks.afterNext(
        ACQUIRE,
        () -> {
          throw new SQLException("An I/O error occurred", "08006");
        });
    Lease lease = client.allOf(NAMES, LONG).acquire(PostgresHarness.SOON);
    assertTrue(hooks.haveRun());
    assertEquals(NAMES, held());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    awaitHeld(List.of());
  }

  /** The server has granted what the caller has given up, or does so afterwards. */
  @Test
  void whoCancelsWhileTheStatementIsUnderWayLeavesNothing() throws Exception {
    Connection administrator = lockedTable();
    CompletableFuture<Lease> asked = client.allOf(NAMES, LONG).acquireAsync();
    scene.awaitWaiter("relation = 'holdfast.table_lock'::regclass");
    asked.cancel(false);
    administrator.rollback();
    PostgresHarness.await("a statement", () -> hooks.count(ACQUIRE) == 1);
    awaitHeld(List.of());
    assertTrue(rival.allOf(NAMES, LONG).acquire().isValid());
  }

  @Test
  void aCloseWhileTheStatementIsUnderWayLeavesNothing() throws Exception {
    Connection administrator = lockedTable();
    CompletableFuture<Lease> asked = client.allOf(NAMES, LONG).acquireAsync();
    scene.awaitWaiter("relation = 'holdfast.table_lock'::regclass");
    CompletableFuture<Void> closing = CompletableFuture.runAsync(client::close);
    PostgresHarness.await("an end of the wait", asked::isCompletedExceptionally);
    administrator.rollback();
    PostgresHarness.get(closing);
    awaitHeld(List.of());
  }

  /** One row that an administrator keeps locked. The others are granted, and given back. */
  @Test
  void aRowThatStaysLockedLeavesNothingOfTheOthers() throws Exception {
    rival.lock("n5", LONG).acquire().release();
    Connection administrator = scene.connect();
    administrator.setAutoCommit(false);
    PostgresHarness.ask(
        administrator, "SELECT 1 FROM holdfast.table_lock WHERE name = 'n5' FOR UPDATE");
    assertThrows(LockUnavailableException.class, () -> client.allOf(NAMES, LONG).tryAcquire());
    administrator.rollback();
    awaitHeld(List.of());
    assertTrue(client.allOf(NAMES, LONG).acquire(PostgresHarness.SOON).isValid());
  }

  private Connection lockedTable() throws SQLException {
    Connection administrator = scene.connect();
    administrator.setAutoCommit(false);
    PostgresHarness.ask(administrator, "LOCK TABLE holdfast.table_lock");
    return administrator;
  }
}
