/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.postgres.PostgresHarness;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.spi.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a session that was given up counts as gone. */
class AbandonedSessionsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Test
  void aSessionWhoseStartIsNotShownIsNotGoneAndNotEnded() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      PgConnection.Identity abandoned;
      PostgresConfig config =
          PostgresConfig.of(new Settings("postgres-table", scene.settings()), PATIENCE);
      AbandonedSessions sessions = new AbandonedSessions(config);
      PgConnection other = new ConnectionFactory(config).openSession(PATIENCE);
      PgConnection pg = new ConnectionFactory(config).openSession(PATIENCE);
      try {
        abandoned = other.identity();
        pg.execute("CREATE ROLE blind");
        pg.execute("GRANT pg_signal_backend TO blind");
        pg.execute("SET ROLE blind");
        assertFalse(sessions.isGone(pg, abandoned));
        other.ask();
        pg.execute("RESET ROLE");
        assertTrue(sessions.isGone(pg, abandoned));
        assertTrue(sessions.isGone(pg, abandoned));
      } finally {
        other.abort();
        pg.close();
      }
    }
  }
}
