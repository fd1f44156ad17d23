/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockHolder;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An administrator's transaction stays open, in which it has changed the rows of many names. */
class TableManyLockedRowsTest extends TableClaimsTestBase {

  /** One after another, they would be waited for until long after the test's patience has ended. */
  private static final int LOCKED = 9;

  private static final Share SHARE = Share.of(2, 5);

  private static final String WAITING =
      "SELECT pid FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted";

  @ParameterizedTest
  @ValueSource(strings = {"reduce", "evict", "resize"})
  void theyAreLeftOutTogether(String kind) throws Exception {
    LockBackend<?> backend = backend("command-timeout", "4s");
    List<Runnable> requests = new ArrayList<>();
    for (int i = 0; i < LOCKED; i++) {
      requests.add(request(backend, kind, "locked-" + i));
    }
    requests.add(request(backend, kind, "other"));
    List<String> before = other();
    Connection administrator = scene.connect();
    administrator.setAutoCommit(false);
    PostgresHarness.ask(
        administrator, "UPDATE holdfast.table_lock SET token = token WHERE name <> 'other'");
    requests.forEach(Runnable::run);
    PostgresHarness.await("the request for the other", () -> !other().equals(before));
  }

  @Test
  void oneThatWasFoundBeforeIsNotWaitedForAgain() throws Exception {
    LockBackend<?> backend = backend("command-timeout", "4s");
    List<LockClaim> claims =
        List.of(claim(backend, "first", SHARE), claim(backend, "second", SHARE));
    claims.forEach(claim -> assertTrue(isGranted(claim)));
    Connection administrator = scene.connect();
    administrator.setAutoCommit(false);
    PostgresHarness.ask(administrator, "UPDATE holdfast.table_lock SET token = token");
    for (LockClaim claim : claims) {
      PostgresHarness.await("its row to be left out", () -> isLeftOut(claim));
    }
    CompletableFuture<Boolean> again =
        CompletableFuture.supplyAsync(() -> isLeftOut(claims.get(0)));
    while (!again.isDone()) {
      assertEquals(List.of(), scene.server.ask(WAITING));
    }
    assertTrue(again.join());
  }

  private static boolean isLeftOut(LockClaim claim) {
    try {
      get(claim.reduceTo(1));
      return false;
    } catch (CompletionException e) {
      return String.valueOf(e.getCause()).contains("keeps its row of table_lock locked");
    }
  }

  private Runnable request(LockBackend<?> backend, String kind, String name) {
    LockClaim claim = claim(backend, name, SHARE);
    assertTrue(isGranted(claim));
    LockInspection inspection = backend.inspection().orElseThrow();
    LockHolder holder = get(inspection.holder(name)).orElseThrow();
    return switch (kind) {
      case "reduce" -> () -> claim.reduceTo(1);
      case "evict" -> () -> inspection.evict(holder);
      default -> () -> inspection.changeCapacity(name, 5, 6);
    };
  }

  /** What the server has of it. */
  private List<String> other() {
    return scene.server.ask(
        "SELECT concat(l.owner, ' ', s.permits) FROM holdfast.table_lock l"
            + " LEFT JOIN holdfast.table_share s USING (namespace, name) WHERE l.name = 'other'");
  }
}
