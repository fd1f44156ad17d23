/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockOptions;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.Renewal;
import io.holdfast.lock.Retry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that starts again at once frees what needs a connection, long before a renewal. */
class RestartTest {

  private static final LockOptions SELDOM_RENEWED =
      LockOptions.defaults()
          .withTtl(Duration.ofMinutes(2))
          .withRenewal(Renewal.every(Duration.ofSeconds(50)))
          .withRetry(Retry.defaults().withPauses(Duration.ofMillis(1), Duration.ofMillis(1)));

  private final PostgresHarness scene = new PostgresHarness();

  @AfterEach
  void close() {
    scene.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {RowLockProvider.NAME, AdvisoryLockProvider.NAME})
  void aHolderAfterARestartHoldsAlone(String provider) throws Exception {
    theNextHoldsAloneAfter(scene.server::stop, scene.server::start, provider);
  }

  /** The others end after the process that was killed, so some are found when asked again. */
  @ParameterizedTest
  @ValueSource(strings = {RowLockProvider.NAME, AdvisoryLockProvider.NAME})
  void aHolderAfterACrashHoldsAlone(String provider) throws Exception {
    theNextHoldsAloneAfter(this::crash, () -> {}, provider);
  }

  /** The next asks when the end is over: a server that ends may serve some that still stand. */
  private void theNextHoldsAloneAfter(Runnable end, Runnable start, String provider)
      throws Exception {
    Lease held = client(provider).lock("a", SELDOM_RENEWED).acquire();
    LockClient next = client(provider);
    end.run();
    CompletableFuture<Boolean> alone =
        next.lock("a", SELDOM_RENEWED).acquireAsync().thenApply(lease -> !held.isValid());
    start.run();
    assertTrue(alone.get(30, TimeUnit.SECONDS), "granted while the last holder was valid");
    assertEquals(LossReason.SESSION_ENDED, PostgresHarness.get(held.loss()).reason());
  }

  private void crash() {
    scene
        .server
        .ask(
            "SELECT pid FROM pg_stat_activity"
                + " WHERE backend_type = 'client backend' AND state = 'idle'")
        .forEach(
            process ->
                ProcessHandle.of(Long.parseLong(process))
                    .ifPresent(ProcessHandle::destroyForcibly));
  }

  /** The look at the connection waits behind the statement, which ends with the connection. */
  @Test
  void aRestartInTheMiddleOfAStatementIsHeardOfAsWell() throws Exception {
    Lease held = client(RowLockProvider.NAME).lock("a", SELDOM_RENEWED).acquire();
    Connection connection = held.unwrap(Connection.class).orElseThrow();
    CompletableFuture<Void> statement =
        CompletableFuture.runAsync(
            () -> {
              try {
                PostgresHarness.ask(connection, "SELECT pg_sleep(60)");
              } catch (SQLException e) {
                throw new CompletionException(e);
              }
            });
    PostgresHarness.await(
        "the statement",
        () ->
            !scene
                .server
                .ask("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
                .isEmpty());
    scene.server.stop();
    scene.server.start();
    assertEquals(LossReason.SESSION_ENDED, PostgresHarness.get(held.loss()).reason());
    assertThrows(Exception.class, () -> PostgresHarness.get(statement));
  }

  @Test
  void aConnectionThatStillStandsIsNotTakenForOneThatHasEnded() throws Exception {
    LockClient client = client(RowLockProvider.NAME);
    Lease held = client.lock("a", SELDOM_RENEWED).acquire();
    Lease failing = client.lock("b", SELDOM_RENEWED).acquire();
    Connection inError = failing.unwrap(Connection.class).orElseThrow();
    assertThrows(SQLException.class, () -> PostgresHarness.ask(inError, "no SQL"));
    scene.terminate("idle");
    client.lock("c", SELDOM_RENEWED).acquire().release();
    assertTrue(failing.isValid());
    assertFalse(failing.loss().isDone());
    assertEquals(ReleaseOutcome.RELEASED, held.release());
  }

  private LockClient client(String provider) {
    return scene.client(provider, "session-timeout", "120s");
  }
}
