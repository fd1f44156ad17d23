/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Locks;
import io.holdfast.lock.servers.PgBouncer;
import io.holdfast.lock.servers.PostgresServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests which clients are refused when they are opened, how it is told, and that nothing is left of
 * them.
 */
class PostgresOpeningTest {

  private static PostgresHarness scene;

  @BeforeAll
  static void open() {
    scene = new PostgresHarness();
    scene.server.ask("CREATE ROLE app LOGIN PASSWORD 'right-secret'");
    scene.server.ask(
        "COPY (VALUES ('host all app all scram-sha-256'), ('host all all all trust'),"
            + " ('host replication all all trust')) TO "
            + "'"
            + scene.server.ask("SHOW hba_file").get(0)
            + "'");
    scene.server.ask("SELECT pg_reload_conf()");
    scene.client(AdvisoryLockProvider.NAME).close();
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  private static LockRejectedException refused(String provider, Map<String, String> settings) {
    LockRejectedException told = thrown(provider, settings);
    PostgresHarness.await(
        "no connection left",
        () ->
            scene
                .server
                .ask("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'holdfast'")
                .equals(List.of("0")));
    return told;
  }

  private static LockRejectedException thrown(String provider, Map<String, String> settings) {
    settings.put("command-timeout", "10s");
    LockRejectedException told =
        assertThrows(LockRejectedException.class, () -> Locks.open(provider, settings).close());
    for (Throwable at = told; at != null; at = at.getCause()) {
      assertFalse(at.toString().contains("secret"), at.toString());
    }
    return told;
  }

  private static void says(LockRejectedException told, String... words) {
    for (String word : words) {
      assertTrue(String.valueOf(told.getMessage()).contains(word), told.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aWrongPassword(String provider) {
    PostgresHarness.await("the new hba file", () -> reloaded());
    says(
        refused(provider, scene.settings("username", "app", "password", "wrong-secret")),
        "'password'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aPasswordThatIsWantedAndNotGiven(String provider) {
    PostgresHarness.await("the new hba file", () -> reloaded());
    says(refused(provider, scene.settings("username", "app")), "'password'");
  }

  private static boolean reloaded() {
    return scene
        .server
        .ask("SELECT count(*) FROM pg_hba_file_rules WHERE 'app' = ANY (user_name)")
        .equals(List.of("1"));
  }

  @Test
  void theFormerNameOfASetting() {
    Map<String, String> former = Map.of("url", scene.server.url(), "user", "app");
    LockConfigurationException told =
        assertThrows(
            LockConfigurationException.class, () -> Locks.open(AdvisoryLockProvider.NAME, former));
    assertTrue(
        String.valueOf(told.getMessage()).contains("'user'")
            && String.valueOf(told.getMessage()).contains("'username' now"),
        told::toString);
  }

  @Test
  void aMissingDatabase() {
    String elsewhere = scene.server.url().replace("/postgres", "/nowhere");
    says(refused(AdvisoryLockProvider.NAME, scene.settings("url", elsewhere)), "'url'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void missingTables(String provider) {
    says(
        refused(provider, scene.settings("schema", "other", "create-schema", "false")),
        "holdfast.sql",
        "create-schema");
  }

  @Test
  void aMissingPrivilege() {
    PostgresHarness.await("the new hba file", () -> reloaded());
    says(
        refused(
            TableLockProvider.NAME, scene.settings("username", "app", "password", "right-secret")),
        "holdfast.sql",
        "GRANT");
  }

  @Test
  void aRoleThatMayNotCreateIsToldWhatItTakes() {
    PostgresHarness.await("the new hba file", () -> reloaded());
    Map<String, String> settings =
        scene.settings("username", "app", "password", "right-secret", "schema", "apps_own");
    String grant = "GRANT CREATE ON DATABASE postgres TO app";
    says(refused(TableLockProvider.NAME, settings), grant, "holdfast.sql", "create-schema");
    scene.server.ask(grant);
    Locks.open(TableLockProvider.NAME, settings).close();
    scene.server.ask("REVOKE CREATE ON DATABASE postgres FROM app");
    Locks.open(TableLockProvider.NAME, settings).close();
  }

  /** As it has to be written in the statement that is told. */
  @Test
  void theNameOfARoleIsQuoted() {
    scene.server.ask("CREATE ROLE \"My App\" LOGIN");
    says(
        refused(TableLockProvider.NAME, scene.settings("username", "My App", "schema", "quoted")),
        "GRANT CREATE ON DATABASE postgres TO \"My App\",");
  }

  @Test
  void aSettingGoesBeforeTheUrlAndTheUrlBeforeWhatIsUsual() {
    String url = scene.server.url() + "?user=nobody&ApplicationName=mine";
    try (LockClient client = scene.client(TableLockProvider.NAME, "url", url)) {
      assertEquals(
          List.of("holdfast"),
          scene.server.ask(
              "SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name = 'mine'"),
          client::toString);
    }
  }

  /** It needs two, and leaves neither. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aRoleThatMayHaveOneConnection(String provider) {
    String role = "one_" + provider.replace('-', '_');
    PostgresGrants.toNewRole(scene, provider, role);
    scene.server.ask("ALTER ROLE " + role + " CONNECTION LIMIT 1");
    LockUnavailableException told =
        assertThrows(
            LockUnavailableException.class,
            () -> Locks.open(provider, scene.settings("username", role)).close());
    assertTrue(String.valueOf(told.getMessage()).contains("no connection left"), told::toString);
    PostgresHarness.await(
        "no connection left",
        () ->
            scene
                .server
                .ask("SELECT 1 FROM pg_stat_activity WHERE usename = '" + role + "'")
                .isEmpty());
  }

  @Test
  void aSchemaOfItsOwnAndOneThatIsNone() throws InterruptedException {
    try (LockClient client = scene.client(TableLockProvider.NAME, "schema", "My$Schema");
        Lease lease = client.lock("x").acquire()) {
      assertTrue(lease.isValid());
      assertEquals(List.of("x"), scene.server.ask("SELECT name FROM \"My$Schema\".table_lock"));
    }
    for (String bad : List.of("a\"; DROP TABLE x; --", "", "a.b", "1a", "x".repeat(64))) {
      LockConfigurationException told =
          assertThrows(
              LockConfigurationException.class,
              () -> Locks.open(TableLockProvider.NAME, scene.settings("schema", bad)));
      assertTrue(String.valueOf(told.getMessage()).contains("'schema'"), told.getMessage());
    }
  }

  @Test
  void aUrlWithAPasswordIsNotShown() {
    for (String bad :
        List.of(
            "jdbc:mysql://u:secret@h/d",
            "postgresql://u:secret@h/d",
            "jdbc:postgresql://u:secret@h:5432/d",
            "jdbc:postgresql://h:5432/d;password=secret",
            "jdbc:postgresql://h:port/d?password=secret")) {
      LockConfigurationException told =
          assertThrows(
              LockConfigurationException.class,
              () -> Locks.open(AdvisoryLockProvider.NAME, scene.settings("url", bad)));
      for (Throwable at = told; at != null; at = at.getCause()) {
        assertFalse(at.toString().contains("secret"), at.toString());
      }
    }
  }

  /** One that keeps numbers back, or goes back itself. */
  @ParameterizedTest
  @ValueSource(strings = {"CACHE 10", "INCREMENT -1", "CYCLE"})
  void aSequenceWhoseNumbersDoNotGrow(String change) {
    scene.client(AdvisoryLockProvider.NAME, "schema", "altered").close();
    scene.server.ask("ALTER SEQUENCE altered.lock_token " + change);
    says(refused(AdvisoryLockProvider.NAME, scene.settings("schema", "altered")), "CACHE 1");
    scene.server.ask("DROP SCHEMA altered CASCADE");
  }

  @Test
  void anEncodingThatCannotHoldEveryName() {
    scene.server.ask("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    String latin = scene.server.url().replace("/postgres", "/latin");
    says(refused(TableLockProvider.NAME, scene.settings("url", latin)), "LATIN1", "UTF8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aStandby(String provider) {
    assumeTrue(scene.server.describe().contains("local process"));
    try (PostgresServer standby = PostgresServer.launchStandby(scene.server)) {
      assertEquals(List.of("t"), standby.ask("SELECT pg_try_advisory_lock(1)"));
      says(refused(provider, scene.settings("url", standby.url())), "standby", "primary");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aPoolerHoweverSmall(String provider) {
    assumeTrue(PgBouncer.isAvailable());
    for (String mode : List.of("transaction", "session")) {
      try (PgBouncer pooler = PgBouncer.launch(scene.server, mode, 1)) {
        // More than once: what the first has prepared stays in a session that the next one gets.
        for (int i = 0; i < 3; i++) {
          says(thrown(provider, scene.settings("url", pooler.url())), "pooler", "pooler=session");
        }
        String locks = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory'";
        PostgresHarness.await("no lock left", () -> scene.server.ask(locks).isEmpty());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aPoolerThatSharesSessionsThoughWeAreToldThatItDoesNot(String provider) {
    assumeTrue(PgBouncer.isAvailable());
    try (PgBouncer pooler = PgBouncer.launch(scene.server, "transaction", 1)) {
      says(
          thrown(provider, scene.settings("url", pooler.url(), "pooler", "session")),
          "pool_mode must be session");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aPoolerOfSessionsIfWeAreTold(String provider) throws InterruptedException {
    assumeTrue(PgBouncer.isAvailable());
    try (PgBouncer pooler = PgBouncer.launch(scene.server, "session", 5);
        LockClient behind = scene.client(provider, "url", pooler.url(), "pooler", "session");
        LockClient direct = scene.client(provider);
        Lease lease = behind.lock("pooled").acquire()) {
      assertTrue(direct.lock("pooled").tryAcquire().isEmpty());
      assertTrue(lease.isValid());
    }
  }
}
