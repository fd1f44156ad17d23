/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.postgres.connect.ConnectionSource;
import io.holdfast.lock.spi.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a pool shows of its connections. */
class OwnDataSourceTest {

  @Test
  void whatIsShownHoldsNoSecret() {
    String url = "jdbc:postgresql://localhost/app?password=secret&sslpassword=secret";
    Settings settings = new Settings("postgres-row", Map.of("url", url));
    ConnectionSource source = ConnectionSource.Own.of(settings, 5);
    assertEquals("//localhost/app", new OwnDataSource(source).toString());
  }
}
