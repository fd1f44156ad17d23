/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.postgres.PostgresHarness;
import io.holdfast.lock.postgres.connect.ConnectionFactory;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.postgres.connect.PostgresConfig;
import io.holdfast.lock.spi.Settings;
import io.holdfast.lock.spi.support.Batcher;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Requests that have gathered when a connection breaks. */
class ConnectionWorkerTest {

  private static final ConnectionWorker.Owner NOBODY =
      new ConnectionWorker.Owner() {
        @Override
        public void opened(PgConnection pg) {}

        @Override
        public void lost(PgConnection pg) {}

        @Override
        public void idle(PgConnection pg) {}
      };

  private final ConnectionWorker.Kind<String, String> breaks =
      ConnectionWorker.kind(
          0,
          (pg, asked) -> {
            throw new SQLException("An I/O error occurred", "08006");
          });

  private final ConnectionWorker.Kind<String, String> behind =
      ConnectionWorker.kind(1, (pg, asked) -> asked.forEach(one -> one.answer(one.request())));

  /** A retry has to begin at once, and not when the time-out of each has passed. */
  @Test
  void thoseBehindTheOneThatMetItFailWithIt() {
    try (PostgresHarness scene = new PostgresHarness()) {
      PostgresConfig config =
          PostgresConfig.of(
              new Settings("postgres-table", scene.settings("command-timeout", "10s")),
              Duration.ofSeconds(5));
      ConnectionWorker worker =
          ConnectionWorker.open(
              new ConnectionFactory(config), config.commandTimeout(), "test", NOBODY);
      try {
        List<CompletableFuture<String>> answers = new ArrayList<>();
        Batcher.together(
            () -> {
              answers.add(worker.ask(breaks, "first", () -> "The first"));
              answers.add(worker.ask(behind, "second", () -> "The second"));
            });
        CompletionException failure =
            assertThrows(CompletionException.class, () -> answers.get(1).join());
        String told =
            assertInstanceOf(LockUnavailableException.class, failure.getCause()).toString();
        assertTrue(told.contains("the connection to PostgreSQL was lost"), told);
      } finally {
        worker.close();
      }
    }
  }
}
