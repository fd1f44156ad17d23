/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.holdfast.lock.servers.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Connections have the commands that are used here, and no others, which take time to make. */
class AsyncRedisClientTest {

  @Test
  void onlyWhatIsUsedIsMade() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      RedisURI uri = RedisURI.create(server.host(), server.port());
      RedisClient client = AsyncRedisClient.create();
      try {
        StatefulRedisConnection<String, String> commands =
            client
                .connectAsync(StringCodec.UTF8, uri)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        assertEquals("PONG", commands.async().ping().get(30, TimeUnit.SECONDS));
        assertNull(commands.sync());
        assertNull(commands.reactive());
        StatefulRedisPubSubConnection<String, String> messages =
            client
                .connectPubSubAsync(StringCodec.UTF8, uri)
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        messages.async().subscribe("channel").get(30, TimeUnit.SECONDS);
        assertNull(messages.sync());
        assertNull(messages.reactive());
      } finally {
        OpeningSteps.shutDown(client);
      }
    }
  }
}
