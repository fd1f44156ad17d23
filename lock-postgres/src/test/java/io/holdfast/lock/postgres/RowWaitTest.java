/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static io.holdfast.lock.postgres.PostgresHarness.NO_POLLS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.Share;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.postgres.row.RowBackend;
import io.holdfast.lock.postgres.schema.AdvisoryKey;
import io.holdfast.lock.postgres.schema.Schema;
import io.holdfast.lock.postgres.session.NotificationListener;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Tests that a waiter for a row, and no other client, is told of its release. */
class RowWaitTest extends TableClaimsTestBase {

  private Connection listening;

  @BeforeEach
  void listen() throws SQLException {
    listening = scene.connect();
    PostgresHarness.ask(
        listening,
        "LISTEN " + NotificationListener.channel("row", Schema.named(Schema.DEFAULT), "lock"));
  }

  private int heard() throws SQLException {
    PostgresHarness.ask(listening, "SELECT 1");
    PGNotification[] heard = listening.unwrap(PGConnection.class).getNotifications();
    return heard == null ? 0 : heard.length;
  }

  private LockClient client() {
    return scene.client(RowLockProvider.NAME, "session-timeout", "120s");
  }

  /** The processes whose sessions have marked that they wait. */
  private List<String> marks() {
    return scene.server.ask(
        "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2");
  }

  private CompletableFuture<Lease> waiting(LockClient client) {
    CompletableFuture<Lease> waiting = client.lock("a", NO_POLLS).acquireAsync();
    PostgresHarness.await("a mark", () -> marks().size() == 1);
    return waiting;
  }

  @Test
  void nobodyIsToldIfNobodyWaits() throws Exception {
    LockClient client = client();
    client.lock("a").acquire().release();
    client.lock("a").acquire().close();
    Lease held = client.lock("a").acquire();
    assertTrue(client().lock("a").tryAcquire().isEmpty());
    held.release();
    assertEquals(0, heard());
    assertEquals(List.of(), marks());
  }

  @Test
  void aWaiterIsToldOfWhatIsUndone() throws Exception {
    Lease held = client().lock("a").acquire();
    CompletableFuture<Lease> waiting = waiting(client());
    held.close();
    assertTrue(PostgresHarness.get(waiting).isValid());
    assertEquals(1, heard());
  }

  @Test
  void aWaiterThatHasTheLockIsNotToldAnyMore() throws Exception {
    Lease held = client().lock("a").acquire();
    CompletableFuture<Lease> waiting = waiting(client());
    held.release();
    Lease next = PostgresHarness.get(waiting);
    assertEquals(1, heard());
    PostgresHarness.await("the end of its mark", () -> marks().isEmpty());
    next.release();
    assertEquals(0, heard());
  }

  /** It asks when it is told, and otherwise as seldom as its client would have it. */
  @Test
  void aWaiterIsNotToldWhenToAskAgain() {
    LockBackend<?> backend = backend();
    assertTrue(isGranted(claim(backend, "a", Share.LOCK)));
    assertEquals(
        new Attempt.Contended(Optional.empty()), get(claim(backend, "a", Share.LOCK).attempt()));
  }

  /** The row's holder has looked whether anybody waits, and tells nobody when it frees the row. */
  @Test
  void whoCannotLeaveItsMarkAsksAgainAtOnce() throws SQLException {
    LockBackend<?> backend = backend();
    assertTrue(isGranted(claim(backend, "a", Share.LOCK)));
    AdvisoryKey key = AdvisoryKey.of("row", "lock", "a");
    PostgresHarness.ask(
        listening, "SELECT pg_advisory_lock(%d, %d)".formatted(key.high(), key.low()));
    Attempt.Contended told =
        assertInstanceOf(Attempt.Contended.class, get(claim(backend, "a", Share.LOCK).attempt()));
    Duration again = told.askAgainIn().orElseThrow();
    assertTrue(again.compareTo(Duration.ofSeconds(1)) < 0, again::toString);
  }

  @Test
  void aWaiterThatGivesUpLeavesNoMark() throws Exception {
    Lease held = client().lock("a").acquire();
    waiting(client()).cancel(false);
    PostgresHarness.await("the end of its mark", () -> marks().isEmpty());
    held.release();
    assertEquals(0, heard());
  }

  @Test
  void marksAreMadeAnewInTheNextSession() throws Exception {
    Lease held = client().lock("a").acquire();
    CompletableFuture<Lease> waiting = waiting(client());
    List<String> before = marks();
    scene.server.ask("SELECT pg_terminate_backend(" + before.get(0) + ")");
    PostgresHarness.await(
        "a mark in the next session", () -> marks().size() == 1 && !marks().equals(before));
    held.release();
    assertTrue(PostgresHarness.get(waiting).isValid());
  }

  @Test
  void aReleaseBeforeTheMarkIsNotMissed() {
    StatementHooks hooks = new StatementHooks(scene.server.url());
    Settings settings =
        new Settings(
            RowLockProvider.NAME, Map.of("command-timeout", "20s", "session-timeout", "120s"));
    LockBackend<?> hooked =
        scene.closing(
            RowBackend.open(
                PostgresConfig.of(settings, hooks, RowBackend.COMMAND_TIMEOUT), hooks, 3));
    LockClaim other = claim(hooked, "other", Share.LOCK);
    assertTrue(isGranted(other));
    LockClaim held = claim(backend(), "a", Share.LOCK);
    assertTrue(isGranted(held));
    // Marks are made where leases are renewed, so not before this is over.
    CountDownLatch released = new CountDownLatch(1);
    hooks.afterNext("SELECT w.place\nFROM", () -> await(released));
    CompletableFuture<Void> renewal =
        CompletableFuture.runAsync(() -> renewed(hooked, List.of(other)));
    LockClaim late = claim(hooked, "a", Share.LOCK);
    PostgresHarness.await("the renewal", hooks::haveRun);
    CompletionStage<Attempt> attempt = late.attempt();
    PostgresHarness.await(
        "a refusal", () -> PostgresHarness.threadsIn("holdfast-postgres-attempt", "mark") == 1);
    assertEquals(ReleaseAnswer.FREED, get(held.release()));
    released.countDown();
    assertInstanceOf(Attempt.Granted.class, get(attempt));
    renewal.join();
    assertEquals(ReleaseAnswer.FREED, get(late.release()));
    assertEquals(ReleaseAnswer.FREED, get(other.release()));
  }

  private static void await(CountDownLatch latch) throws SQLException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new SQLException(e);
    }
  }

  @Override
  LockBackend<?> backend(String... more) {
    return scene.closing(
        new RowLockProvider().open(new Settings(RowLockProvider.NAME, patient(more))));
  }
}
