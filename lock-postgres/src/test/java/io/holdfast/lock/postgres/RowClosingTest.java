/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.Share;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The backend of row locks is closed while attempts and releases are under way. */
class RowClosingTest {

  private final PostgresHarness scene = new PostgresHarness().withSchema();
  private LockBackend<?> backend;
  private Connection administrator;

  @BeforeEach
  void open() throws SQLException {
    backend =
        new RowLockProvider()
            .open(
                new Settings(
                    RowLockProvider.NAME,
                    scene.settings(
                        "pool-size", "1", "command-timeout", "12s", "session-timeout", "60s")));
    administrator = scene.connect();
    administrator.setAutoCommit(false);
  }

  @AfterEach
  void close() {
    backend.close();
    scene.close();
  }

  private LockClaim claim(String name) {
    return backend.claim(
        new ClaimRequest(name, "owner of " + name, Duration.ofMinutes(1), Share.LOCK),
        TableClaimsTestBase.DEAF);
  }

  private static <T> T get(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  void anAttemptThatHasNotBegunHoldsUpNoRelease() throws SQLException {
    PostgresHarness.ask(administrator, "LOCK TABLE holdfast.row_lock");
    claim("first").attempt();
    scene.awaitWaiter("locktype = 'relation'");
    LockClaim queued = claim("queued");
    CompletionStage<Attempt> attempt = queued.attempt();
    CompletionStage<ReleaseAnswer> release = queued.release();
    backend.close();
    assertEquals(ReleaseAnswer.NOT_OURS, get(release));
    isRefused(attempt);
    LockClaim late = claim("late");
    isRefused(late.attempt());
    assertEquals(ReleaseAnswer.NOT_OURS, get(late.release()));
  }

  private static void isRefused(CompletionStage<Attempt> attempt) {
    CompletionException failure = assertThrows(CompletionException.class, () -> get(attempt));
    assertInstanceOf(LockUnavailableException.class, failure.getCause());
    String told = String.valueOf(failure.getCause().getMessage());
    assertTrue(told.endsWith("the lock client is closed"), told);
  }

  @Test
  void anInterruptDoesNotEndARelease() throws Exception {
    scene.server.ask("CREATE TABLE work (id int)");
    scene.server.ask(
        "CREATE FUNCTION waits() RETURNS trigger LANGUAGE plpgsql"
            + " AS 'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END'");
    scene.server.ask(
        "CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON work"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION waits()");
    PostgresHarness.ask(administrator, "SELECT pg_advisory_xact_lock(7)");
    LockClaim claim = claim("held");
    assertInstanceOf(Attempt.Granted.class, get(claim.attempt()));
    PostgresHarness.ask(
        claim.unwrap(Connection.class).orElseThrow(), "INSERT INTO work VALUES (1)");
    CompletionStage<ReleaseAnswer> release = claim.release();
    scene.awaitWaiter("locktype = 'advisory'");
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread closing =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              backend.close();
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    closing.start();
    PostgresHarness.await("an end or a wait", () -> !closing.isAlive() || isWaiting(closing));
    assertTrue(closing.isAlive(), "waits for the release");
    administrator.rollback();
    assertEquals(ReleaseAnswer.FREED, get(release));
    closing.join();
    assertTrue(interrupted.get());
    assertEquals(List.of("1"), scene.server.ask("SELECT id FROM work"));
  }

  /** For what the backend has under way, and not what its pool has. */
  private static boolean isWaiting(Thread thread) {
    // In this order: an interrupted thread goes on from there, and may wait elsewhere.
    return thread.getState() == Thread.State.TIMED_WAITING
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals("awaitEndings"));
  }
}
