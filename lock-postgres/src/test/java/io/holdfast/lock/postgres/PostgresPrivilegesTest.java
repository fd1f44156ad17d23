/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Capabilities;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The privileges that docs/security.md lists are enough, all are needed, and a role has no others
 * here.
 */
class PostgresPrivilegesTest {

  private static final LockOptions TERMS = LockOptions.defaults().withTtl(Duration.ofSeconds(20));

  /** With these the server keeps a log that it can be asked for. */
  private static final String[] LOG = {
    "logging_collector=on", "log_directory=log", "log_filename=all"
  };

  private static final Pattern LISTED =
      Pattern.compile("(?m)^--   (postgres-\\w+):\n((?:--     GRANT .*\n)+)");

  @Test
  void theFileListsWhatThePageLists() throws Exception {
    String file;
    try (InputStream in = TableLockProvider.class.getResourceAsStream("holdfast.sql")) {
      file = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    List<String> providers = new ArrayList<>();
    LISTED
        .matcher(file)
        .results()
        .forEach(
            list -> {
              providers.add(list.group(1));
              assertEquals(
                  PostgresGrants.lines(list.group(1)),
                  list.group(2).lines().map(line -> line.replace("--     ", "")).toList());
            });
    assertEquals(List.of("postgres-advisory", "postgres-table", "postgres-row"), providers);
    assertEquals(
        List.of("--   GRANT CREATE ON DATABASE postgres TO app;"),
        LISTED
            .matcher(file)
            .replaceAll("")
            .lines()
            .filter(line -> line.contains("GRANT"))
            .toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void theListedPrivilegesAreEnough(String provider) throws Exception {
    try (PostgresHarness scene = new PostgresHarness(LOG)) {
      scene.client(provider).close();
      PostgresGrants.toNewRole(scene, provider, "app");
      LockClient client = of(scene, provider, "app");
      LockClient other = of(scene, provider, "app");
      Lease held = client.lock("listed", TERMS).acquire();
      CompletableFuture<Lease> waiting = other.lock("listed", TERMS).acquireAsync();
      assertTrue(client.inspector().holder("listed").isPresent());
      assertEquals(1, client.inspector().held(10).size());
      assertTrue(client.examine(Duration.ofSeconds(20)).size() > 0);
      held.release();
      PostgresHarness.get(waiting).release();
      useAll(client);
      // So many that the client looks for old rows, too.
      for (int i = 0; i < 300; i++) {
        client.lock("listed-" + i, TERMS).acquire().release();
      }
      assertFalse(log(scene).contains("permission denied"), log(scene));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void eachIsNeeded(String provider) throws Exception {
    try (PostgresHarness scene = new PostgresHarness(LOG)) {
      scene.client(provider).close();
      PostgresGrants.toNewRole(scene, provider, "app");
      for (PostgresGrants one : PostgresGrants.of(provider)) {
        one.takeFrom(scene, "app");
        // As after a crash.
        scene.server.ask("TRUNCATE holdfast.since_crash");
        int before = denials(scene, one);
        try (LockClient client = of(scene, provider, "app")) {
          useAll(client);
          // For something that nobody waits for, the server only tells its log: old rows that stay.
          assertEquals("DELETE", one.privilege(), () -> "nobody was refused without " + one);
          PostgresHarness.await("a denial without " + one, () -> denials(scene, one) > before);
        } catch (LockRejectedException told) {
          assertTrue(String.valueOf(told.getMessage()).contains(one.denial()), told::toString);
          assertTrue(String.valueOf(told.getMessage()).contains("holdfast.sql"), told::toString);
        }
        one.giveTo(scene, "app");
      }
      useAll(of(scene, provider, "app"));
    }
  }

  @Test
  void itsOwnRoleMayEvictFromATable() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      scene.client(TableLockProvider.NAME).close();
      PostgresGrants.toNewRole(scene, TableLockProvider.NAME, "app");
      Lease held = of(scene, TableLockProvider.NAME, "app").lock("evicted", TERMS).acquire();
      assertTrue(evict(of(scene, TableLockProvider.NAME, "app")));
      assertTrue(PostgresHarness.get(held.loss()) != null);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-row"})
  void toEvictFromAnotherRoleItTakesOneMore(String provider) throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      scene.client(provider).close();
      PostgresGrants.toNewRole(scene, provider, "app");
      PostgresGrants.toNewRole(scene, provider, "ops");
      Lease held = of(scene, provider, "app").lock("evicted", TERMS).acquire();
      LockClient operator = of(scene, provider, "ops");
      assertThrows(LockException.class, () -> evict(operator));
      assertTrue(held.isValid());
      scene.server.ask("GRANT pg_signal_backend, pg_read_all_stats TO ops");
      assertTrue(evict(operator));
      assertTrue(PostgresHarness.get(held.loss()) != null);
    }
  }

  /** Those of postgres-advisory are enough, but of names it only reads. */
  @Test
  void locksOfTransactionsNeedLess() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      scene.client(AdvisoryLockProvider.NAME).close();
      PostgresGrants.toNewRole(scene, AdvisoryLockProvider.NAME, "app");
      List<PostgresGrants> listed = PostgresGrants.of(AdvisoryLockProvider.NAME);
      List<PostgresGrants> spare =
          listed.stream()
              .filter(one -> one.object().endsWith("advisory_name"))
              .filter(one -> !one.privilege().equals("SELECT"))
              .toList();
      assertEquals(3, spare.size());
      lockInTransactions(scene);
      spare.forEach(one -> one.takeFrom(scene, "app"));
      lockInTransactions(scene);
      for (PostgresGrants one : listed) {
        if (!spare.contains(one)) {
          one.takeFrom(scene, "app");
          LockRejectedException told =
              assertThrows(
                  LockRejectedException.class, () -> lockInTransactions(scene), one::toString);
          assertTrue(String.valueOf(told.getMessage()).contains(one.denial()), told::toString);
          one.giveTo(scene, "app");
        }
      }
    }
  }

  private static void lockInTransactions(PostgresHarness scene) throws Exception {
    scene.server.ask("TRUNCATE holdfast.since_crash");
    try (Connection one = DriverManager.getConnection(scene.server.url(), "app", "");
        Connection other = DriverManager.getConnection(scene.server.url(), "app", "")) {
      one.setAutoCommit(false);
      other.setAutoCommit(false);
      long token = TransactionLocks.create().lock(one, "in-transaction");
      assertTrue(TransactionLocks.create().tryLock(other, "in-transaction").isEmpty());
      one.commit();
      assertTrue(TransactionLocks.create().tryLock(other, "in-transaction").orElseThrow() > token);
      other.commit();
    }
  }

  /** Every kind of lock that there is. */
  private static void useAll(LockClient client) throws InterruptedException {
    client.lock("used", TERMS).acquire().release();
    if (client.capabilities().sharing() != Capabilities.Sharing.NONE) {
      client.readWriteLock("read", TERMS).readLock().acquire().release();
      client.readWriteLock("read", TERMS).writeLock().acquire().release();
    }
    if (client.capabilities().sharing().hasSemaphores()) {
      client.semaphore("counted", 3, TERMS).permits(2).acquire().release();
    }
  }

  private static boolean evict(LockClient operator) {
    LockHolder holder = operator.inspector().holder("evicted").orElseThrow();
    if (!PostgresHarness.evict(operator, holder)) {
      throw new LockRejectedException("not evicted");
    }
    return true;
  }

  private static LockClient of(PostgresHarness scene, String provider, String role) {
    return scene.client(
        provider, "username", role, "create-schema", "false", "command-timeout", "20s");
  }

  private static int denials(PostgresHarness scene, PostgresGrants one) {
    return log(scene).split(Pattern.quote(one.denial()), -1).length - 1;
  }

  /** The whole log of the server. */
  private static String log(PostgresHarness scene) {
    String now = "seen at " + System.nanoTime();
    scene.server.ask("DO $$ BEGIN RAISE LOG '" + now + "'; END $$");
    PostgresHarness.await("its log", () -> read(scene).contains(now));
    return read(scene);
  }

  private static String read(PostgresHarness scene) {
    return String.join("\n", scene.server.ask("SELECT pg_read_file('log/all')"));
  }
}
