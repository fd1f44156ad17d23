/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many statements it takes to hand a lock over among clients that all want it. */
class HandOverCommandsTest {

  private static final int CLIENTS = 5;
  private static final int TIMES = 12;

  /**
   * The release, the attempt of the client that it names, and the next one of the client that has
   * released. If all clients that wait asked, there would be seven. The machine may be so busy that
   * some ask since they have heard nothing for a while.
   */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void oneClientAsksAfterARelease(String provider) throws Exception {
    try (PostgresHarness scene =
        new PostgresHarness("shared_preload_libraries=pg_stat_statements").withSchema()) {
      List<LockClient> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(scene.client(provider, "session-timeout", "120s"));
      }
      scene.server.ask("CREATE EXTENSION pg_stat_statements");
      // It is prepared for each client, and the name is told.
      for (LockClient client : clients) {
        client.lock("a").acquire().release();
      }
      scene.server.ask("SELECT pg_stat_statements_reset()");
      takeTurns(clients);
      double statements =
          Double.parseDouble(scene.server.ask("SELECT sum(calls) FROM pg_stat_statements").get(0));
      double each = statements / (CLIENTS * TIMES);
      assertTrue(each < 4, () -> each + " statements for each hand-over");
    }
  }

  private static void takeTurns(List<LockClient> clients) throws Exception {
    var executor = Executors.newFixedThreadPool(clients.size());
    try {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (LockClient client : clients) {
        all.add(CompletableFuture.runAsync(() -> takeTurns(client), executor));
      }
      for (CompletableFuture<Void> one : all) {
        PostgresHarness.get(one);
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private static void takeTurns(LockClient client) {
    for (int i = 0; i < TIMES; i++) {
      try (Lease held = client.lock("a").acquire()) {
        // Long enough for those who wait to have heard of the release before.
        Thread.sleep(10);
        assertTrue(held.isValid());
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
