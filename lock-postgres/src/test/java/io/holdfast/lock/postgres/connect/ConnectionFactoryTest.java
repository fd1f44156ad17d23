/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.postgres.PostgresHarness;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session is as locks need it, whatever the role's own settings are. */
class ConnectionFactoryTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final List<String> UNLIKE_OURS =
      List.of(
          "statement_timeout = '1h'",
          "lock_timeout = '1ms'",
          "idle_session_timeout = '1h'",
          "idle_in_transaction_session_timeout = '1h'",
          "synchronous_commit = off",
          "default_transaction_isolation = 'serializable'",
          "plan_cache_mode = 'force_custom_plan'",
          "jit = on",
          "client_min_messages = 'debug1'");

  @Test
  void settingsOfTheRoleDoNotMatter() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      Connection administrator = scene.connect();
      for (String setting : UNLIKE_OURS) {
        PostgresHarness.ask(administrator, "ALTER ROLE CURRENT_USER SET " + setting);
      }
      PostgresConfig config =
          PostgresConfig.of(
              new Settings("postgres-table", scene.settings("command-timeout", "60s")), PATIENCE);
      ConnectionFactory factory = new ConnectionFactory(config);
      PgConnection pg = factory.openSession(PATIENCE);
      try {
        // Or the row of a lock could go, and come again, while a statement draws its token.
        shows(pg, "statement_timeout", "20s");
        shows(pg, "lock_timeout", "0");
        shows(pg, "idle_session_timeout", "15s");
        shows(pg, "idle_in_transaction_session_timeout", "15s");
        shows(pg, "tcp_keepalives_idle", "1");
        shows(pg, "tcp_keepalives_interval", "1");
        shows(pg, "tcp_keepalives_count", "16");
        shows(pg, "tcp_user_timeout", "15000");
        shows(pg, "synchronous_commit", "on");
        shows(pg, "default_transaction_isolation", "read committed");
        shows(pg, "plan_cache_mode", "force_generic_plan");
        shows(pg, "enable_seqscan", "off");
        shows(pg, "jit", "off");
        shows(pg, "client_min_messages", "error");
        assertEquals(PATIENCE.toMillis(), pg.connection().getNetworkTimeout());
      } finally {
        pg.close();
      }
      PgConnection idle = factory.openIdle();
      try {
        shows(idle, "idle_session_timeout", "0");
        assertEquals(15_000, idle.connection().getNetworkTimeout());
      } finally {
        idle.close();
      }
    }
  }

  /** A server that waits for standbys goes on doing so. */
  @Test
  void moreThanOursIsLeft() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      PostgresHarness.ask(
          scene.connect(), "ALTER ROLE CURRENT_USER SET synchronous_commit = 'remote_apply'");
      PostgresConfig config =
          PostgresConfig.of(new Settings("postgres-table", scene.settings()), PATIENCE);
      PgConnection pg = new ConnectionFactory(config).openSession(PATIENCE);
      try {
        shows(pg, "synchronous_commit", "remote_apply");
      } finally {
        pg.close();
      }
    }
  }

  private static void shows(PgConnection pg, String setting, String value) throws Exception {
    assertEquals(
        List.of(value),
        PostgresHarness.ask(pg.connection(), "SELECT current_setting('" + setting + "')"),
        setting);
  }
}
