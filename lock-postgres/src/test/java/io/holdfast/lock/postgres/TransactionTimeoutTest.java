/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A limit of the server for every transaction, which PostgreSQL has since version 17. */
class TransactionTimeoutTest {

  private final PostgresHarness scene = new PostgresHarness();

  @BeforeEach
  void limit() {
    assumeTrue(
        scene
            .server
            .ask("SELECT count(*) FROM pg_settings WHERE name = 'transaction_timeout'")
            .equals(List.of("1")),
        "PostgreSQL 17 or newer");
    scene.server.ask("ALTER DATABASE postgres SET transaction_timeout = '3s'");
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void aTransactionThatHoldsARowHasNone() throws Exception {
    LockClient client = scene.client(RowLockProvider.NAME);
    Lease lease = client.lock("held").acquire();
    assertThrows(TimeoutException.class, () -> lease.loss().get(5, TimeUnit.SECONDS));
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
  }

  /** A statement that waits for longer would end the session, and with it all its locks. */
  @Test
  void aSessionThatHoldsLocksHasNone() throws Exception {
    LockClient client = scene.client(AdvisoryLockProvider.NAME);
    Lease lease = client.lock("held").acquire();
    Connection administrator = scene.connect();
    PostgresHarness.ask(administrator, "SET transaction_timeout = 0");
    administrator.setAutoCommit(false);
    PostgresHarness.ask(administrator, "LOCK TABLE holdfast.advisory_name");
    client.lock("other").acquireAsync();
    assertThrows(TimeoutException.class, () -> lease.loss().get(5, TimeUnit.SECONDS));
    administrator.rollback();
    assertEquals(ReleaseOutcome.RELEASED, lease.release());
  }

  @Test
  void noSessionOfAClientHasOne() throws SQLException {
    Duration patience = Duration.ofSeconds(5);
    PostgresConfig config =
        PostgresConfig.of(new Settings(TableLockProvider.NAME, scene.settings()), patience);
    PgConnection session = new ConnectionFactory(config).openSession(patience);
    scene.closing(session::close);
    assertEquals(
        List.of("0"), PostgresHarness.ask(session.connection(), "SHOW transaction_timeout"));
  }
}
