/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LossReason;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.spi.ClaimSignals;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests when channels are subscribed to, by whom, and for how long. There is no server. */
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
  private final List<List<String>> unsubscribed = new ArrayList<>();
  private final List<RedisPubSubListener<String, String>> listeners = new ArrayList<>();
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

  @SuppressWarnings("unchecked")
  private Object connection() {
    Object commands =
        proxy(
            RedisPubSubAsyncCommands.class,
            (method, arguments) -> {
              if (method.equals("subscribe")) {
                subscribed.add(List.of((String[]) arguments[0]));
              } else if (method.equals("unsubscribe")) {
                unsubscribed.add(List.of((String[]) arguments[0]));
              }
              return new PipelinedRedisFuture<>(new CompletableFuture<>());
            });
    return proxy(
        StatefulRedisPubSubConnection.class,
        (method, arguments) -> {
          if (method.equals("addListener") && arguments[0] instanceof RedisPubSubListener<?, ?>) {
            listeners.add((RedisPubSubListener<String, String>) arguments[0]);
          }
          return method.equals("isOpen") ? true : commands;
        });
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
    timer.runDue();
    subscribed.clear();
    notifications.add("b", "owner-2", DEAF);
    assertEquals(List.of(), subscribed);
    timer.runDue();
    assertEquals(List.of(List.of("b")), subscribed);
  }

  /** A waiter that has come too late for a message asks again when the server confirms that. */
  @Test
  void aChannelIsSubscribedToAgainForItsNextWaiter() {
    notifications.add("a", "owner-1", DEAF);
    timer.runDue();
    subscribed.clear();
    notifications.add("a", "owner-2", DEAF);
    timer.runDue();
    assertEquals(List.of(List.of("a")), subscribed);
  }

  /** The server confirms the subscription. */
  private void confirmed(String channel) {
    timer.runDue();
    listeners.get(0).subscribed(channel, 1);
  }

  private void pass(long millis) {
    timer.now += Duration.ofMillis(millis).toNanos();
    timer.runDue();
  }

  /** A client that takes turns at a lock with others waits for it again soon. */
  @Test
  void aChannelOutlivesItsLastWaiterForAWhile() {
    notifications.add("a", "owner-1", DEAF);
    confirmed("a");
    notifications.remove("a", "owner-1");
    pass(500);
    assertEquals(List.of(), unsubscribed);
    assertTrue(notifications.join("a", "owner-2", DEAF));
    pass(10_000);
    assertEquals(List.of(), unsubscribed, "somebody waits again");
    notifications.remove("a", "owner-2");
    pass(500);
    assertEquals(List.of(), unsubscribed, "it is kept after each of them");
    pass(10_000);
    assertEquals(List.of(List.of("a")), unsubscribed);
    assertFalse(notifications.join("a", "owner-3", DEAF));
  }

  /** Else it could ask before the subscription, and miss the release after the answer. */
  @Test
  void nobodyJoinsAChannelBeforeTheServerHasConfirmedIt() {
    notifications.add("a", "owner-1", DEAF);
    timer.runDue();
    assertFalse(notifications.join("a", "owner-2", DEAF));
    confirmed("a");
    assertTrue(notifications.join("a", "owner-2", DEAF));
  }

  /** Goes on by hand. */
  private static final class Tasks implements TimeSource {

    private record Task(long at, Runnable work) {}

    private final List<Task> tasks = new ArrayList<>();
    private long now;

    void runDue() {
      List<Task> due;
      do {
        due = tasks.stream().filter(task -> task.at() <= now).toList();
        tasks.removeAll(due);
        due.forEach(task -> task.work().run());
      } while (!due.isEmpty());
    }

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
      tasks.add(new Task(now + delay.toNanos(), task));
      return () -> {};
    }

    @Override
    public void close() {}
  }
}
