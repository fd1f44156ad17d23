/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.redis.SetClock;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.spi.Settings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how replicas are asked whether they have what was written, without a server. */
class ReplicationTest {

  private final RedisClient client = RedisClient.create();

  /** The requests: for how many replicas, and for how many milliseconds. */
  private final List<List<Object>> waits = new ArrayList<>();

  private long confirmed;

  @AfterEach
  void end() {
    OpeningSteps.shutDown(client);
  }

  @SuppressWarnings("unchecked")
  private CommandConnection line() {
    Object commands =
        proxy(
            RedisAsyncCommands.class,
            (proxy, method, arguments) -> {
              assertEquals("waitForReplication", method.getName());
              waits.add(List.of(arguments));
              return new PipelinedRedisFuture<>(CompletableFuture.completedFuture(confirmed));
            });
    Object connection =
        proxy(StatefulRedisConnection.class, (proxy, method, arguments) -> commands);
    return new CommandConnection(
        (StatefulRedisConnection<String, String>) connection, Optional.empty(), Optional.empty());
  }

  private static Object proxy(Class<?> type, InvocationHandler answers) {
    return Proxy.newProxyInstance(
        ReplicationTest.class.getClassLoader(), new Class<?>[] {type}, answers);
  }

  private CompletableFuture<String> written(int wanted) {
    Map<String, String> settings =
        Map.of(
            "uri",
            "redis://127.0.0.1:1",
            "command-timeout",
            "3s",
            "wait-replicas",
            String.valueOf(wanted));
    RedisConfig config = RedisConfig.from(new Settings("redis", settings)).get(0);
    return new RedisNode(config, client, new SetClock()).replicated("Writing", line(), "written");
  }

  /** Else the line would be given up, and nobody learn what is lacking. */
  @Test
  void theServerWaitsForLessTimeThanItsAnswerIsWaitedFor() {
    confirmed = 2;
    assertEquals("written", written(2).join());
    assertEquals(List.of(List.of(2, 1_500L)), waits);
  }

  @Test
  void moreThanAreWantedWillDo() {
    confirmed = 3;
    assertEquals("written", written(2).join());
  }

  @Test
  void whatTooFewHaveIsNoAnswer() {
    confirmed = 1;
    CompletionException failed = assertThrows(CompletionException.class, written(2)::join);
    String told =
        requireNonNull(
            assertInstanceOf(LockUnavailableException.class, failed.getCause()).getMessage());
    assertTrue(told.contains("1 of 2 replicas"), told);
  }

  @Test
  void nobodyIsAskedWhereNoneIsWanted() {
    assertEquals("written", written(0).join());
    assertEquals(List.of(), waits);
  }
}
