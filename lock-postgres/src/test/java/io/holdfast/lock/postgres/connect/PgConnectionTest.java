/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.postgres.PostgresHarness;
import io.holdfast.lock.spi.Settings;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** What a connection that is lent to us goes through. */
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
