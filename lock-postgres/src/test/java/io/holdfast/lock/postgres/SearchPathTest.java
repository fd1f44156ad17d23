/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nothing of what another role has made in a schema of the search path is ever run by a lock
 * client. Here that schema has a function and an operator of each name and signature that the
 * server has, and comes first; each raises an error.
 */
class SearchPathTest {

  private static final LockOptions TERMS = LockOptions.defaults().withTtl(Duration.ofSeconds(20));

  /** Those that cannot be made again, such as ones of pseudo-types, are left out. */
  private static final String TRAPS =
      """
      DO $make$
      DECLARE one record;
      BEGIN
        FOR one IN
          SELECT p.proname AS name, pg_get_function_identity_arguments(p.oid) AS arguments,
            p.prorettype::regtype::text AS answer, p.proretset AS many
          FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind IN ('f', 'a')
        LOOP
          BEGIN
            EXECUTE format(
              'CREATE FUNCTION public.%I(%s) RETURNS %s %s LANGUAGE plpgsql AS %L', one.name, one.arguments,
              CASE WHEN one.many THEN 'SETOF' ELSE '' END, one.answer,
              format('BEGIN RAISE EXCEPTION %L; END', 'trapped by ' || one.name));
          EXCEPTION WHEN OTHERS THEN NULL;
          END;
        END LOOP;
        FOR one IN
          SELECT o.oprname AS name, o.oprleft::regtype::text AS l, o.oprright::regtype::text AS r,
            p.proname AS code
          FROM pg_operator o JOIN pg_proc p ON p.oid = o.oprcode WHERE o.oprleft <> 0
        LOOP
          BEGIN
            EXECUTE format('CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.%I)',
              one.name, one.l, one.r, one.code);
          EXCEPTION WHEN OTHERS THEN NULL;
          END;
        END LOOP;
      END $make$""";

  private static PostgresHarness scene;

  @BeforeAll
  static void open() throws Exception {
    scene = new PostgresHarness();
    scene.client(TableLockProvider.NAME).close();
    for (String provider : new String[] {"postgres-advisory", "postgres-table", "postgres-row"}) {
      PostgresGrants.toNewRole(scene, provider, role(provider));
    }
    scene.server.ask(TRAPS);
    scene.server.ask(
        "CREATE FUNCTION public.count_one(bigint, text) RETURNS bigint LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE EXCEPTION 'trapped by count'; END $$");
    scene.server.ask(
        "CREATE AGGREGATE public.count(text) (SFUNC = public.count_one, STYPE = bigint, INITCOND = 0)");
    scene.server.ask(
        "CREATE AGGREGATE public.count(bigint) (SFUNC = public.int8pl, STYPE = bigint, INITCOND = 0)");
    // For a literal, whose type is not known, a text is preferred to what the server has.
    scene.server.ask(
        "CREATE FUNCTION public.nextval(text) RETURNS bigint LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE EXCEPTION 'trapped by nextval'; END $$");
    scene.server.ask("CREATE DOMAIN public.text AS varchar CHECK (public.random() IS NULL)");
    for (String provider : new String[] {"postgres-advisory", "postgres-table", "postgres-row"}) {
      scene.server.ask("ALTER ROLE " + role(provider) + " SET search_path = public, pg_catalog");
    }
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  private static String role(String provider) {
    return provider.replace('-', '_');
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aClientRunsNothingOfIt(String provider) throws Exception {
    try (LockClient client = own(provider);
        LockClient other = own(provider)) {
      useAll(client, other);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aClientOnConnectionsThatAreLentRunsNothingOfIt(String provider) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(scene.server.url());
    config.setUsername(role(provider));
    config.setMaximumPoolSize(8);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      try (LockClient client = lent(provider, pool);
          LockClient other = lent(provider, pool)) {
        useAll(client, other);
      }
      try (Connection back = pool.getConnection()) {
        assertEquals("public, pg_catalog", PostgresHarness.ask(back, "SHOW search_path").get(0));
      }
    }
  }

  @Test
  void aLockOfATransactionRunsNothingOfIt() throws Exception {
    String role = role(AdvisoryLockProvider.NAME);
    // As after a crash.
    scene.server.ask("TRUNCATE holdfast.since_crash");
    try (Connection one = DriverManager.getConnection(scene.server.url(), role, "");
        Connection other = DriverManager.getConnection(scene.server.url(), role, "")) {
      one.setAutoCommit(false);
      other.setAutoCommit(false);
      one.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
      TransactionLocks.create().lock(one, "in-transaction");
      assertTrue(TransactionLocks.create().tryLock(other, "in-transaction").isEmpty());
      one.commit();
      assertTrue(TransactionLocks.create().tryLock(other, "in-transaction").isPresent());
      other.commit();
    }
  }

  private static LockClient own(String provider) {
    return scene.client(provider, "username", role(provider), "create-schema", "false");
  }

  private static LockClient lent(String provider, HikariDataSource pool) {
    boolean isRow = provider.equals(RowLockProvider.NAME);
    return PostgresHarness.lent(
        provider, pool, isRow ? Map.of("pool-size", "2") : PostgresHarness.PATIENT);
  }

  private static void useAll(LockClient client, LockClient other) throws Exception {
    Lease held = client.lock("used", TERMS).acquire();
    CompletableFuture<Lease> waiting = other.lock("used", TERMS).acquireAsync();
    assertTrue(client.inspector().holder("used").isPresent());
    assertEquals(1, client.inspector().held(10).size());
    assertTrue(client.examine(Duration.ofSeconds(20)).size() > 0);
    held.release();
    PostgresHarness.get(waiting).release();
    if (client.capabilities().sharing() != Capabilities.Sharing.NONE) {
      client.readWriteLock("read", TERMS).readLock().acquire().release();
      client.readWriteLock("read", TERMS).writeLock().acquire().release();
    }
    if (client.capabilities().sharing().hasSemaphores()) {
      client.semaphore("counted", 3, TERMS).permits(2).acquire().release();
    }
  }
}
