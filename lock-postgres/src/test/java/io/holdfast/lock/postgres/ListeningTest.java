/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static io.holdfast.lock.postgres.PostgresHarness.NO_POLLS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LossReason;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.TcpProxy;
import io.holdfast.lock.spi.Attempt;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.ClaimSignals;
import io.holdfast.lock.spi.LockBackend;
import io.holdfast.lock.spi.LockClaim;
import io.holdfast.lock.spi.ReleaseAnswer;
import io.holdfast.lock.spi.Settings;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Those who wait for a release, of which no message reaches them. */
class ListeningTest {

  /** A message that was sent while nobody listened is not sent again. */
  @Test
  void aWaiterAsksAgainWhenTheListeningSessionHasBeenMadeAnew() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      // So long that its sessions say nothing meanwhile.
      LockClient client = scene.client(TableLockProvider.NAME, "session-timeout", "120s");
      Lease held = scene.client(TableLockProvider.NAME).lock("a", NO_POLLS).acquire();
      CompletableFuture<Lease> waiting = PostgresHarness.waiting(client, "a");
      // As a release whose message has met nobody.
      scene.server.ask("UPDATE holdfast.table_lock SET owner = NULL WHERE name = 'a'");
      scene.server.ask(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE application_name = 'holdfast' AND query LIKE 'LISTEN %'");
      Lease next = PostgresHarness.get(waiting);
      assertTrue(next.fencingToken() > held.fencingToken());
    }
  }

  /** As where a process may have no more threads for a while, which drivers and pools may start. */
  @Test
  void theListeningSessionIsMadeAnewAlsoAfterAnError() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    try (PostgresHarness scene = new PostgresHarness()) {
      Lease held = scene.client(TableLockProvider.NAME).lock("a", NO_POLLS).acquire();
      PGSimpleDataSource source =
          new PGSimpleDataSource() {
            private static final long serialVersionUID = 1;

            @Override
            public Connection getConnection() throws SQLException {
              if (fails.getAndSet(false)) {
                throw new OutOfMemoryError("no thread, as a test says");
              }
              return super.getConnection();
            }
          };
      source.setUrl(scene.server.url());
      source.setUser(PostgresServer.USER);
      // So long that its sessions say nothing meanwhile.
      Map<String, String> settings = Map.of("session-timeout", "120s", "command-timeout", "5s");
      LockClient client =
          scene.closing(PostgresHarness.lent(TableLockProvider.NAME, source, settings));
      CompletableFuture<Lease> waiting = PostgresHarness.waiting(client, "a");
      scene.server.ask("UPDATE holdfast.table_lock SET owner = NULL WHERE name = 'a'");
      fails.set(true);
      scene.server.ask(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %'");
      Lease next = PostgresHarness.get(waiting);
      assertFalse(fails.get());
      assertTrue(next.fencingToken() > held.fencingToken());
    }
  }

  /** As when a firewall forgets a connection: no message comes over it any more, and no end. */
  @Test
  void aConnectionThatListensAndHasFallenSilentIsMadeAnew() throws Exception {
    try (PostgresHarness scene = new PostgresHarness().withSchema();
        TcpProxy link = TcpProxy.to(scene.server.host(), scene.server.port())) {
      Lease held = scene.client(TableLockProvider.NAME).lock("a", NO_POLLS).acquire();
      LockClient client =
          scene.client(
              TableLockProvider.NAME,
              "url",
              scene.url(link),
              "session-timeout",
              "4s",
              "command-timeout",
              "3s");
      CompletableFuture<Lease> waiting = PostgresHarness.waiting(client, "a");
      // It listens before it asks for anything.
      link.stallConnection(0, Direction.values());
      held.release();
      // Before it asks again by itself, after 25 s.
      Lease next = waiting.get(20, TimeUnit.SECONDS);
      assertTrue(next.fencingToken() > held.fencingToken());
      link.heal();
    }
  }

  /** As with an administrator's script, or a limit: one that has just been made goes again. */
  @Test
  void aConnectionThatIsEndedAgainAndAgainIsMadeWithGrowingPauses() {
    try (PostgresHarness scene = new PostgresHarness()) {
      // So long that its sessions say nothing meanwhile.
      scene.client(TableLockProvider.NAME, "session-timeout", "120s");
      long longest = 0;
      String before = ended(scene, "");
      long at = System.nanoTime();
      for (int i = 0; i < 10; i++) {
        before = ended(scene, before);
        longest = Math.max(longest, System.nanoTime() - at);
        at = System.nanoTime();
      }
      // Of pauses that grow from 20 ms; without, it takes no longer than to connect.
      assertTrue(longest > TimeUnit.MILLISECONDS.toNanos(600), longest + " ns at most");
    }
  }

  /** Ends the session that listens, once it is another than before. */
  private static String ended(PostgresHarness scene, String before) {
    String[] found = new String[1];
    PostgresHarness.await(
        "another session that listens",
        () -> {
          List<String> listening =
              scene.server.ask(
                  "SELECT pid FROM pg_stat_activity WHERE application_name = 'holdfast'"
                      + " AND state = 'idle' AND query LIKE 'LISTEN %'");
          found[0] = listening.isEmpty() ? before : listening.get(0);
          return !found[0].equals(before);
        });
    scene.server.ask("SELECT pg_terminate_backend(" + found[0] + ", 20000)");
    return found[0];
  }

  @Test
  void aConnectionOnWhichItCannotListenIsNotKept() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      List<Connection> lent = new ArrayList<>();
      PGSimpleDataSource deaf =
          new PGSimpleDataSource() {
            private static final long serialVersionUID = 1;

            @Override
            public Connection getConnection() throws SQLException {
              Connection real = super.getConnection();
              lent.add(real);
              return deaf(real);
            }
          };
      deaf.setUrl(scene.server.url());
      deaf.setUser(PostgresServer.USER);
      assertThrows(
          LockRejectedException.class,
          () -> PostgresHarness.lent(TableLockProvider.NAME, deaf, Map.of()).close());
      assertFalse(lent.isEmpty());
      for (Connection one : lent) {
        assertTrue(one.isClosed());
      }
    }
  }

  private static Connection deaf(Connection real) {
    return (Connection)
        Proxy.newProxyInstance(
            ListeningTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("createStatement")) {
                throw new SQLException("LISTEN is not for all", "0A000");
              }
              return method.invoke(real, arguments);
            });
  }

  /** The server was not asked while the other had the lock, so it sends no message. */
  @Test
  void aClaimRefusedForAnotherOfItsClientIsToldOfTheRelease() throws Exception {
    try (PostgresHarness scene = new PostgresHarness();
        LockBackend<?> backend =
            new AdvisoryLockProvider()
                .open(new Settings(AdvisoryLockProvider.NAME, scene.settings()))) {
      CompletableFuture<Boolean> woken = new CompletableFuture<>();
      LockClaim holder = backend.claim(request("owner-1"), TableClaimsTestBase.DEAF);
      LockClaim other =
          backend.claim(
              request("owner-2"),
              new ClaimSignals() {
                @Override
                public void wake() {
                  woken.complete(true);
                }

                @Override
                public void lost(LossReason reason) {}
              });
      assertInstanceOf(Attempt.Granted.class, holder.attempt().toCompletableFuture().join());
      assertInstanceOf(Attempt.Contended.class, other.attempt().toCompletableFuture().join());
      assertFalse(woken.isDone());
      assertEquals(ReleaseAnswer.FREED, holder.release().toCompletableFuture().join());
      assertTrue(PostgresHarness.get(woken));
      other.release().toCompletableFuture().join();
    }
  }

  private static ClaimRequest request(String owner) {
    return new ClaimRequest("a", owner, Duration.ofMinutes(1));
  }
}
