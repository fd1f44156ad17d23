/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.ReconnectingConnection;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.spi.ClaimSignals;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The one connection for messages: wakes who waits when the holder publishes its release. Made when
 * somebody waits for the first time. Messages may be lost (Redis delivers them at most once), which
 * costs a poll; so nothing here fails, it only becomes slower. When a subscription is confirmed,
 * its waiters are woken once, as the release may have come before it.
 *
 * <p>A subscription outlives its last waiter by {@link #LINGER}: who takes turns at a lock with
 * other processes waits for it again soon, and then neither subscribes nor has to ask once more
 * because it did so too late ({@link #join}).
 *
 * <p>All subscribing is done by the one thread of the timer: what an I/O thread writes would
 * overtake what other threads have written before it, and a subscription could get lost.
 */
public final class ReleaseNotifications {

  private static final Duration PING_EVERY = Duration.ofSeconds(5);
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final RedisClient client;
  private final RedisURI uri;
  private final TimeSource time;
  private final ReconnectingConnection<StatefulRedisPubSubConnection<String, String>> connections;
  private final Map<String, ReleaseChannel> channels = new ConcurrentHashMap<>();

  ReleaseNotifications(RedisClient client, RedisURI uri, TimeSource time) {
    this.client = client;
    this.uri = uri;
    this.time = time;
    this.connections =
        new ReconnectingConnection<>(
            "Redis message connection",
            this::connect,
            connection -> time.schedule(Duration.ZERO, () -> look(connection)),
            StatefulRedisPubSubConnection::closeAsync,
            time);
  }

  /**
   * Wakes a claim after each message on the channel that names it or nobody, and once when the
   * subscription is confirmed; after others, it is told that others go first. More often does no
   * harm; not at all may happen.
   *
   * @param channel the lock's key
   * @param owner the id of the claim that waits
   * @param waiter short, never blocking; on any thread
   */
  public void add(String channel, String owner, ClaimSignals waiter) {
    connections.start();
    channels.compute(
        channel,
        (key, present) -> {
          ReleaseChannel there = present == null ? new ReleaseChannel() : present;
          there.waiters.put(owner, waiter);
          return there;
        });
    time.schedule(Duration.ZERO, () -> subscribe(channel));
  }

  /**
   * As {@link #add}, if there is a subscription already that the server has confirmed: whoever
   * joins before asking for the lock hears of each release after the answer. Sends nothing.
   *
   * @param channel the lock's key
   * @param owner as in {@link #add}
   * @param waiter as in {@link #add}
   * @return whether it was added
   */
  @SuppressWarnings("ReferenceEquality") // This very connection is meant.
  public boolean join(String channel, String owner, ClaimSignals waiter) {
    Object connection = connections.current();
    if (connection == null) {
      return false;
    }
    ReleaseChannel there =
        channels.computeIfPresent(
            channel,
            (key, present) -> {
              if (present.confirmedTo == connection) {
                present.waiters.put(owner, waiter);
              }
              return present;
            });
    return there != null && there.waiters.containsKey(owner);
  }

  /**
   * Ends it.
   *
   * @param channel as given to {@link #add} or {@link #join}
   * @param owner as given there
   */
  public void remove(String channel, String owner) {
    channels.computeIfPresent(
        channel,
        (key, present) -> {
          present.waiters.remove(owner);
          if (present.waiters.isEmpty() && !present.watched) {
            present.watched = true;
            time.schedule(LINGER, () -> leave(channel));
          }
          return present;
        });
  }

  /** Again, too: to be woken by it. */
  private void subscribe(String channel) {
    StatefulRedisPubSubConnection<String, String> connection = connections.current();
    if (connection != null && channels.containsKey(channel)) {
      connection.async().subscribe(channel);
    }
  }

  private void leave(String channel) {
    ReleaseChannel stays =
        channels.computeIfPresent(
            channel,
            (key, present) -> {
              present.watched = false;
              return present.waiters.isEmpty() ? null : present;
            });
    StatefulRedisPubSubConnection<String, String> connection = connections.current();
    if (connection != null && stays == null) {
      connection.async().unsubscribe(channel);
    }
  }

  void end() {
    connections.end();
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
            ReleaseChannel there = channels.get(channel);
            if (there != null) {
              there.told(message);
            }
          }

          @Override
          public void subscribed(String channel, long count) {
            ReleaseChannel there = channels.get(channel);
            if (there != null) {
              there.confirmedTo = connection;
              there.wake();
            }
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
    if (!channels.isEmpty()) {
      connection.async().subscribe(channels.keySet().toArray(String[]::new));
    }
    connection
        .async()
        .ping()
        .whenComplete(
            (pong, failure) -> {
              // A refusal is an answer, and shows that the connection works.
              if (failure != null && RedisFailures.endsLine(failure)) {
                connections.drop(connection, failure);
              } else {
                time.schedule(PING_EVERY, () -> look(connection));
              }
            });
  }
}
