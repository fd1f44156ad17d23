/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.postgres.PostgresHarness;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** What a connection that is lent to us goes through. */
class PgConnectionTest {

  @Test
  void aConnectionThatIsAbortedTwiceIsClosedOnce() throws Exception {
    try (PostgresHarness scene = new PostgresHarness()) {
      Connection real = scene.connect();
      AtomicInteger closed = new AtomicInteger();
      Connection lent =
          (Connection)
              Proxy.newProxyInstance(
                  PgConnectionTest.class.getClassLoader(),
                  new Class<?>[] {Connection.class},
                  (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                      closed.incrementAndGet();
                    }
                    return method.invoke(real, arguments);
                  });
      PgConnection pg =
          new PgConnection(
              lent,
              real.unwrap(PGConnection.class),
              new PgConnection.Identity(1, 1),
              "mark",
              Map.of("a", "b"));
      pg.abort();
      pg.abort();
      assertEquals(1, closed.get());
      assertTrue(real.isClosed());
    }
  }
}
