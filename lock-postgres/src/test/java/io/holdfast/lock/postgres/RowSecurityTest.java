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
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that with the policies of docs/security.md, two roles share a schema and each has its
 * namespace.
 */
class RowSecurityTest {

  private static final LockOptions TERMS = LockOptions.defaults().withTtl(Duration.ofSeconds(20));

  @ParameterizedTest
  @CsvSource({
    "postgres-advisory, advisory_name",
    "postgres-table, table_lock",
    "postgres-row, row_lock"
  })
  void eachRoleHasTheLocksOfItsNamespace(String provider, String table) throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      scene.client(provider).close();
      for (String role : List.of("app", "shop")) {
        PostgresGrants.toNewRole(scene, provider, role);
        for (String statement : documented()) {
          scene.server.ask(
              statement
                  .replace("app ON", role + " ON")
                  .replace("TO app", "TO " + role)
                  .replace("'app'", "'" + role + "'"));
        }
      }
      LockClient client = of(scene, provider, "app", "app");
      LockClient other = of(scene, provider, "app", "app");
      LockClient shop = of(scene, provider, "shop", "shop");

      Lease held = client.lock("n", TERMS).acquire();
      CompletableFuture<Lease> waiting = other.lock("n", TERMS).acquireAsync();
      shop.lock("n", TERMS).acquire().release();
      held.release();
      Lease next = PostgresHarness.get(waiting);
      assertTrue(next.fencingToken() > held.fencingToken());
      useShares(client, other);

      // The other role neither takes, nor sees, nor deletes what is not of its namespace.
      LockClient intruder = of(scene, provider, "shop", "app");
      assertThrows(LockRejectedException.class, () -> intruder.lock("n", TERMS).tryAcquire());
      assertThrows(LockRejectedException.class, () -> intruder.lock("m", TERMS).tryAcquire());
      assertEquals(List.of(), intruder.inspector().held(10));
      try (Connection direct = DriverManager.getConnection(scene.server.url(), "shop", "")) {
        String tampering = "DELETE FROM holdfast." + table + " WHERE namespace = 'app'";
        assertEquals(0, direct.createStatement().executeUpdate(tampering));
      }
      assertTrue(next.isValid());

      LockHolder holder = client.inspector().holder("n").orElseThrow();
      assertFalse(client.lock("n", TERMS).tryAcquire().isPresent());
      assertTrue(PostgresHarness.evict(client, holder));
      assertTrue(PostgresHarness.get(next.loss()) != null);
    }
  }

  private static void useShares(LockClient client, LockClient other) throws Exception {
    if (client.capabilities().sharing() == Capabilities.Sharing.NONE) {
      return;
    }
    Lease one = client.readWriteLock("read", TERMS).readLock().acquire();
    other.readWriteLock("read", TERMS).readLock().acquire().release();
    assertTrue(other.readWriteLock("read", TERMS).writeLock().tryAcquire().isEmpty());
    one.release();
    client.readWriteLock("read", TERMS).writeLock().acquire().release();
  }

  private static LockClient of(
      PostgresHarness scene, String provider, String role, String namespace) {
    return scene.client(
        provider, "username", role, "namespace", namespace, "create-schema", "false");
  }

  private static List<String> documented() {
    Matcher sql =
        Pattern.compile("```sql\n((?:(?:ALTER TABLE|CREATE POLICY) .*;\n)+)```")
            .matcher(PostgresGrants.page());
    assertTrue(sql.find());
    return sql.group(1).lines().map(line -> line.replace(";", "")).toList();
  }
}
