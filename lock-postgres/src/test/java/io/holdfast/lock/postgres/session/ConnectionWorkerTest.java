/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.session;

import static io.holdfast.lock.postgres.session.WorkerScene.failure;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.postgres.PostgresHarness;
import io.holdfast.lock.postgres.connect.PgConnection;
import io.holdfast.lock.servers.Conditions;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.support.Batcher;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** What becomes of requests, and of the session, when something fails. */
class ConnectionWorkerTest {

  private final WorkerScene scene = new WorkerScene();
  private final WorkerScene.Owner owner = new WorkerScene.Owner();

  @AfterEach
  void close() {
    scene.close();
  }

  private static SQLException toldByTheServer() {
    return new PSQLException(new ServerErrorMessage("SERROR\0C42P01\0Mtold"));
  }

  /** A retry has to begin at once, and not when the time-out of each has passed. */
  @Test
  void thoseBehindTheOneThatMetItFailWithIt() {
    ConnectionWorker worker = scene.open(owner);
    try {
      List<CompletableFuture<String>> answers = new ArrayList<>();
      Batcher.together(
          () -> {
            answers.add(worker.ask(scene.breaks, "first", () -> "The first"));
            answers.add(worker.ask(scene.echoes, "second", () -> "The second"));
          });
      String told =
          assertInstanceOf(LockUnavailableException.class, failure(answers.get(1))).toString();
      assertTrue(told.contains("the connection to PostgreSQL was lost"), told);
    } finally {
      worker.close();
    }
  }

  /** Otherwise it would not be asked for again, and every lock of the client be gone. */
  @Test
  void aFaultOfOursCostsTheSessionAndNotTheThread() {
    ConnectionWorker.Kind<String, String> faulty =
        ConnectionWorker.kind(
            0,
            (pg, asked) -> {
              throw new IllegalStateException("a fault");
            });
    ConnectionWorker worker =
        scene.open(
            new WorkerScene.Owner() {
              @Override
              public void lost(PgConnection pg) {
                owner.lost(pg);
                throw new IllegalStateException("another fault");
              }
            });
    try {
      assertInstanceOf(
          LockUnavailableException.class, failure(worker.ask(faulty, "x", () -> "Asking")));
      PostgresHarness.await("the next session", () -> scene.isServed(worker));
      assertEquals(1, owner.lost.get());
    } finally {
      worker.close();
    }
  }

  /** When it has ended, the server may give its locks to others. */
  @Test
  void aLossIsToldBeforeTheSessionIsEnded() {
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    ConnectionWorker worker =
        scene.open(
            new WorkerScene.Owner() {
              @Override
              public void lost(PgConnection pg) {
                try {
                  closed.complete(pg.connection().isClosed());
                } catch (SQLException e) {
                  closed.completeExceptionally(e);
                }
              }
            });
    try {
      failure(worker.ask(scene.breaks, "x", () -> "Asking"));
      assertFalse(closed.join());
    } finally {
      worker.close();
    }
  }

  @Test
  void whatTheServerRefusesFailsThoseWithoutAnAnswerOnly() {
    ConnectionWorker.Kind<String, String> refuses =
        ConnectionWorker.kind(
            0,
            (pg, asked) -> {
              asked.get(0).answer("answered");
              throw toldByTheServer();
            });
    ConnectionWorker.Kind<String, String> forgets = ConnectionWorker.kind(0, (pg, asked) -> {});
    ConnectionWorker worker = scene.open(owner);
    try {
      int before = worker.ask(scene.tells, "x", () -> "Asking").join();
      List<CompletableFuture<String>> answers = new ArrayList<>();
      Batcher.together(
          () -> {
            answers.add(worker.ask(refuses, "first", () -> "The first"));
            answers.add(worker.ask(refuses, "second", () -> "The second"));
          });
      assertEquals("answered", answers.get(0).join());
      LockException refused = failure(answers.get(1));
      assertInstanceOf(LockRejectedException.class, refused);
      assertTrue(String.valueOf(refused.getMessage()).startsWith("The second"), refused::toString);
      LockException forgotten = failure(worker.ask(forgets, "x", () -> "Asking"));
      assertEquals("Asking: the server gave no answer", forgotten.getMessage());
      assertEquals(before, worker.ask(scene.tells, "x", () -> "Asking").join());
      assertEquals(0, owner.lost.get());
    } finally {
      worker.close();
    }
  }

  /** A role may lack a privilege that only tidying needs. */
  @Test
  void aSilentSessionIsAskedAndOutlivesUpkeepThatIsRefused() throws Exception {
    ConnectionWorker worker =
        scene.open(
            "test",
            Duration.ofSeconds(60),
            new WorkerScene.Owner() {
              @Override
              public void idle(PgConnection pg) throws SQLException {
                owner.idle(pg);
                throw toldByTheServer();
              }

              @Override
              public void lost(PgConnection pg) {
                owner.lost(pg);
              }
            },
            "session-timeout",
            "8s");
    try {
      int process = worker.ask(scene.tells, "x", () -> "Asking").join();
      PostgresHarness.await("upkeep", () -> owner.idle.get() > 0);
      // The server counts from what it has heard last.
      assertEquals(
          List.of("1"),
          PostgresHarness.ask(
              scene.scene.connect(),
              "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT coalesce(current%'"
                  + " AND pid = "
                  + process));
      assertEquals(process, worker.ask(scene.tells, "x", () -> "Asking").join());
      assertEquals(0, owner.lost.get());
    } finally {
      worker.close();
    }
  }

  /** So whoever asks can wait for its own pause, and is told why. */
  @Test
  void requestsFailAtOnceWhileThereIsNoConnection() {
    try (TcpProxy link = scene.link()) {
      ConnectionWorker worker =
          scene.open(
              "test",
              Duration.ofSeconds(60),
              owner,
              "url",
              scene.url(link),
              "command-timeout",
              "20s",
              "session-timeout",
              "60s");
      try {
        link.refuse();
        PostgresHarness.await("the end of the session", () -> owner.lost.get() > 0);
        for (int i = 0; i < 3; i++) {
          LockException told = failure(worker.ask(scene.echoes, "x", () -> "Asking"));
          assertInstanceOf(LockUnavailableException.class, told);
          assertFalse(String.valueOf(told.getMessage()).contains("time-out"), told::toString);
        }
        link.heal();
        PostgresHarness.await("a connection", () -> scene.isServed(worker));
      } finally {
        worker.close();
      }
    }
  }

  /** Or a server that ends each would be stormed. */
  @Test
  void aConnectionThatBreaksAtOnceIsMadeAnewAfterAPause() {
    ConnectionWorker worker = scene.open(owner);
    try {
      AtomicInteger refused = new AtomicInteger();
      for (int i = 0; i < 7; i++) {
        failure(worker.ask(scene.breaks, "x", () -> "Asking"));
        PostgresHarness.await(
            "a connection", () -> scene.isServed(worker) || refused.incrementAndGet() < 0);
      }
      assertTrue(refused.get() > 0, "none was refused during a pause");
    } finally {
      worker.close();
    }
  }

  /** However often others broke before it. */
  @Test
  void aConnectionThatHasLastedIsMadeAnewAtOnce() {
    ConnectionWorker worker = scene.open(owner);
    try {
      for (int i = 0; i < 7; i++) {
        PostgresHarness.await("a connection", () -> scene.isServed(worker));
        failure(worker.ask(scene.breaks, "x", () -> "Asking"));
      }
      PostgresHarness.await("a connection", () -> scene.isServed(worker));
      Conditions.stays("it lasts", Duration.ofMillis(1500), () -> scene.isServed(worker));
      failure(worker.ask(scene.breaks, "x", () -> "Asking"));
      assertTrue(scene.isServed(worker), "refused during a pause");
    } finally {
      worker.close();
    }
  }
}
