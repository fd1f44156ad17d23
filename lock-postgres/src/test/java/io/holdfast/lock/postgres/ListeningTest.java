/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockEvent;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.Retry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The session that listens for releases ends while somebody waits. */
class ListeningTest {

  /** So that no poll finds the lock free in time. */
  private static final LockOptions NO_POLLS =
      LockOptions.defaults()
          .withTtl(Duration.ofMinutes(2))
          .withRetry(
              Retry.defaults()
                  .withPauses(Duration.ofMinutes(1), Duration.ofMinutes(1))
                  .withJitter(0));

  /** What was told while nobody listened is not told again. */
  @Test
  void whoWaitsLooksWhenTheListeningSessionHasBeenMadeAnew() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      // So long that its sessions say nothing meanwhile.
      LockClient client = scene.client(TableLockProvider.NAME, "session-timeout", "60s");
      Lease held = scene.client(TableLockProvider.NAME).lock("a", NO_POLLS).acquire();
      CompletableFuture<LockEvent> refused = new CompletableFuture<>();
      client.addListener(
          event -> {
            if (event instanceof LockEvent.Contended) {
              refused.complete(event);
            }
          });
      CompletableFuture<Lease> waiting = client.lock("a", NO_POLLS).acquireAsync();
      refused.get(PostgresHarness.SOON.toSeconds(), TimeUnit.SECONDS);
      // As a release whose message has met nobody.
      scene.server.ask("UPDATE holdfast.table_lock SET owner = NULL WHERE name = 'a'");
      scene.server.ask(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name = 'holdfast' AND query LIKE 'LISTEN %'");
      Lease next = waiting.get(10, TimeUnit.SECONDS);
      assertTrue(next.fencingToken() > held.fencingToken());
    }
  }
}
