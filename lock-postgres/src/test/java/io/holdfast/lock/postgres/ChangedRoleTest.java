/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.ReleaseOutcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sessions that take another role than the one that logs in: the server may then hide from them
 * when sessions of theirs began, and with that whether one of them is gone.
 */
class ChangedRoleTest {

  private static final LockOptions TERMS = LockOptions.defaults().withTtl(Duration.ofSeconds(20));

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aRoleThatDoesNotSeeOrEndItsSessionsIsRefused(String provider) throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      changeRole(scene, provider);
      says(refused(scene, provider));
      scene.server.ask("GRANT pg_read_all_stats TO \"the owner\"");
      says(refused(scene, provider));
      scene.server.ask("GRANT pg_signal_backend TO \"the owner\"");
      LockClient client = client(scene, provider);
      Lease lease = client.lock("kept", TERMS).acquire();
      assertEquals(ReleaseOutcome.RELEASED, lease.release(), "the role can do what it was granted");
    }
  }

  @Test
  void aRowWhoseTransactionIsNotShownIsRefused() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      scene.client(RowLockProvider.NAME).close();
      PostgresGrants.toNewRole(scene, RowLockProvider.NAME, "app");
      scene.server.ask("ALTER ROLE app SET track_activities = off");
      LockClient client = client(scene, RowLockProvider.NAME);
      LockRejectedException told =
          assertThrows(LockRejectedException.class, () -> client.lock("hidden", TERMS).acquire());
      assertTrue(String.valueOf(told.getMessage()).contains("track_activities"), told::toString);
    }
  }

  /** As with a vault that makes a login for each application, and one role that owns all. */
  private static void changeRole(PostgresHarness scene, String provider) {
    scene.client(provider).close();
    PostgresGrants.toNewRole(scene, provider, "\"the owner\"");
    scene.server.ask("CREATE ROLE app LOGIN IN ROLE \"the owner\"");
    scene.server.ask("ALTER ROLE app SET role = 'the owner'");
  }

  private static LockRejectedException refused(PostgresHarness scene, String provider) {
    return assertThrows(LockRejectedException.class, () -> client(scene, provider).close());
  }

  private static void says(LockRejectedException told) {
    assertTrue(
        String.valueOf(told.getMessage())
            .contains("GRANT pg_read_all_stats, pg_signal_backend TO \"the owner\""),
        told::toString);
  }

  private static LockClient client(PostgresHarness scene, String provider) {
    return scene.client(provider, "username", "app", "create-schema", "false");
  }
}
