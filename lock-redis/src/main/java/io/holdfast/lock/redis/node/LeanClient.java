/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A Lettuce client whose connections have no blocking commands, which nobody uses here. Lettuce
 * makes them for each kind of connection as a proxy of a thousand methods, at once, and that takes
 * longer than all the rest of connecting.
 */
public final class LeanClient extends RedisClient {

  private LeanClient(@Nullable ClientResources resources) {
    super(resources, new RedisURI());
  }

  /**
   * A client with threads of its own, which end with it.
   *
   * @return to be shut down by the caller
   */
  public static RedisClient create() {
    return new LeanClient(null);
  }

  /**
   * A client with somebody's threads.
   *
   * @param resources stay open when it is shut down
   * @return to be shut down by the caller
   */
  public static RedisClient create(ClientResources resources) {
    return new LeanClient(resources);
  }

  @Override
  protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
      RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
    return new StatefulRedisConnectionImpl<>(writer, pushes, codec, timeout) {
      @Override
      protected @Nullable RedisCommands<K, V> newRedisSyncCommandsImpl() {
        return null;
      }
    };
  }

  @Override
  protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
      PubSubEndpoint<K, V> endpoint,
      RedisChannelWriter writer,
      RedisCodec<K, V> codec,
      Duration timeout) {
    return new StatefulRedisPubSubConnectionImpl<>(endpoint, writer, codec, timeout) {
      @Override
      protected @Nullable RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
        return null;
      }
    };
  }
}
