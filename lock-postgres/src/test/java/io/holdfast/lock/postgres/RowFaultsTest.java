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
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Retry;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.SavedJdbcState;
import io.holdfast.lock.postgres.transaction.LeasedConnection;
import io.holdfast.lock.postgres.transaction.RowTransaction;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.testsupport.CapturedLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.jdbc.AutoSave;

/** Tests a transaction that holds a row when something goes wrong. */
class RowFaultsTest {

  private static final LockOptions SLOW_POLLS =
      LockOptions.defaults()
          .withRetry(
              Retry.defaults()
                  .withJitter(0)
                  .withPauses(Duration.ofSeconds(10), Duration.ofSeconds(10)));

  private final PostgresHarness scene = new PostgresHarness().withSchema();

  @AfterEach
  void close() {
    scene.close();
  }

  private LockClient client() {
    return scene.client(RowLockProvider.NAME, "session-timeout", "4s");
  }

  /** Half of the time of a command is for the holder's last statement. */
  private LockClient patient(String timeout) {
    return scene.client(RowLockProvider.NAME, "session-timeout", "60s", "command-timeout", timeout);
  }

  private static Connection of(Lease lease) {
    return lease.unwrap(Connection.class).orElseThrow();
  }

  private int rowsWritten() {
    return Integer.parseInt(scene.server.ask("SELECT count(*) FROM work").get(0));
  }

  @Test
  void aTransactionThatEndedBeforeItsTokenWasDrawnHoldsNothing() throws Exception {
    LockClient late = client();
    LockClient other = scene.client(RowLockProvider.NAME, "session-timeout", "60s");
    AtomicInteger failed = new AtomicInteger();
    late.addListener(
        event -> {
          if (event instanceof LockEvent.AttemptFailed) {
            failed.incrementAndGet();
          }
        });
    CompletableFuture<Lease> asked;
    scene.server.ask(RowTokensTest.DRAWN_ELSEWHERE);
    try (Connection administrator = scene.connect()) {
      administrator.setAutoCommit(false);
      PostgresHarness.ask(administrator, "ALTER SEQUENCE holdfast.lock_token INCREMENT BY 1");
      asked = late.lock("late", SLOW_POLLS).acquireAsync();
      PostgresHarness.await("an attempt without a token", () -> failed.get() == 1);
      administrator.rollback();
    }
    scene.terminate("idle in transaction");
    try (Lease lease = other.lock("late").acquire()) {
      PostgresHarness.await("the next attempt", () -> failed.get() == 2 || asked.isDone());
      assertFalse(asked.isDone(), "granted beside another lease");
      assertTrue(lease.isValid());
      lease.release();
      assertTrue(PostgresHarness.get(asked).fencingToken() > lease.fencingToken());
    }
  }

  @Test
  void anAttemptWithoutAnAnswerLeavesNoSessionBehind() throws Exception {
    LockClient client = client();
    client.lock("blocked").acquire().release();
    try (Connection administrator = scene.connect()) {
      administrator.setAutoCommit(false);
      PostgresHarness.ask(administrator, "LOCK TABLE holdfast.row_lock IN EXCLUSIVE MODE");
      assertThrows(LockUnavailableException.class, () -> client.lock("blocked").tryAcquire());
      // The server would not look whether the client is still there before it has locked the row.
      PostgresHarness.await("the end of what asked for the row", () -> waitingForTheTable() == 0);
      administrator.rollback();
    }
    assertTrue(client.lock("blocked").acquire().isValid());
  }

  private int waitingForTheTable() {
    return Integer.parseInt(
        scene
            .server
            .ask(
                "SELECT count(*) FROM pg_locks WHERE NOT granted"
                    + " AND relation = 'holdfast.row_lock'::regclass")
            .get(0));
  }

  @Test
  void validityEndsBeforeTheKernelGivesUpAHostThatVanished() throws Exception {
    Lease lease = client().lock("vanishes").acquire();
    List<Long> seconds = new ArrayList<>();
    for (String setting :
        List.of("tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_keepalives_count")) {
      seconds.add(
          Long.parseLong(
              PostgresHarness.ask(of(lease), "SELECT current_setting('" + setting + "')").get(0)));
    }
    long idle = seconds.get(0);
    assertEquals(List.of("4000"), PostgresHarness.ask(of(lease), "SHOW tcp_user_timeout"));
    assertTrue(idle + seconds.get(1) * seconds.get(2) >= 4, seconds.toString());
    // The last that was heard on it may be as old as that.
    Duration longest = Duration.ofSeconds(4 - idle);
    assertTrue(lease.remaining().compareTo(longest) < 0, lease.remaining().toString());
  }

  @Test
  void aReleaseAfterSqlThatEndedTheTransactionCommitsNothing() throws Exception {
    scene.server.ask("CREATE TABLE work (what text)");
    Lease lease = client().lock("sql").acquire();
    try (Statement statement = of(lease).createStatement()) {
      assertThrows(
          SQLException.class,
          () ->
              statement.execute(
                  "SELECT 1; COMMIT; INSERT INTO work VALUES ('without'); SELECT 1/0"));
    }
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertEquals(0, rowsWritten());
  }

  /** It looks as if nothing had happened, but for the time at which the transaction began. */
  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void aReleaseCommitsNoOtherTransaction(String queryMode) throws Exception {
    scene.server.ask("CREATE TABLE work (what text)");
    // Lent, as the mode of our own connections is always the same.
    DataSource lent = DriverSettingsTest.source(scene.server, "preferQueryMode=" + queryMode);
    Lease lease =
        scene
            .closing(PostgresLocks.row(lent, Map.of(), ClientOptions.defaults()))
            .lock("other")
            .acquire();
    String name = PostgresHarness.ask(of(lease), "SHOW application_name").get(0);
    PostgresHarness.ask(
        of(lease),
        "SELECT 1; COMMIT; BEGIN; SET LOCAL application_name = '"
            + name
            + "'; INSERT INTO work VALUES ('without')");
    assertTrue(lease.isValid());
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertEquals(0, rowsWritten());
  }

  @Test
  void aReleaseWaitsForTheHoldersLastStatement() throws Exception {
    scene.server.ask("CREATE TABLE work (what text)");
    Lease lease = patient("20s").lock("last").acquire();
    CompletableFuture<Void> written = writing(lease, "0.2");
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
    PostgresHarness.get(written);
    assertEquals(1, rowsWritten());
  }

  @Test
  void aReleaseDuringAStatementThatDoesNotEndCommitsNothing() throws Exception {
    scene.server.ask("CREATE TABLE work (what text)");
    LockClient client = patient("6s");
    Lease lease = client.lock("endless").acquire();
    CompletableFuture<Void> written = writing(lease, "60");
    assertEquals(ReleaseOutcome.ALREADY_LOST, lease.release());
    assertThrows(Exception.class, () -> PostgresHarness.get(written));
    client.lock("endless").acquire().release();
    assertEquals(0, rowsWritten());
  }

  /** The engine takes it at once. Without one, the holder waits for a while, and is warned. */
  @Test
  void theNameOfALockWhoseLossNobodyTakesIsEscaped() throws Exception {
    Settings settings = new Settings(RowLockProvider.NAME, scene.settings("command-timeout", "1s"));
    try (CapturedLog log = new CapturedLog();
        LockBackend<?> backend = new RowLockProvider().open(settings)) {
      LockClaim claim =
          backend.claim(
              new ClaimRequest("a\u001b[2J", "owner", Duration.ofMinutes(1), Share.LOCK),
              TableClaimsTestBase.DEAF);
      TableClaimsTestBase.acquire(claim);
      try (Statement statement = claim.unwrap(Connection.class).orElseThrow().createStatement()) {
        statement.execute("SELECT 1; COMMIT");
      }
      log.assertContains("The loss of lock 'a\\u001b[2J' has not been handled");
    }
  }

  /** A statement of the holder that writes, and is under way when this returns. */
  private CompletableFuture<Void> writing(Lease lease, String seconds) {
    Connection held = of(lease);
    CompletableFuture<Void> written =
        CompletableFuture.runAsync(
            () -> {
              try (Statement statement = held.createStatement()) {
                statement.execute("INSERT INTO work SELECT pg_sleep(" + seconds + ")::text");
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    PostgresHarness.await(
        "the statement",
        () ->
            written.isDone()
                || scene
                    .server
                    .ask(
                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
                            + " AND state = 'active'")
                    .equals(List.of("1")));
    return written;
  }

  @Test
  void aCallCountsBeforeItLooksWhetherTheLeaseIsOver() throws Exception {
    try (Connection connection = scene.connect()) {
      RowTransaction transaction =
          new RowTransaction(
              connection,
              SavedJdbcState.of(connection),
              AutoSave.NEVER,
              new PgConnection.Identity(1, 1, 1),
              1,
              "a");
      List<Boolean> ended = new ArrayList<>();
      Connection view =
          LeasedConnection.of(
              transaction,
              "counts",
              () -> {
                ended.add(transaction.endCalls(Duration.ZERO));
                return false;
              },
              () -> {});
      assertTrue(view.getAutoCommit());
      assertEquals(List.of(false), ended);
      assertTrue(transaction.endCalls(Duration.ZERO));
      assertThrows(SQLException.class, view::getAutoCommit);
    }
  }

  @Test
  void aReleaseDoesNotWaitForThoseWhoGotNoConnection() throws Exception {
    LockClient client =
        scene.client(
            RowLockProvider.NAME,
            "pool-size",
            "2",
            "command-timeout",
            "15s",
            "session-timeout",
            "60s");
    Lease held = client.lock("held").acquire();
    assertTrue(client.lock("held as well").acquire().isValid());
    List<CompletableFuture<Lease>> asked =
        List.of(client.lock("a").acquireAsync(), client.lock("b").acquireAsync());
    PostgresHarness.await("attempts without a connection", () -> waitingForAConnection() == 2);
    asked.forEach(attempt -> attempt.cancel(false));
    long begun = System.nanoTime();
    assertEquals(ReleaseOutcome.RELEASED, held.release());
    long took = System.nanoTime() - begun;
    assertTrue(took < TimeUnit.SECONDS.toNanos(7), took + " ns");
  }

  private static long waitingForAConnection() {
    return PostgresHarness.threadsIn("holdfast-postgres-attempt", "getConnection");
  }
}
