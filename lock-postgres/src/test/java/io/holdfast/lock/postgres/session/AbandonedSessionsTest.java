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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** When a session that was given up counts as gone. */
class AbandonedSessionsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  @Test
  void aSessionWhoseStartIsNotShownIsNotGoneAndNotEnded() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      PostgresConfig config = config(scene);
      AbandonedSessions sessions = new AbandonedSessions(config);
      PgConnection other = new ConnectionFactory(config).openSession(PATIENCE);
      PgConnection pg = new ConnectionFactory(config).openSession(PATIENCE);
      try {
        PgConnection.Identity abandoned = other.identity();
        pg.execute("CREATE ROLE blind");
        pg.execute("GRANT pg_signal_backend TO blind");
        pg.execute("SET ROLE blind");
        assertFalse(sessions.isGone(pg, abandoned));
        other.ask();
        pg.execute("RESET ROLE");
        PostgresHarness.await("the end of the session", () -> isGone(sessions, pg, abandoned));
        assertTrue(sessions.isGone(pg, abandoned));
      } finally {
        other.abort();
        pg.close();
      }
    }
  }

  /**
   * The number is one of a session that does not show when it began, or of a process without one.
   */
  @Test
  void aSessionIsGoneIfAnotherRoleHasItsNumber() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      PostgresConfig config = config(scene);
      AbandonedSessions sessions = new AbandonedSessions(config);
      PgConnection pg = new ConnectionFactory(config).openSession(PATIENCE);
      try (Connection other = scene.connect()) {
        pg.execute("CREATE ROLE blind LOGIN");
        pg.execute("GRANT pg_signal_backend TO blind");
        PgConnection blind =
            new ConnectionFactory(config(scene, "username", "blind")).openSession(PATIENCE);
        try {
          int others = other.unwrap(PGConnection.class).getBackendPID();
          assertTrue(sessions.isGone(blind, earlier(blind, others)));
          int checkpointer =
              Integer.parseInt(
                  PostgresHarness.ask(
                          other,
                          "SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'")
                      .get(0));
          assertTrue(sessions.isGone(blind, earlier(blind, checkpointer)));
        } finally {
          blind.close();
        }
      } finally {
        pg.close();
      }
    }
  }

  private static PgConnection.Identity earlier(PgConnection pg, int process) {
    return new PgConnection.Identity(process, 1, pg.identity().role());
  }

  private static PostgresConfig config(PostgresHarness scene, String... more) {
    return PostgresConfig.of(new Settings("postgres-table", scene.settings(more)), PATIENCE);
  }

  private static boolean isGone(
      AbandonedSessions sessions, PgConnection pg, PgConnection.Identity session) {
    try {
      return sessions.isGone(pg, session);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
