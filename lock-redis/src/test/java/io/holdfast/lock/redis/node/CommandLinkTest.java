/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import io.lettuce.core.codec.RedisCodec;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests what becomes of connections to servers that must not be used, without a server. */
class CommandLinkTest {

  /** Nothing is tried again here. */
  private static final TimeSource STANDS =
      new TimeSource() {
        @Override
        public long nanos() {
          return 0;
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
          return () -> {};
        }

        @Override
        public void close() {}
      };

  private String role = "master";
  private int made;
  private int closed;
  private final RedisClient client =
      new RedisClient(null, new RedisURI()) {
        @Override
        @SuppressWarnings("unchecked")
        public <K, V> ConnectionFuture<StatefulRedisConnection<K, V>> connectAsync(
            RedisCodec<K, V> codec, RedisURI uri) {
          made++;
          return ConnectionFuture.completed(
              new InetSocketAddress(0), (StatefulRedisConnection<K, V>) connection());
        }
      };

  @AfterEach
  void end() {
    OpeningSteps.shutDown(client);
  }

  private Object connection() {
    Object commands =
        proxy(
            RedisAsyncCommands.class,
            (method, arguments) ->
                new PipelinedRedisFuture<>(
                    CompletableFuture.completedFuture(
                        method.equals("info")
                            ? "role:" + role + "\r\nredis_mode:standalone\r\nrun_id:run\r\n"
                            : (Object) 7L)));
    return proxy(
        StatefulRedisConnection.class,
        (method, arguments) ->
            switch (method) {
              case "async" -> commands;
              case "isOpen" -> true;
              case "closeAsync" -> {
                closed++;
                yield CompletableFuture.completedFuture(null);
              }
              default -> null;
            });
  }

  private static Object proxy(
      Class<?> type, BiFunction<String, Object @Nullable [], @Nullable Object> answering) {
    return Proxy.newProxyInstance(
        CommandLinkTest.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> answering.apply(method.getName(), arguments));
  }

  private CommandLink link(UnaryOperator<CompletableFuture<Object>> check) {
    return new CommandLink(
        client,
        RedisURI.create("redis://127.0.0.1:1"),
        STANDS,
        commands -> check.apply(CompletableFuture.completedFuture(true)));
  }

  private void assertRefusedAndClosed(CommandLink link) {
    CompletableFuture<Void> start = link.start();
    Throwable told = assertThrows(RuntimeException.class, start::join);
    assertTrue(told.getCause() instanceof LockRejectedException, told.toString());
    assertFalse(link.isConnected());
    assertEquals(1, made);
    assertEquals(1, closed);
  }

  /** It is tried each second, and would have a connection more each time. */
  @Test
  void aConnectionToAReplicaIsClosed() {
    role = "slave";
    assertRefusedAndClosed(link(checked -> checked));
  }

  /** Of another cluster, say. */
  @Test
  void aConnectionThatDoesNotPassTheCheckIsClosed() {
    assertRefusedAndClosed(
        link(checked -> CompletableFuture.failedFuture(new LockRejectedException("a stranger"))));
  }

  @Test
  void oneToAServerThatWillDoStaysOpen() {
    CommandLink link = link(checked -> checked);
    link.start().join();
    assertTrue(link.isConnected());
    assertEquals(0, closed);
  }

  /** One that was started at 0.9 s says at 2.0 s that it has been running for 2 s. */
  @Test
  void aServerIsNotTakenForOlderThanItIs() {
    assertEquals(1, CommandLink.leastSecondsUp("2"));
    assertEquals(86_399, CommandLink.leastSecondsUp("86400"));
    assertEquals(0, CommandLink.leastSecondsUp("1"));
    assertEquals(0, CommandLink.leastSecondsUp("0"));
    assertEquals(0, CommandLink.leastSecondsUp("long"), "what is no number proves nothing");
  }
}
