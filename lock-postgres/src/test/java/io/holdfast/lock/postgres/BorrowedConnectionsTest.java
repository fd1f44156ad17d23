/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static io.holdfast.lock.postgres.PostgresHarness.NO_POLLS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.lock.ClientOptions;
import io.holdfast.lock.Lease;
import io.holdfast.lock.LockClient;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.ReleaseOutcome;
import io.holdfast.lock.servers.Direction;
import io.holdfast.lock.servers.PostgresServer;
import io.holdfast.lock.servers.TcpProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections of a pool that is there already come back as they went. */
class BorrowedConnectionsTest {

  private static final int SIZE = 4;

  private static final String STATE =
      "SELECT string_agg(name || '=' || setting, ' ' ORDER BY name)"
          + " || ' mark=' || coalesce(current_setting('io_holdfast.session', true), '')"
          + " || ' listens=' || (SELECT count(*) FROM pg_listening_channels())"
          + " || ' locks=' || (SELECT count(*) FROM pg_locks"
          + "   WHERE pid = pg_backend_pid() AND locktype = 'advisory')"
          + " FROM pg_settings WHERE context IN ('user', 'superuser')";

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void allComeBackWhenTheClientIsClosed(String provider) throws Exception {
    try (PostgresHarness scene = new PostgresHarness();
        HikariDataSource pool = pool(scene)) {
      List<String> before = states(pool);
      for (int i = 0; i < 3; i++) {
        try (LockClient client = open(provider, pool, "lock")) {
          Lease lease = client.lock("lent").acquire();
          assertTrue(lease.isValid());
          lease.release();
        }
      }
      assertEquals(before, states(pool), "the same sessions, as they were");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void allComeBackFromAClientThatIsRefused(String provider) throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      scene.server.ask("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
      try (HikariDataSource latin = pool(scene.server.url().replace("/postgres", "/latin"))) {
        List<String> before = states(latin);
        for (int i = 0; i < 3; i++) {
          assertThrows(LockRejectedException.class, () -> open(provider, latin, "lock").close());
        }
        assertEquals(before, states(latin), "the same sessions, as they were");
      }
    }
  }

  /** A pool that does not set them anew itself, unlike HikariCP. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void theirOwnSettingsComeBackAsWell(String provider) throws Exception {
    try (PostgresHarness scene = new PostgresHarness();
        PlainPool pool = new PlainPool(scene.server.url())) {
      try (LockClient client = open(provider, pool.source(), "lock")) {
        Lease held = client.lock("lent").acquire();
        assertTrue(client.lock("lent").tryAcquire().isEmpty());
        held.release();
      }
      pool.assertAllAreBackAsTheyWere();
    }
  }

  /** Statements on them are seen by others, and messages of others are heard. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void theirTransactionsAreNoneOfOurs(String provider) throws Exception {
    try (PostgresHarness scene = new PostgresHarness().withSchema();
        PlainPool pool = new PlainPool(scene.server.url());
        LockClient lent = open(provider, pool.source(), "lock");
        LockClient own = scene.client(provider)) {
      Lease held = lent.lock("seen", NO_POLLS).acquire();
      assertTrue(own.lock("seen").tryAcquire().isEmpty());
      assertEquals(ReleaseOutcome.RELEASED, held.release());
      Lease others = own.lock("seen", NO_POLLS).acquire(PostgresHarness.SOON);
      CompletableFuture<Lease> waiting = PostgresHarness.waiting(lent, "seen");
      others.release();
      PostgresHarness.get(waiting).release();
    }
  }

  /** A pool may lend what has just broken; the server is silent then, and not the client. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void oneThatSaysNothingIsGivenUp(String provider) {
    try (PostgresHarness scene = new PostgresHarness();
        TcpProxy link = TcpProxy.to(scene.server.host(), scene.server.port())) {
      PGSimpleDataSource silent =
          new PGSimpleDataSource() {
            private static final long serialVersionUID = 1;

            @Override
            public Connection getConnection() throws SQLException {
              Connection made = super.getConnection();
              link.stall(Direction.values());
              return made;
            }
          };
      silent.setUrl(scene.url(link));
      silent.setUser(PostgresServer.USER);
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () ->
              assertThrows(
                  LockUnavailableException.class, () -> open(provider, silent, "lock").close()));
      link.heal();
    }
  }

  /** A transaction of ours has none, and the application's have them again afterwards. */
  @Test
  void savepointsOfTheDriverComeBackAsWell() throws Exception {
    try (PostgresHarness scene = new PostgresHarness();
        PlainPool pool = new PlainPool(scene.server.url() + "?autosave=conservative")) {
      try (LockClient client = open("postgres-row", pool.source(), "lock")) {
        client.lock("saved").acquire().release();
        Lease held = client.lock("saved").acquire();
        assertTrue(client.lock("saved").tryAcquire().isEmpty());
        held.close();
      }
      pool.assertAllAreBackAsTheyWere();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table"})
  void theirOwnSettingsComeBackFromAClientThatIsRefused(String provider) throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      scene.server.ask("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
      try (PlainPool latin = new PlainPool(scene.server.url().replace("/postgres", "/latin"))) {
        assertThrows(
            LockRejectedException.class, () -> open(provider, latin.source(), "lock").close());
        latin.assertAllAreBackAsTheyWere();
      }
    }
  }

  @Test
  void aConnectionThatIsLentAfterTheClientIsClosedComesBack() throws Exception {
    try (PostgresHarness scene = new PostgresHarness();
        PlainPool pool = new PlainPool(scene.server.url())) {
      Map<String, String> settings = Map.of("create-schema", "true", "command-timeout", "3s");
      LockClient client = PostgresLocks.row(pool.source(), settings, ClientOptions.defaults());
      client.lock("late").acquire().release();
      pool.shut();
      client.lock("late").acquireAsync();
      PostgresHarness.await("a request for a connection", () -> pool.waiting() >= 1);
      client.close();
      pool.open();
      PostgresHarness.await(
          "all connections to come back", () -> pool.waiting() == 0 && pool.lent() == 0);
      pool.assertAllAreBackAsTheyWere();
    }
  }

  @Test
  void oneThatIsLentForASessionAfterTheClientIsClosedComesBack() throws Exception {
    try (PostgresHarness scene = new PostgresHarness();
        PlainPool pool = new PlainPool(scene.server.url())) {
      LockClient client = open(TableLockProvider.NAME, pool.source(), "late");
      client.lock("late").acquire().release();
      pool.shut();
      scene.server.ask(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
              + " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'");
      PostgresHarness.await("requests for connections", () -> pool.waiting() >= 2);
      client.close();
      pool.open();
      PostgresHarness.await(
          "all connections to come back", () -> pool.waiting() == 0 && pool.lent() == 0);
      pool.assertAllAreBackAsTheyWere();
    }
  }

  private static LockClient open(String provider, DataSource pool, String namespace) {
    Map<String, String> settings =
        Map.of(
            "namespace",
            namespace,
            "create-schema",
            "true",
            "command-timeout",
            "5s",
            // Of which the one that listens asks the server every third.
            "session-timeout",
            "60s");
    return PostgresHarness.lent(provider, pool, settings);
  }

  /** Of all connections of the pool, each with the number of its process. */
  private static List<String> states(HikariDataSource pool) throws SQLException {
    List<Connection> all = new ArrayList<>();
    List<String> states = new ArrayList<>();
    try {
      for (int i = 0; i < SIZE; i++) {
        Connection connection = pool.getConnection();
        all.add(connection);
        states.add(
            PostgresHarness.ask(connection, "SELECT pg_backend_pid()").get(0)
                + " "
                + connection.getAutoCommit()
                + " "
                + connection.getNetworkTimeout()
                + " "
                + PostgresHarness.ask(connection, STATE).get(0));
      }
    } finally {
      for (Connection connection : all) {
        connection.close();
      }
    }
    states.sort(Comparator.naturalOrder());
    return states;
  }

  private static HikariDataSource pool(PostgresHarness scene) {
    return pool(scene.server.url());
  }

  private static HikariDataSource pool(String url) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(PostgresServer.USER);
    config.setMaximumPoolSize(SIZE);
    config.setMinimumIdle(SIZE);
    return new HikariDataSource(config);
  }
}
