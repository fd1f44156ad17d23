/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.topology;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.redis.SetClock;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.RedisClient;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SingleServerTest {

  private final RedisClient client = RedisClient.create();

  @AfterEach
  void end() {
    OpeningSteps.shutDown(client);
  }

  private SingleServer server(String replicas) {
    Map<String, String> settings = Map.of("uri", "redis://127.0.0.1:1", "wait-replicas", replicas);
    RedisConfig config = RedisConfig.from(new Settings("redis", settings)).get(0);
    return new SingleServer(config, client, new SetClock());
  }

  /** The server takes several locks in one step; replicas confirm each of them afterwards. */
  @Test
  void severalLocksAreNotDecidedTogetherWhereReplicasConfirmThem() {
    assertTrue(server("0").decidesTogether());
    assertFalse(server("1").decidesTogether());
  }
}
