/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.servers.RedisServer;
import io.holdfast.lock.spi.Settings;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A list of more locks than the server tells at a time. */
class ManyNamesTest {

  @Test
  void allAreListed() {
    try (RedisServer server = RedisServer.launch()) {
      Map<String, String> settings =
          new HashMap<>(RedisFixture.settings(server.host(), server.port()));
      settings.remove("provider");
      settings.put("command-timeout", "10s");
      server.command(
          "EVAL", "for i = 1, 5000 do redis.call('SET', 'lock:' .. i, 'x', 'PX', 600000) end", "0");
      try (RedisBackend backend =
          (RedisBackend) new RedisLockProvider().open(new Settings("redis", settings))) {
        Set<String> names = backend.inspection().orElseThrow().names().toCompletableFuture().join();
        assertEquals(5_000, names.size());
      }
    }
  }
}
