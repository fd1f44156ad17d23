/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.postgres.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.holdfast.lock.health.Finding.Severity;
import io.holdfast.lock.postgres.TableLockProvider;
import io.holdfast.lock.spi.Settings;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the settings in a url, without a server. */
class ConnectionSourceTest {

  private static ConnectionSource of(String url) {
    return ConnectionSource.Own.of(
        new Settings(new TableLockProvider().name(), Map.of("url", url)), 5);
  }

  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://db.example.org/app, WARNING",
    "jdbc:postgresql://db.example.org/app?sslmode=require, WARNING",
    "'jdbc:postgresql://localhost:5432,db.example.org:5432/app?sslmode=verify-ca', WARNING",
    "jdbc:postgresql://db.example.org/app?sslmode=verify-full, OK",
    "jdbc:postgresql://localhost:5432/app, none",
    "jdbc:postgresql:app, none",
    "'jdbc:postgresql://127.0.0.1,[::1]/app?sslmode=disable', none"
  })
  void findingsAboutEavesdroppers(String url, String expected) {
    assertEquals(
        expected,
        of(url).access().map(finding -> finding.severity()).map(Severity::name).orElse("none"));
  }

  @ParameterizedTest
  @CsvSource({"jdbc:postgresql://localhost/app?password=secret&sslpassword=secret"})
  void descriptionsHoldNoSecret(String url) {
    ConnectionSource source = of(url);
    assertFalse((source.describe() + source).contains("secret"));
  }

  /** Characters of a user or a password are only refused where they stand in the wrong place. */
  @ParameterizedTest
  @CsvSource({
    "jdbc:postgresql://localhost/app?password=a@b",
    "jdbc:postgresql://localhost/app?password=a;b"
  })
  void anyPasswordIsTaken(String url) {
    assertEquals("//localhost/app", of(url).describe());
  }
}
