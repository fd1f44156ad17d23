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
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.TcpProxy;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Tests how the end of a holder's connection is recognized, and asking it. */
class HolderConnectionTest {

  private static final LockOptions SELDOM_RENEWED =
      LockOptions.defaults()
          .withTtl(Duration.ofMinutes(2))
          .withRenewal(Renewal.every(Duration.ofSeconds(50)));
  private static final Map<String, String> SETTINGS =
      Map.of("session-timeout", "120s", "command-timeout", "6s", "create-schema", "true");

  private final PostgresHarness scene = new PostgresHarness();
  private final TcpProxy link =
      scene.closing(TcpProxy.to(scene.server.host(), scene.server.port()));

  @AfterEach
  void close() {
    link.heal();
    scene.close();
  }

  @Test
  void aConnectionThatSaysNothingDoesNotKeepItsLockFromItsEnd() throws Exception {
    LockClient client = split(scene.url(link), scene.server.url());
    Lease held = client.lock("a", SELDOM_RENEWED).acquire();
    link.stall(Direction.values());
    scene.terminate("idle");
    PostgresHarness.await("a question to the holder's connection", () -> questions() == 1);
    assertEquals(ReleaseOutcome.ALREADY_LOST, held.release());
    PostgresHarness.await("the end of the question", () -> questions() == 0);
    LockClient other = scene.client(RowLockProvider.NAME);
    assertTrue(other.lock("a").acquire(PostgresHarness.SOON).isValid());
  }

  /** The holder's own statements may take as long as they like, and the end of the lease not. */
  @Test
  void aReleaseThatIsNotAnsweredDoesNotKeepTheLock() throws Exception {
    LockClient client = split(scene.url(link), scene.server.url());
    Lease held = client.lock("a", SELDOM_RENEWED).acquire();
    link.stall(Direction.values());
    held.releaseAsync();
    LockClient other = scene.client(RowLockProvider.NAME);
    assertTrue(other.lock("a").acquire(Duration.ofSeconds(30)).isValid());
  }

  private static long questions() {
    return PostgresHarness.threadsIn("holdfast-postgres-look", "hasEnded");
  }

  @Test
  void theHoldersConnectionIsAskedForAsLongAsThereIsNoneBesideIt() throws Exception {
    LockClient client = split(scene.server.url(), scene.url(link));
    Lease held = client.lock("a", SELDOM_RENEWED).acquire();
    link.refuse();
    assertThrows(Exception.class, () -> held.extend(SELDOM_RENEWED.ttl()));
    assertTrue(held.isValid());
    assertFalse(held.loss().isDone());
    scene.server.stop();
    scene.server.start();
    assertEquals(LossReason.SESSION_ENDED, PostgresHarness.get(held.loss()).reason());
  }

  /** Whether its transaction is open is only known to the server. */
  @Test
  void aTransactionThatCannotBeAskedForIsNotTakenForOneThatHasEnded() throws Exception {
    LockClient client = split(scene.server.url(), scene.url(link));
    Lease held = client.lock("a", SELDOM_RENEWED).acquire();
    Connection connection = held.unwrap(Connection.class).orElseThrow();
    link.refuse();
    // The server tells of it as it would tell of the end.
    connection.setClientInfo("ApplicationName", "changed");
    PostgresHarness.ask(connection, "SELECT 1");
    assertTrue(held.isValid());
    assertFalse(held.loss().isDone());
  }

  /** A holder may think, and compute, for as long as it likes. */
  @Test
  void timeOutsOfTheRoleAreNotThoseOfAHolder() throws Exception {
    for (String setting :
        new String[] {"statement_timeout", "idle_in_transaction_session_timeout"}) {
      scene.server.ask("ALTER ROLE holdfast SET " + setting + " = '1h'");
    }
    Lease held = scene.client(RowLockProvider.NAME).lock("a", SELDOM_RENEWED).acquire();
    Connection connection = held.unwrap(Connection.class).orElseThrow();
    for (String setting :
        new String[] {
          "statement_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout"
        }) {
      assertEquals("0", PostgresHarness.ask(connection, "SHOW " + setting).get(0), setting);
    }
  }

  /** HikariCP would close the connection for the first two; foreign tables fail with the second. */
  @ParameterizedTest
  @ValueSource(strings = {"0A000", "08001", "42P01"})
  void anErrorOnAConnectionThatStandsLosesNothing(String state) throws Exception {
    Lease held = scene.client(RowLockProvider.NAME).lock("a", SELDOM_RENEWED).acquire();
    Connection connection = held.unwrap(Connection.class).orElseThrow();
    PostgresHarness.ask(connection, "CREATE TABLE kept (what text)");
    PostgresHarness.ask(connection, "SAVEPOINT before");
    assertThrows(SQLException.class, () -> PostgresHarness.ask(connection, raising(state)));
    PostgresHarness.ask(connection, "ROLLBACK TO before");
    assertTrue(held.isValid());
    assertEquals(ReleaseOutcome.RELEASED, held.release());
    assertEquals("0", scene.server.ask("SELECT count(*) FROM kept").get(0));
  }

  @Test
  void anErrorInABatchLosesNothingEither() throws Exception {
    Lease held = scene.client(RowLockProvider.NAME).lock("a", SELDOM_RENEWED).acquire();
    Connection connection = held.unwrap(Connection.class).orElseThrow();
    PostgresHarness.ask(connection, "SAVEPOINT before");
    try (Statement batch = connection.createStatement()) {
      batch.addBatch(raising("0A000"));
      assertThrows(BatchUpdateException.class, batch::executeBatch);
    }
    PostgresHarness.ask(connection, "ROLLBACK TO before");
    assertTrue(held.isValid());
  }

  @Test
  void aPoolOfTheUsersThatClosesTheConnectionIsFoundOutAtOnce() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(scene.server.url());
    config.setUsername(PostgresServer.USER);
    HikariDataSource pool = scene.closing(new HikariDataSource(config));
    Lease held = open(pool).lock("a", SELDOM_RENEWED).acquire();
    Connection connection = held.unwrap(Connection.class).orElseThrow();
    assertThrows(SQLException.class, () -> PostgresHarness.ask(connection, raising("0A000")));
    assertEquals(LossReason.SESSION_ENDED, PostgresHarness.get(held.loss()).reason());
    assertEquals(ReleaseOutcome.ALREADY_LOST, held.release());
  }

  @Test
  void aHolderWhoseStatementMeetsTheEndLearnsThatTheLockIsLost() throws Exception {
    Lease held =
        scene
            .client(RowLockProvider.NAME, "session-timeout", "120s")
            .lock("a", SELDOM_RENEWED)
            .acquire();
    Connection connection = held.unwrap(Connection.class).orElseThrow();
    scene.terminate("idle in transaction");
    assertThrows(SQLException.class, () -> PostgresHarness.ask(connection, "SELECT 1"));
    assertEquals(LossReason.SESSION_ENDED, PostgresHarness.get(held.loss()).reason());
  }

  private static String raising(String state) {
    return "DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '" + state + "'; END $$";
  }

  /** Holders have their connections by one way, and all else goes by another. */
  private LockClient split(String ofHolders, String beside) {
    return open(
        new PGSimpleDataSource() {
          @Override
          public Connection getConnection() throws SQLException {
            boolean attempt = Thread.currentThread().getName().endsWith("attempt");
            return DriverManager.getConnection(
                attempt ? ofHolders : beside, PostgresServer.USER, "");
          }
        });
  }

  private LockClient open(DataSource pool) {
    return scene.closing(PostgresLocks.row(pool, SETTINGS, ClientOptions.defaults()));
  }
}
