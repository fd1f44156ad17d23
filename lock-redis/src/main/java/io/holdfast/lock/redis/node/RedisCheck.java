/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.redis.client.RedisInfo;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses, or warns of, a server that cannot keep the promises. */
final class RedisCheck {

  private static final Logger LOG = LoggerFactory.getLogger(RedisCheck.class);
  private static final int OLDEST_MAJOR = 5;

  private final RedisNode node;

  RedisCheck(RedisNode node) {
    this.node = node;
  }

  CompletableFuture<Void> inspect(String mode) {
    return with(
        commands ->
            orWithout(commands.info().toCompletableFuture())
                .thenAccept(info -> inspect(info, mode)));
  }

  CompletableFuture<Void> tryLocks() {
    // No lock has this key, as no lock has an empty name.
    String[] harmless = {node.key("")};
    return with(
        commands ->
            Script.RELEASE
                .<List<Object>>call(commands, harmless, "-", "quiet")
                .thenCompose(done -> Script.RENEW.<List<Long>>call(commands, harmless, "-", "1"))
                .thenCompose(done -> publish(commands, harmless[0]))
                .thenAccept(RedisCheck::mayPublish));
  }

  private CompletableFuture<Void> with(
      Function<RedisAsyncCommands<String, String>, CompletableFuture<Void>> step) {
    String operation = "Opening Redis at " + node.where();
    CommandConnection line;
    try {
      line = node.line(operation);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return step.apply(line.commands)
        .exceptionallyCompose(failure -> node.failed(operation, line, failure));
  }

  private static CompletableFuture<String> orWithout(CompletableFuture<String> info) {
    return info.exceptionallyCompose(
        failure -> {
          if (RedisFailures.typed("INFO", failure) instanceof LockRejectedException) {
            LOG.info("This Redis user may not use INFO, so the server's settings were not checked");
            return CompletableFuture.completedFuture("");
          }
          return CompletableFuture.failedFuture(failure);
        });
  }

  /** By what INFO says; what it does not say is taken to be right. */
  static void inspect(String info, String mode) {
    int major = Integer.parseInt(field(info, "redis_version", "999.").split("\\.", 2)[0]);
    if (major < OLDEST_MAJOR) {
      throw new LockRejectedException(
          "Redis %s is too old: version %d or newer is needed"
              .formatted(field(info, "redis_version", "?"), OLDEST_MAJOR));
    }
    String found = field(info, "redis_mode", mode);
    if (!found.equals(mode)) {
      throw new LockRejectedException(
          found.equals("cluster")
              ? "This is a node of a Redis Cluster; begin the uri with redis-cluster://"
              : "This Redis is not a node of a cluster (it is "
                  + found
                  + "); begin the uri with redis://");
    }
    String policy = field(info, "maxmemory_policy", "noeviction");
    if (policy.startsWith("allkeys") || policy.startsWith("volatile")) {
      LOG.warn(
          "This Redis evicts keys when memory is short (maxmemory-policy {}), and locks with them; "
              + "use noeviction where a lock must not vanish",
          policy);
    }
  }

  private static String field(String info, String name, String fallback) {
    return RedisInfo.field(info, name).orElse(fallback);
  }

  private static CompletableFuture<Boolean> publish(
      RedisAsyncCommands<String, String> commands, String channel) {
    return commands
        .publish(channel, "-")
        .toCompletableFuture()
        .thenApply(receivers -> true)
        .exceptionallyCompose(
            failure ->
                RedisFailures.isAnswer(failure)
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  private static void mayPublish(boolean permitted) {
    if (!permitted) {
      LOG.warn(
          "This Redis user may not publish to the channels of the namespace (in ACL SETUSER: "
              + "&namespace:*), so a release wakes no waiters, and they poll");
    }
  }
}
