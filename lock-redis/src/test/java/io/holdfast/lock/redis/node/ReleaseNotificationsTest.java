/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.spi.ClaimSignals;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests when channels are subscribed to, and by whom. There is no server. */
class ReleaseNotificationsTest {

  private static final ClaimSignals DEAF =
      new ClaimSignals() {
        @Override
        public void wake() {}

        @Override
        public void lost(LossReason reason) {}
      };

  private final Tasks timer = new Tasks();
  private final List<List<String>> subscribed = new ArrayList<>();
  private final RedisClient client =
      new RedisClient(null, new RedisURI()) {
        @Override
        @SuppressWarnings("unchecked")
        public <K, V> ConnectionFuture<StatefulRedisPubSubConnection<K, V>> connectPubSubAsync(
            RedisCodec<K, V> codec, RedisURI uri) {
          return ConnectionFuture.completed(
              new InetSocketAddress(0), (StatefulRedisPubSubConnection<K, V>) connection());
        }
      };
  private final ReleaseNotifications notifications =
      new ReleaseNotifications(client, new RedisURI(), timer);

  @AfterEach
  void end() {
    notifications.close();
    OpeningSteps.shutDown(client);
  }

  private Object connection() {
    Object commands =
        proxy(
            RedisPubSubAsyncCommands.class,
            (method, arguments) -> {
              if (method.equals("subscribe")) {
                subscribed.add(List.of((String[]) arguments[0]));
              }
              return new PipelinedRedisFuture<>(new CompletableFuture<>());
            });
    return proxy(
        StatefulRedisPubSubConnection.class,
        (method, arguments) -> method.equals("isOpen") ? true : commands);
  }

  private interface Answering {
    Object answer(String method, Object[] arguments);
  }

  private static Object proxy(Class<?> type, Answering answering) {
    return Proxy.newProxyInstance(
        ReleaseNotificationsTest.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> answering.answer(method.getName(), arguments));
  }

  /** Those of two threads would overtake each other on the connection, and one could get lost. */
  @Test
  void onlyTheTimerSubscribes() {
    notifications.add("a", "owner-1", DEAF);
    assertEquals(List.of(), subscribed);
    timer.runAll();
    subscribed.clear();
    notifications.add("b", "owner-2", DEAF);
    assertEquals(List.of(), subscribed);
    timer.runAll();
    assertEquals(List.of(List.of("b")), subscribed);
  }

  /** A waiter that has come too late for a message asks again when the server confirms that. */
  @Test
  void aChannelIsSubscribedToAgainForItsNextWaiter() {
    notifications.add("a", "owner-1", DEAF);
    timer.runAll();
    subscribed.clear();
    notifications.add("a", "owner-2", DEAF);
    timer.runAll();
    assertEquals(List.of(List.of("a")), subscribed);
  }

  /** Their time does not matter here. */
  private static final class Tasks implements TimeSource {

    private final Queue<Runnable> tasks = new ArrayDeque<>();

    void runAll() {
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
    }

    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      tasks.add(task);
      return () -> {};
    }

    @Override
    public void close() {}
  }
}
