/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.client;

import io.holdfast.lock.LockUnavailableException;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisReactiveCommandsImpl;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.RedisPubSubReactiveCommandsImpl;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.lettuce.core.resource.ClientResources;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A Lettuce client whose connections have no blocking and no reactive commands, which nobody uses
 * here. Lettuce makes both with each connection. The blocking ones are a proxy of a thousand
 * methods for each kind of connection, and that takes longer than all the rest of connecting; the
 * reactive ones are a class of 320 kB and its interfaces, which an application may need for nothing
 * else.
 *
 * <p>A connection is given out when it takes commands. Lettuce by itself goes on in another thread
 * when there is a password, and then may give it out before.
 */
public final class AsyncRedisClient extends RedisClient {

  private final AtomicInteger connecting = new AtomicInteger();

  private AsyncRedisClient(@Nullable ClientResources resources) {
    super(resources, new RedisURI());
  }

  /**
   * A client with threads of its own, which end with it. An interrupt stays set: the timer that
   * Lettuce starts would clear it.
   *
   * @return to be shut down by the caller
   */
  public static RedisClient create() {
    boolean interrupted = Thread.currentThread().isInterrupted();
    try {
      return new AsyncRedisClient(null);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * A client with somebody's threads.
   *
   * @param resources stay open when it is shut down
   * @return to be shut down by the caller
   */
  public static RedisClient create(ClientResources resources) {
    return new AsyncRedisClient(resources);
  }

  @Override
  public <K, V> ConnectionFuture<StatefulRedisConnection<K, V>> connectAsync(
      RedisCodec<K, V> codec, RedisURI uri) {
    return counted(super.connectAsync(codec, uri).thenCompose(AsyncRedisClient::whenActive));
  }

  @Override
  public <K, V> ConnectionFuture<StatefulRedisPubSubConnection<K, V>> connectPubSubAsync(
      RedisCodec<K, V> codec, RedisURI uri) {
    return counted(super.connectPubSubAsync(codec, uri).thenCompose(AsyncRedisClient::whenActive));
  }

  private <C> ConnectionFuture<C> counted(ConnectionFuture<C> made) {
    connecting.incrementAndGet();
    made.whenComplete((connection, failure) -> connecting.decrementAndGet());
    return made;
  }

  /** Whether a connection is being made. */
  boolean isConnecting() {
    return connecting.get() > 0;
  }

  private static <C> CompletableFuture<C> whenActive(C connection) {
    return ((Lean) connection)
        .activation()
        .done
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                ((RedisChannelHandler<?, ?>) connection).closeAsync();
              }
            })
        .thenApply(done -> connection);
  }

  @Override
  protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(
      RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
    return new LeanConnection<>(writer, pushes, codec, timeout);
  }

  @Override
  protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
      PubSubEndpoint<K, V> endpoint,
      RedisChannelWriter writer,
      RedisCodec<K, V> codec,
      Duration timeout) {
    return new LeanPubSubConnection<>(endpoint, writer, codec, timeout);
  }

  private interface Lean {
    Activation activation();
  }

  private static final class Activation implements RedisConnectionStateListener {

    private final CompletableFuture<Void> done = new CompletableFuture<>();

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
      done.complete(null);
    }

    @Override
    public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
      done.completeExceptionally(
          new LockUnavailableException("The connection to Redis broke while it was made"));
    }
  }

  private static final class LeanConnection<K, V> extends StatefulRedisConnectionImpl<K, V>
      implements Lean {

    private final Activation activation = new Activation();

    LeanConnection(
        RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
      super(writer, pushes, codec, timeout);
      addListener(activation);
    }

    @Override
    public Activation activation() {
      return activation;
    }

    @Override
    protected @Nullable RedisCommands<K, V> newRedisSyncCommandsImpl() {
      return null;
    }

    @Override
    protected @Nullable RedisReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
      return null;
    }
  }

  private static final class LeanPubSubConnection<K, V>
      extends StatefulRedisPubSubConnectionImpl<K, V> implements Lean {

    private final Activation activation = new Activation();

    LeanPubSubConnection(
        PubSubEndpoint<K, V> endpoint,
        RedisChannelWriter writer,
        RedisCodec<K, V> codec,
        Duration timeout) {
      super(endpoint, writer, codec, timeout);
      addListener(activation);
    }

    @Override
    public Activation activation() {
      return activation;
    }

    @Override
    protected @Nullable RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
      return null;
    }

    @Override
    protected @Nullable RedisPubSubReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
      return null;
    }
  }
}
