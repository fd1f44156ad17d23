/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockHolder;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.LockInspection;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.RenewalAnswer;
import java.sql.Connection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A session that listens and does not read fills the server's queue of notifications: locks are
 * given back all the same, and waiters find out by themselves.
 */
class FullNotifyQueueTest extends TableClaimsTestBase {

  /**
   * As if the queue was full, of which the server tells at the commit. A real one takes 8 GB;
   * PostgreSQL 15 then answers as this does.
   */
  private void fill() {
    for (String sql :
        List.of(
            "CREATE TABLE public.notified (payload text)",
            "CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " RAISE EXCEPTION 'too many notifications in the NOTIFY queue'"
                + " USING ERRCODE = '54000'; END $$",
            "CREATE CONSTRAINT TRIGGER full_queue AFTER INSERT ON public.notified"
                + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refuse()",
            "ALTER FUNCTION pg_catalog.pg_notify(text, text) RENAME TO pg_notify_before",
            "CREATE FUNCTION pg_catalog.pg_notify(text, text) RETURNS void"
                + " LANGUAGE sql AS 'INSERT INTO public.notified VALUES ($2)'",
            "ALTER FUNCTION pg_catalog.pg_notification_queue_usage() RENAME TO usage_before",
            "CREATE FUNCTION pg_catalog.pg_notification_queue_usage()"
                + " RETURNS double precision LANGUAGE sql VOLATILE AS 'SELECT 0.9::float8'")) {
      scene.server.ask(sql);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aReleaseFreesTheLock(String provider) throws Exception {
    LockClient client = scene.client(provider);
    Lease held = client.lock("n").acquire();
    CompletableFuture<Lease> waiting = scene.client(provider).lock("n").acquireAsync();
    PostgresHarness.await("the waiter", () -> isWaitedFor(provider));
    fill();
    assertEquals(ReleaseOutcome.RELEASED, held.release());
    assertEquals(ReleaseOutcome.RELEASED, PostgresHarness.get(waiting).release());
  }

  /** Whether a release would notify. */
  private boolean isWaitedFor(String provider) {
    return switch (provider) {
      case "postgres-advisory", "postgres-row" ->
          !scene
              .server
              .ask("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2")
              .isEmpty();
      default ->
          !scene
              .server
              .ask("SELECT 1 FROM holdfast.table_lock WHERE wanted_until > now()")
              .isEmpty();
    };
  }

  @Test
  void aReleaseCommitsWhatWasWritten() throws Exception {
    scene.server.ask("CREATE TABLE work (what text)");
    Lease held = scene.client(RowLockProvider.NAME).lock("n").acquire();
    PostgresHarness.ask(
        held.unwrap(Connection.class).orElseThrow(), "INSERT INTO work VALUES ('kept')");
    scene.client(RowLockProvider.NAME).lock("n").acquireAsync();
    PostgresHarness.await("the waiter", () -> isWaitedFor(RowLockProvider.NAME));
    fill();
    assertEquals(ReleaseOutcome.RELEASED, held.release());
    assertEquals(List.of("kept"), scene.server.ask("SELECT what FROM work"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void anEvictionTakesTheLock(String provider) throws Exception {
    Lease held = scene.client(provider).lock("n").acquire();
    LockClient operator = scene.client(provider);
    LockHolder holder = operator.inspector().holder("n").orElseThrow();
    fill();
    assertTrue(PostgresHarness.evict(operator, holder));
    Lease next = operator.lock("n").tryAcquire().orElseThrow();
    assertTrue(next.fencingToken() > held.fencingToken());
  }

  @Test
  void sharesAreGivenBack() {
    LockBackend<?> backend = backend();
    LockInspection inspection = backend.inspection().orElseThrow();
    LockClaim downgraded = holding(backend, Share.of(3, 5));
    LockClaim released = holding(backend, Share.of(1, 5));
    LockClaim evicted = holding(backend, Share.of(1, 5));
    assertFalse(isGranted(claim(backend, "s", Share.of(5, 5))));
    LockHolder holder = get(inspection.holders("s")).get(2);
    fill();
    assertEquals(ReleaseAnswer.FREED, get(downgraded.reduceTo(1)));
    // As after a fail-over to a standby that had not heard of it.
    scene.server.ask("UPDATE holdfast.table_share SET permits = 3 WHERE permits < 5 AND token > 0");
    assertInstanceOf(RenewalAnswer.Extended.class, renewed(backend, downgraded));
    assertEquals(ReleaseAnswer.FREED, get(released.release()));
    assertTrue(get(inspection.evict(holder)));
    assertInstanceOf(RenewalAnswer.Lost.class, renewed(backend, evicted));
    assertTrue(get(inspection.changeCapacity("s", 5, 6)));
  }

  private LockClaim holding(LockBackend<?> backend, Share share) {
    LockClaim claim = claim(backend, "s", share);
    assertTrue(isGranted(claim));
    return claim;
  }
}
