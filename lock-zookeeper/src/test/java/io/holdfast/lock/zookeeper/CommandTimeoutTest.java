/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests how long a request may take where the settings do not say it. */
class CommandTimeoutTest {

  private static final int GRANTED_MILLIS = 6_000;

  private static Duration of(Map<String, String> settings) {
    try (ZooKeeperHarness harness =
        new ZooKeeperHarness(Map.of("maxSessionTimeout", Integer.toString(GRANTED_MILLIS)))) {
      return harness.backend(settings).operationTimeout();
    }
  }

  /** Which may be shorter than the one that was asked for. */
  @Test
  void itIsAPartOfTheSessionThatTheServerGrants() {
    assertEquals(Duration.ofMillis(GRANTED_MILLIS / 3), of(Map.of()));
  }

  @Test
  void aSettingCounts() {
    assertEquals(Duration.ofMillis(300), of(Map.of("command-timeout", "300ms")));
  }

  private static void is(Duration expected, Duration session) {
    assertEquals(expected, OwnClient.commandTimeout(session));
  }

  /** So there is time for another before the session ends. */
  @Test
  void itIsAThirdOfTheSession() {
    is(Duration.ofSeconds(1), Duration.ofSeconds(3));
    is(Duration.ofSeconds(4), Duration.ofSeconds(12));
  }

  @Test
  void itIsNotLongerThanAnybodyWantsToWait() {
    is(Duration.ofSeconds(5), Duration.ofSeconds(15));
    is(Duration.ofSeconds(5), Duration.ofHours(1));
  }
}
