/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class RedisInfoTest {

  private static final String INFO =
      "redis_version:7.2.4\r\n# Replication\r\nformer_role:slave\r\nrole:master\r\nempty:\r\nlast:1";

  private static Optional<String> field(String name) {
    return RedisInfo.field(INFO, name);
  }

  @Test
  void aFieldIsTheWholeNameAtTheBeginningOfALine() {
    assertEquals(Optional.of("7.2.4"), field("redis_version"));
    assertEquals(Optional.of("master"), field("role"));
    assertEquals(Optional.of("1"), field("last"));
    assertEquals(Optional.empty(), field("version"));
    assertEquals(Optional.empty(), field("empty"));
    assertEquals(Optional.empty(), field("absent"));
    assertEquals(Optional.empty(), RedisInfo.field("", "role"));
  }
}
