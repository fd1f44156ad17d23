/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.postgres.PostgresHarness;
import io.holdfast.lock.spi.Settings;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Tests a connection that is lent to us. */
class PgConnectionTest {

  @Test
  void aConnectionThatIsAbortedTwiceIsClosedOnce() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      Connection real = scene.connect();
      AtomicInteger closed = new AtomicInteger();
      PgConnection pg = lent(real, closed);
      pg.abort();
      pg.abort();
      assertEquals(1, closed.get());
      assertTrue(real.isClosed());
    }
  }

  @Test
  void aConnectionThatHasGoneBackIsNotAborted() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      Connection real = scene.connect();
      AtomicInteger closed = new AtomicInteger();
      PgConnection pg = lent(real, closed);
      pg.execute("SELECT set_config('io_holdfast.session', 'mark', false)");
      pg.close();
      assertEquals(1, closed.get());
      pg.abort();
      assertEquals(1, closed.get());
      assertFalse(real.isClosed());
    }
  }

  /** As those of some pools that wrap them. */
  @Test
  void aConnectionThatCannotDoWhatIsNeededIsNotKept() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      Connection real = scene.connect();
      Connection poor =
          (Connection)
              Proxy.newProxyInstance(
                  PgConnectionTest.class.getClassLoader(),
                  new Class<?>[] {Connection.class},
                  (proxy, method, arguments) -> {
                    if (method.getName().endsWith("NetworkTimeout")) {
                      throw new UnsupportedOperationException(method.getName());
                    }
                    return method.invoke(real, arguments);
                  });
      DataSource pool =
          (DataSource)
              Proxy.newProxyInstance(
                  PgConnectionTest.class.getClassLoader(),
                  new Class<?>[] {DataSource.class},
                  (proxy, method, arguments) -> poor);
      Duration patience = Duration.ofSeconds(5);
      ConnectionFactory factory =
          new ConnectionFactory(
              PostgresConfig.of(new Settings("postgres-table", Map.of()), pool, patience));
      UnsupportedOperationException told =
          assertThrows(UnsupportedOperationException.class, () -> factory.openSession(patience));
      assertEquals("getNetworkTimeout", told.getMessage());
      assertTrue(real.isClosed());
    }
  }

  /** Each that is made anew stays in the session. */
  @Test
  void aStatementIsPreparedOnce() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      PgConnection pg = lent(scene.connect(), new AtomicInteger());
      assertSame(pg.prepare("SELECT 1"), pg.prepare("SELECT 1"));
      assertNotSame(pg.prepare("SELECT 1"), pg.prepare("SELECT 2"));
    }
  }

  /** Another client's may have the number of a process by now. */
  @Test
  void noSessionButItsOwnIsEnded() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      Connection other = scene.connect();
      Connection administrator = scene.connect();
      List<String> known =
          PostgresHarness.ask(
              other,
              "SELECT unnest(ARRAY[pid, (extract(epoch FROM backend_start) * 1000000)::bigint])"
                  + " FROM pg_stat_activity WHERE pid = pg_backend_pid()");
      int process = Integer.parseInt(known.get(0));
      long started = Long.parseLong(known.get(1));
      of(administrator, new PgConnection.Identity(process, started + 1, 1)).endSession();
      assertEquals(List.of("1"), PostgresHarness.ask(other, "SELECT 1"));
      of(administrator, new PgConnection.Identity(process, started, 1)).endSession();
      PostgresHarness.await("the end of it", () -> PgConnection.hasEnded(other));
    }
  }

  /** Behind a pooler, another client's may answer. */
  @Test
  void onlyLocksOfItsOwnSessionAreTakenBack() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      Connection session = scene.connect();
      PgConnection pg = of(session, new PgConnection.Identity(1, 1, 1));
      String locks = "SELECT objid FROM pg_locks WHERE locktype = 'advisory'";
      PostgresHarness.ask(session, "SET io_holdfast.session = 'another'");
      PostgresHarness.ask(session, "SELECT pg_advisory_lock(7)");
      assertTrue(PgConnection.isOthers(assertThrows(SQLException.class, pg::unlockAll)));
      assertEquals(List.of("7"), PostgresHarness.ask(session, locks));
      PostgresHarness.ask(session, "SET io_holdfast.session = 'mark'");
      pg.unlockAll();
      assertEquals(List.of(), PostgresHarness.ask(session, locks));
    }
  }

  private static PgConnection of(Connection real, PgConnection.Identity identity) throws Exception {
    return new PgConnection(
        real, real.unwrap(PGConnection.class), identity, "mark", Map.of(), SavedJdbcState.of(real));
  }

  private static PgConnection lent(Connection real, AtomicInteger closed) throws Exception {
    Connection lent =
        (Connection)
            Proxy.newProxyInstance(
                PgConnectionTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("close")) {
                    closed.incrementAndGet();
                    return null;
                  }
                  return method.invoke(real, arguments);
                });
    return new PgConnection(
        lent,
        real.unwrap(PGConnection.class),
        new PgConnection.Identity(1, 1, 1),
        "mark",
        Map.of("lock_timeout", "0"),
        SavedJdbcState.of(real));
  }
}
