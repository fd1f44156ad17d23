/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.TimeSource;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The one connection for messages: wakes who waits when the holder publishes its release. Made when
 * somebody waits for the first time. Messages may be lost (Redis delivers them at most once), which
 * costs a poll; so nothing here fails, it only becomes slower. When a subscription is confirmed,
 * its waiters are woken once, as the release may have come before it.
 *
 * <p>All subscribing is done by the one thread of the timer: what an I/O thread writes would
 * overtake what other threads have written before it, and a subscription could get lost.
 */
public final class Wakeups {

  private static final Duration PING_EVERY = Duration.ofSeconds(5);

  private final RedisClient client;
  private final RedisURI uri;
  private final TimeSource time;
  private final Reconnecting<StatefulRedisPubSubConnection<String, String>> connections;
  private final Map<String, Set<Runnable>> waiters = new ConcurrentHashMap<>();

  Wakeups(RedisClient client, RedisURI uri, TimeSource time) {
    this.client = client;
    this.uri = uri;
    this.time = time;
    this.connections =
        new Reconnecting<>(
            "Redis message connection",
            this::connect,
            connection -> time.schedule(Duration.ZERO, () -> look(connection)),
            StatefulRedisPubSubConnection::closeAsync,
            time);
  }

  /**
   * Runs a task at each message on the channel, and once when the subscription is confirmed. More
   * often does no harm; not at all may happen.
   *
   * @param channel the lock's key
   * @param waiter short, never blocking; on any thread
   */
  public void add(String channel, Runnable waiter) {
    connections.start();
    waiters.compute(
        channel,
        (key, present) -> {
          Set<Runnable> all = present == null ? ConcurrentHashMap.newKeySet() : present;
          all.add(waiter);
          return all;
        });
    time.schedule(Duration.ZERO, () -> follow(channel));
  }

  /**
   * Ends it.
   *
   * @param channel as given to {@link #add}
   * @param waiter as given to {@link #add}
   */
  public void remove(String channel, Runnable waiter) {
    waiters.computeIfPresent(
        channel,
        (key, all) -> {
          all.remove(waiter);
          return all.isEmpty() ? null : all;
        });
    time.schedule(Duration.ZERO, () -> follow(channel));
  }

  /** Subscribes to what somebody waits for (again, too: to be woken by it), and to nothing else. */
  private void follow(String channel) {
    StatefulRedisPubSubConnection<String, String> connection = connections.current();
    if (connection == null) {
      return;
    }
    if (waiters.containsKey(channel)) {
      connection.async().subscribe(channel);
    } else {
      connection.async().unsubscribe(channel);
    }
  }

  void close() {
    connections.close();
  }

  private CompletableFuture<StatefulRedisPubSubConnection<String, String>> connect() {
    return client
        .connectPubSubAsync(StringCodec.UTF8, uri)
        .toCompletableFuture()
        .thenApply(this::prepare);
  }

  private StatefulRedisPubSubConnection<String, String> prepare(
      StatefulRedisPubSubConnection<String, String> connection) {
    connection.addListener(
        new RedisPubSubAdapter<String, String>() {
          @Override
          public void message(String channel, String message) {
            wake(channel);
          }

          @Override
          public void subscribed(String channel, long count) {
            wake(channel);
          }
        });
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
            connections.drop(connection, new LockUnavailableException("The connection broke"));
          }
        });
    return connection;
  }

  /** Subscribes to all that is waited for, and finds a connection that is half open. */
  @SuppressWarnings("ReferenceEquality") // This very connection is meant.
  private void look(StatefulRedisPubSubConnection<String, String> connection) {
    if (connections.current() != connection) {
      return;
    }
    if (!connection.isOpen()) {
      connections.drop(connection, new LockUnavailableException("The connection broke"));
      return;
    }
    if (!waiters.isEmpty()) {
      connection.async().subscribe(waiters.keySet().toArray(String[]::new));
    }
    connection
        .async()
        .ping()
        .whenComplete(
            (pong, failure) -> {
              if (failure != null) {
                connections.drop(connection, failure);
              } else {
                time.schedule(PING_EVERY, () -> look(connection));
              }
            });
  }

  private void wake(String channel) {
    @Nullable Set<Runnable> all = waiters.get(channel);
    if (all != null) {
      all.forEach(Runnable::run);
    }
  }
}
