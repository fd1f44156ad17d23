/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.TimeSource;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens a backend: connects, and refuses or warns of a server that cannot keep the promises. */
final class RedisOpening {

  private static final Logger LOG = LoggerFactory.getLogger(RedisOpening.class);
  private static final int OLDEST_MAJOR = 5;
  private static final Duration SHUT_DOWN = Duration.ofSeconds(2);

  private RedisOpening() {}

  static RedisBackend open(RedisConfig config, RedisClient client, Runnable onClose) {
    client.setOptions(config.options());
    config.uri().setTimeout(config.connectTimeout());
    TimeSource time = TimeSource.host();
    CommandLink link = new CommandLink(client, config.uri(), time);
    Wakeups wakeups = new Wakeups(client, config.uri(), time);
    RedisBackend backend =
        new RedisBackend(config.namespace(), config.commandTimeout(), link, wakeups, time, onClose);
    String doing = "Opening Redis at " + RedisFailures.where(config.uri());
    try {
      await(doing, link.start(), config.connectTimeout().multipliedBy(2));
      check(doing, backend, config.commandTimeout());
      return backend;
    } catch (RuntimeException e) {
      backend.close();
      throw e;
    }
  }

  private static void check(String doing, RedisBackend backend, Duration timeout) {
    Line line = backend.link().line(doing);
    Duration patience = timeout.multipliedBy(2);
    try {
      inspect(await(doing, line.commands.info().toCompletableFuture(), patience));
    } catch (LockUnavailableException e) {
      throw e;
    } catch (LockRejectedException e) {
      if (e.getCause() == null) {
        throw e;
      }
      LOG.info("This Redis user may not use INFO, so the server's settings were not checked");
    }
    // No lock has this key, as no lock has an empty name.
    String harmless = backend.key("");
    await(doing, Script.RELEASE.<Long>call(line.commands, new String[] {harmless}, "-"), patience);
    await(
        doing,
        Script.RENEW.<List<Long>>call(line.commands, new String[] {harmless}, "-", "1"),
        patience);
    mayPublish(await(doing, publish(line, harmless), patience));
  }

  private static void inspect(String info) {
    int major = Integer.parseInt(field(info, "redis_version", "999.").split("\\.", 2)[0]);
    if (major < OLDEST_MAJOR) {
      throw new LockRejectedException(
          "Redis %s is too old: version %d or newer is needed"
              .formatted(field(info, "redis_version", "?"), OLDEST_MAJOR));
    }
    if (field(info, "redis_mode", "standalone").equals("cluster")) {
      throw new LockRejectedException(
          "This is a node of a Redis Cluster, which this provider does not support; "
              + "give the address of a single server");
    }
    if (field(info, "role", "master").equals("slave")) {
      throw new LockRejectedException(
          "This Redis is a read-only replica of another; give the address of the primary");
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

  private static CompletableFuture<Boolean> publish(Line line, String channel) {
    return line.commands
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
              + "&namespace:*), so a release wakes nobody, and waiters poll");
    }
  }

  private static <T> T await(String doing, CompletableFuture<T> stage, Duration limit) {
    try {
      return stage.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      LockException typed = RedisFailures.typed(doing, e);
      throw typed;
    } catch (TimeoutException e) {
      throw new LockUnavailableException(doing + " failed: no answer within " + limit, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockUnavailableException(doing + " was interrupted", e);
    }
  }

  /**
   * Ends a client, and with it the threads that are its own. An interrupt does not cut that short,
   * and stays set.
   */
  static void shutDown(RedisClient client) {
    CompletableFuture<Void> down =
        client.shutdownAsync(0, SHUT_DOWN.toMillis(), TimeUnit.MILLISECONDS);
    boolean interrupted = false;
    long end = System.nanoTime() + 2 * SHUT_DOWN.toNanos();
    while (true) {
      try {
        down.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      } catch (ExecutionException | TimeoutException e) {
        LOG.warn("Lettuce did not shut down in time", e);
        break;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
