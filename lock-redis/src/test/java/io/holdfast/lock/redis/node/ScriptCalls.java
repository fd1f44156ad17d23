/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.PipelinedRedisFuture;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A connection without a server: it notes which scripts are called, and a test answers them. */
final class ScriptCalls {

  /**
   * One call.
   *
   * @param command EVAL or EVALSHA
   * @param script its text, or its digest
   */
  record Call(
      String command,
      String script,
      List<String> keys,
      List<String> args,
      CompletableFuture<Object> answer) {}

  final List<Call> all = new CopyOnWriteArrayList<>();
  final CommandConnection line = line();

  @SuppressWarnings("unchecked")
  private CommandConnection line() {
    Object commands = proxy(RedisAsyncCommands.class, this::call);
    Object connection =
        proxy(
            StatefulRedisConnection.class,
            (method, arguments) ->
                switch (method) {
                  case "async" -> commands;
                  case "isOpen" -> true;
                  default -> null;
                });
    return new CommandConnection(
        (StatefulRedisConnection<String, String>) connection, Optional.empty(), Optional.empty());
  }

  private Object call(String command, Object[] arguments) {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    all.add(
        new Call(
            command,
            (String) arguments[0],
            List.of((String[]) arguments[2]),
            List.of((String[]) arguments[3]),
            answer));
    return new PipelinedRedisFuture<>(answer);
  }

  private interface Answering {
    @Nullable Object answer(String method, Object[] arguments);
  }

  private static Object proxy(Class<?> type, Answering answering) {
    return Proxy.newProxyInstance(
        ScriptCalls.class.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) -> answering.answer(method.getName(), arguments));
  }
}
