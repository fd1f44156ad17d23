/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.advisory;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.postgres.PostgresHarness;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.spi.Settings;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Which session proves a lease: ours, if it has the locks. */
class SessionProofTest {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Test
  void anotherSessionProvesNothing() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      PostgresConfig config =
          PostgresConfig.of(new Settings("postgres-advisory", scene.settings()), PATIENCE);
      AdvisoryStatements statements = new AdvisoryStatements(config.schema());
      PgConnection pg = new ConnectionFactory(config).openSession(PATIENCE);
      try {
        pg.execute("SELECT pg_advisory_lock(7)");
        statements.prove(pg, new long[] {7});
        pg.ask();
        isRefused(() -> statements.prove(pg, new long[] {7, 8}));
        pg.execute("SELECT set_config('io_holdfast.session', 'another', false)");
        isRefused(() -> statements.prove(pg, new long[] {7}));
        isRefused(pg::ask);
      } finally {
        pg.close();
      }
    }
  }

  private static void isRefused(Executable proof) {
    assertTrue(PgConnection.isOthers(assertThrows(SQLException.class, proof)));
  }
}
