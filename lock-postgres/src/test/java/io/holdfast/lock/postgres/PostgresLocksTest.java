/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.Locks;
import java.sql.Connection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Settings that are refused before anything is connected; without a server. */
class PostgresLocksTest {

  private final AtomicInteger asked = new AtomicInteger();

  private final PGSimpleDataSource source =
      new PGSimpleDataSource() {
        private static final long serialVersionUID = 1;

        @Override
        public Connection getConnection() {
          asked.incrementAndGet();
          throw new AssertionError("connects");
        }
      };

  private void refused(String provider, String key, String value) {
    LockConfigurationException told =
        assertThrows(
            LockConfigurationException.class,
            () -> PostgresHarness.lent(provider, source, Map.of(key, value)).close());
    assertTrue(String.valueOf(told.getMessage()).contains("'" + key + "'"), told::toString);
    assertEquals(0, asked.get());
  }

  /** They belong to the source, and would change nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"postgres-advisory", "postgres-table", "postgres-row"})
  void aSettingThatASourceHasItself(String provider) {
    for (String key : new String[] {"url", "username", "password", "connect-timeout", "ttl"}) {
      refused(provider, key, "5s");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1001", "many"})
  void aSizeThatNoPoolHas(String size) {
    refused(RowLockProvider.NAME, "pool-size", size);
    Map<String, String> settings = new HashMap<>();
    settings.put("url", "jdbc:postgresql://localhost:1/nowhere");
    settings.put("pool-size", size);
    LockConfigurationException told =
        assertThrows(
            LockConfigurationException.class,
            () -> Locks.open(RowLockProvider.NAME, settings).close());
    assertTrue(String.valueOf(told.getMessage()).contains("'pool-size'"), told::toString);
  }

  /** Only row locks need many connections. */
  @Test
  void othersHaveNoPool() {
    refused(AdvisoryLockProvider.NAME, "pool-size", "5");
    refused(TableLockProvider.NAME, "pool-size", "5");
  }
}
