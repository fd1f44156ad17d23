/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockRejectedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which versions of Redis are refused, by what INFO says. */
class RedisCheckTest {

  private static void inspect(String version) {
    RedisCheck.inspect("redis_version:" + version + "\r\nredis_mode:standalone\r\n", "standalone");
  }

  @ParameterizedTest
  @ValueSource(strings = {"5.0.0", "6.2.14", "7.2.4", "10.0.1", "255.255.255"})
  void fiveAndNewerWillDo(String version) {
    assertDoesNotThrow(() -> inspect(version));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.8.24", "4.0.14"})
  void anOlderOneIsRefusedAndTheOldestThatWillDoIsNamed(String version) {
    LockRejectedException told = assertThrows(LockRejectedException.class, () -> inspect(version));
    String message = String.valueOf(told.getMessage());
    assertTrue(message.contains(version) && message.contains("version 5 or newer"), message);
  }

  /** To a user who may not use INFO. */
  @Test
  void aServerThatDoesNotTellIsTaken() {
    assertDoesNotThrow(() -> RedisCheck.inspect("", "standalone"));
  }
}
