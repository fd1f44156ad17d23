/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockException;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.LockOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The privileges that docs/security.md lists are enough, and a role has no others here. */
class PostgresPrivilegesTest {

  private static final Path PAGE = Path.of("../docs/security.md");
  private static final LockOptions TERMS = LockOptions.defaults().withTtl(Duration.ofSeconds(20));

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void whatIsListedIsEnough(String provider) throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      scene.client(provider).close();
      grant(scene, provider, "app");
      LockClient client = of(scene, provider, "app");
      LockClient other = of(scene, provider, "app");
      Lease held = client.lock("listed", TERMS).acquire();
      CompletableFuture<Lease> waiting = other.lock("listed", TERMS).acquireAsync();
      assertTrue(client.inspector().holder("listed").isPresent());
      assertEquals(1, client.inspector().held(10).size());
      assertTrue(client.examine(Duration.ofSeconds(20)).size() > 0);
      held.release();
      waiting.get(20, TimeUnit.SECONDS).release();
      // So many that the client looks for old rows, too.
      for (int i = 0; i < 300; i++) {
        client.lock("listed-" + i, TERMS).acquire().release();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-row"})
  void toEvictFromAnotherRoleItTakesOneMore(String provider) throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      scene.client(provider).close();
      grant(scene, provider, "app");
      grant(scene, provider, "ops");
      Lease held = of(scene, provider, "app").lock("evicted", TERMS).acquire();
      LockClient operator = of(scene, provider, "ops");
      assertThrows(LockException.class, () -> evict(operator));
      assertTrue(held.isValid());
      scene.server.ask("GRANT pg_signal_backend, pg_read_all_stats TO ops");
      assertTrue(evict(operator));
      assertTrue(held.loss().get(20, TimeUnit.SECONDS) != null);
    }
  }

  private static boolean evict(LockClient operator) {
    LockHolder holder = operator.inspector().holder("evicted").orElseThrow();
    if (!operator.inspector().evict(holder)) {
      throw new io.holdfast.lock.LockRejectedException("not evicted");
    }
    return true;
  }

  private static LockClient of(PostgresHarness scene, String provider, String role) {
    return scene.client(provider, "username", role, "create-schema", "false");
  }

  /** Those of the page, behind a comment that names the provider. */
  private static void grant(PostgresHarness scene, String provider, String role) throws Exception {
    scene.server.ask("CREATE ROLE " + role + " LOGIN");
    Matcher listed =
        Pattern.compile("-- " + provider + "\n((?:GRANT .*\n)+)").matcher(Files.readString(PAGE));
    assertTrue(listed.find(), "no list of " + provider);
    for (String line : List.of(listed.group(1).split("\n", -1))) {
      if (!line.isBlank()) {
        scene.server.ask(line.replace(" app;", " " + role));
      }
    }
  }
}
