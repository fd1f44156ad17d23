/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockConfigurationException;
import io.holdfast.lock.spi.Settings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which settings are taken, and what follows from them; without a server. */
class PostgresConfigTest {

  private static final Duration USUAL = Duration.ofSeconds(5);

  private static PostgresConfig of(String... settings) {
    Map<String, String> all = new HashMap<>();
    all.put("url", "jdbc:postgresql://localhost/app");
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    return PostgresConfig.of(new Settings("postgres-table", all), USUAL);
  }

  /** Without an end, a holder that died would keep its locks; too short a one is no time at all. */
  @ParameterizedTest
  @CsvSource({
    "session-timeout, 1999ms",
    "session-timeout, 0s",
    "session-timeout, 61m",
    "connect-timeout, 0s",
    "connect-timeout, 61m",
    "command-timeout, 0s",
    "command-timeout, 61m"
  })
  void aTimeOutThatIsOutOfBounds(String key, String value) {
    LockConfigurationException told =
        assertThrows(LockConfigurationException.class, () -> of(key, value));
    assertTrue(String.valueOf(told.getMessage()).contains("'" + key + "'"), told::toString);
  }

  @Test
  void theShortestAndTheLongest() {
    assertEquals(Duration.ofSeconds(2), of("session-timeout", "2s").sessionTimeout());
    assertEquals(Duration.ofHours(1), of("session-timeout", "60m").sessionTimeout());
    assertEquals(Duration.ofMillis(1), of("command-timeout", "1ms").commandTimeout());
    assertEquals(Duration.ofMillis(1), of("connect-timeout", "1ms").connectTimeout());
  }

  /** So a session that is silent is given up before the server has done so. */
  @Test
  void aCommandHasNoMoreThanAThirdOfTheSessionsTime() {
    assertEquals(USUAL, of().commandTimeout());
    assertEquals(Duration.ofSeconds(2), of("session-timeout", "6s").commandTimeout());
    assertEquals(USUAL, of("session-timeout", "60s").commandTimeout());
    assertEquals(
        Duration.ofSeconds(4),
        of("session-timeout", "6s", "command-timeout", "4s").commandTimeout());
  }

  @Test
  void aSilentHostIsAskedSeveralTimes() {
    assertEquals(Duration.ofSeconds(1), of("session-timeout", "2s").probeInterval());
    assertEquals(Duration.ofSeconds(1), of("session-timeout", "15s").probeInterval());
    assertEquals(Duration.ofSeconds(7), of("session-timeout", "60s").probeInterval());
  }

  @Test
  void settingUpHasTheLongerTime() {
    assertEquals(
        Duration.ofSeconds(7), of("connect-timeout", "7s", "command-timeout", "3s").setupTimeout());
    assertEquals(
        Duration.ofSeconds(3), of("connect-timeout", "1s", "command-timeout", "3s").setupTimeout());
  }

  @Test
  void aPoolerIsOnlyTakenIfThatIsSaid() {
    assertFalse(of().acceptPooler());
    assertFalse(of("pooler", "refuse").acceptPooler());
    assertTrue(of("pooler", "session").acceptPooler());
    LockConfigurationException told =
        assertThrows(LockConfigurationException.class, () -> of("pooler", "transaction"));
    assertTrue(String.valueOf(told.getMessage()).contains("'pooler'"), told::toString);
  }

  /** The driver counts in seconds, and none would be no limit at all. */
  @Test
  void aPartOfASecondIsALimitAsWell() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      PostgresConfig config =
          of(
              "url",
              "jdbc:postgresql://localhost:" + silent.getLocalPort() + "/app?sslmode=disable",
              "connect-timeout",
              "300ms");
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () -> assertThrows(SQLException.class, () -> config.source().open()));
    }
  }
}
