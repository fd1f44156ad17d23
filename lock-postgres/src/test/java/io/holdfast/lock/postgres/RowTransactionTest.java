/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.DistributedLock;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockLostException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Loss;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how a lease of {@code postgres-row} handles the transaction that belongs to it. */
class RowTransactionTest {

  private static PostgresHarness scene;
  private static LockClient client;

  @BeforeAll
  static void open() {
    scene = new PostgresHarness().withSchema();
    client = scene.client(RowLockProvider.NAME, "session-timeout", "20s", "pool-size", "2");
    scene.server.ask("CREATE TABLE work (what text)");
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @BeforeEach
  void clear() {
    scene.server.ask("DELETE FROM work");
  }

  private static List<String> work() {
    return scene.server.ask("SELECT what FROM work");
  }

  private static Connection of(Lease lease) {
    return lease.unwrap(Connection.class).orElseThrow();
  }

  private static void write(Lease lease, String what) throws SQLException {
    try (Statement statement = of(lease).createStatement()) {
      statement.execute("INSERT INTO work VALUES ('" + what + "')");
    }
  }

  @Test
  void aReleaseCommits() throws Exception {
    Lease lease = client.lock("commits").acquire();
    write(lease, "kept");
    assertEquals(List.of(), work());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertEquals(List.of("kept"), work());
    assertTrue(lease.unwrap(Connection.class).isEmpty());
  }

  @Test
  void aCloseWithoutReleaseRollsBack() throws Exception {
    try (Lease lease = client.lock("closes").acquire()) {
      write(lease, "undone");
    }
    assertEquals(List.of(), work());
  }

  @Test
  void aBodyCommitsAtItsGoodEndOnly() throws Exception {
    client.lock("body").run(lease -> write(lease, "kept"));
    assertThrows(
        IllegalStateException.class,
        () ->
            client
                .lock("body")
                .run(
                    lease -> {
                      write(lease, "undone");
                      throw new IllegalStateException("on purpose");
                    }));
    assertEquals(List.of("kept"), work());
  }

  @Test
  void aLossRollsBackAndIsTold() throws Exception {
    DistributedLock lock = client.lock("lost");
    Renewal often = Renewal.every(Duration.ofSeconds(1));
    Lease lease = lock.with(lock.options().withRenewal(often)).acquire();
    write(lease, "undone");
    Connection held = of(lease);
    scene.server.ask(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'");
    Loss loss = PostgresHarness.get(lease.loss());
    assertEquals(LossReason.SESSION_ENDED, loss.reason());
    assertEquals(List.of(), work());
    assertThrows(SQLException.class, held::createStatement);
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertTrue(client.lock("lost").acquire().isValid());
  }

  @Test
  void aLossEndsAStatementThatIsUnderWay() throws Exception {
    Lease lease =
        client
            .lock("under-way")
            .with(
                client
                    .lock("under-way")
                    .options()
                    .withTtl(Duration.ofSeconds(1))
                    .withRenewal(Renewal.none()))
            .acquire();
    Statement slow = of(lease).createStatement();
    long begun = System.nanoTime();
    assertThrows(SQLException.class, () -> slow.execute("SELECT pg_sleep(60)"));
    assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(20));
    assertFalse(lease.isValid());
    client.lock("under-way").acquire().release();
  }

  @Test
  void aTransactionThatFailedIsNoRelease() throws Exception {
    Lease lease = client.lock("failed").acquire();
    write(lease, "undone");
    try (Statement statement = of(lease).createStatement()) {
      assertThrows(SQLException.class, () -> statement.execute("SELECT nonsense"));
    }
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertEquals(List.of(), work());
    assertThrows(
        LockLostException.class,
        () ->
            client
                .lock("failed")
                .run(
                    again -> {
                      try (Statement statement = of(again).createStatement()) {
                        assertThrows(SQLException.class, () -> statement.execute("nonsense"));
                      }
                    }));
  }

  @Test
  void theHolderCannotEndTheTransactionByAccident() throws Exception {
    Lease lease = client.lock("refuses\u001b[2J").acquire();
    Connection held = of(lease);
    for (org.junit.jupiter.api.function.Executable end :
        List.<org.junit.jupiter.api.function.Executable>of(
            held::commit,
            held::rollback,
            held::close,
            () -> held.setAutoCommit(true),
            () -> held.abort(Runnable::run),
            () -> held.setNetworkTimeout(Runnable::run, 1),
            held::beginRequest,
            held::endRequest,
            () -> held.unwrap(Connection.class))) {
      SQLException told = assertThrows(SQLException.class, end);
      assertTrue(
          String.valueOf(told.getMessage()).contains("'refuses\\u001b[2J'"), told.getMessage());
    }
    try (Statement statement = held.createStatement()) {
      assertThrows(SQLException.class, () -> statement.getConnection().commit());
    }
    write(lease, "kept");
    held.rollback(held.setSavepoint());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertEquals(List.of("kept"), work());
    assertTrue(held.isClosed());
    assertThrows(SQLException.class, held::createStatement);
  }

  @Test
  void sqlThatEndsTheTransactionIsFoundOut() throws Exception {
    Lease lease = client.lock("sql").acquire();
    try (Statement statement = of(lease).createStatement()) {
      statement.execute("SELECT 1; COMMIT");
    }
    assertFalse(lease.isValid());
    assertEquals(LossReason.SESSION_ENDED, PostgresHarness.get(lease.loss()).reason());
  }

  @Test
  void aPoolThatIsUsedUpIsTyped() throws Exception {
    LockClient small =
        scene.client(RowLockProvider.NAME, "pool-size", "1", "command-timeout", "3s");
    Lease lease = small.lock("one").acquire();
    LockUnavailableException told =
        assertThrows(LockUnavailableException.class, () -> small.lock("two").tryAcquire());
    assertTrue(String.valueOf(told.getMessage()).contains("'two'"), told.getMessage());
    assertTrue(lease.isValid());
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    assertTrue(small.lock("two").acquire(PostgresHarness.SOON).isValid());
  }

  /** Two beside it, and one for each lease that there has been at a time. */
  @Test
  void aPoolMakesNoConnectionThatNobodyNeeds() throws Exception {
    String url = scene.server.url() + "?ApplicationName=few";
    LockClient few = scene.client(RowLockProvider.NAME, "url", url, "pool-size", "20");
    few.lock("few").acquire().release();
    Conditions.stays(
        "three connections at most",
        Duration.ofSeconds(1),
        () ->
            scene
                    .server
                    .ask("SELECT 1 FROM pg_stat_activity WHERE application_name LIKE '%few'")
                    .size()
                <= 3);
  }

  @Test
  void aPoolThatIsThereAlreadyIsUsedAndLeftAsItWas() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(scene.server.url());
    config.setUsername(PostgresServer.USER);
    config.setMaximumPoolSize(3);
    config.setConnectionInitSql("SET statement_timeout = '77s'");
    try (HikariDataSource pool = new HikariDataSource(config)) {
      Map<String, String> settings = Map.of("pool-size", "1", "session-timeout", "20s");
      try (LockClient borrowing = PostgresLocks.row(pool, settings, ClientOptions.defaults())) {
        Lease lease = borrowing.lock("borrowed").acquire();
        write(lease, "kept");
        assertEquals(3, pool.getHikariPoolMXBean().getActiveConnections());
        assertEquals(ReleaseOutcome.RELEASED, lease.release());
      }
      leftAsItWas(pool);
      try (LockClient borrowing =
          PostgresLocks.advisory(pool, Map.of(), ClientOptions.defaults())) {
        assertTrue(borrowing.lock("borrowed").acquire().isValid());
        assertEquals(2, pool.getHikariPoolMXBean().getActiveConnections());
      }
      leftAsItWas(pool);
      try (LockClient borrowing =
          PostgresLocks.table(pool, Map.of("command-timeout", "5s"), ClientOptions.defaults())) {
        assertTrue(borrowing.lock("borrowed").acquire().isValid());
      }
      leftAsItWas(pool);
    }
    assertEquals(List.of("kept"), work());
  }

  private static void leftAsItWas(HikariDataSource pool) throws SQLException {
    assertFalse(pool.isClosed());
    PostgresHarness.await(
        "connections to come back", () -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    try (Connection one = pool.getConnection();
        Connection two = pool.getConnection();
        Connection three = pool.getConnection()) {
      for (Connection connection : List.of(one, two, three)) {
        assertTrue(connection.getAutoCommit());
        assertEquals(List.of("77s"), PostgresHarness.ask(connection, "SHOW statement_timeout"));
        assertEquals(List.of("0"), PostgresHarness.ask(connection, "SHOW idle_session_timeout"));
        assertEquals(List.of(), PostgresHarness.ask(connection, "SELECT pg_listening_channels()"));
        assertEquals(
            List.of("0"),
            PostgresHarness.ask(
                connection,
                "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory'"));
      }
    }
  }
}
