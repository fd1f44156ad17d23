/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.spi.TimeSource;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The one connection for commands. While it is down nothing is sent, and nothing is kept to be sent
 * later.
 *
 * <p>A command without an answer may still be on its way to the server. So a line on which a
 * command timed out is given up; and before the next line is used, the server is told to kill the
 * old one by its number (CLIENT KILL ID). The server runs commands one at a time and drops what it
 * has not read of a killed client, so from then on nothing of the old line can be carried out.
 * Where that is not permitted, the line does not count as dead, and {@link RedisClaim} cleans up
 * until the TTL has passed.
 */
final class CommandLink {

  private final RedisClient client;
  private final RedisURI uri;
  private final Reconnecting<Line> lines;
  private final Set<Line> toKill = ConcurrentHashMap.newKeySet();

  CommandLink(RedisClient client, RedisURI uri, TimeSource time) {
    this.client = client;
    this.uri = uri;
    this.lines =
        new Reconnecting<>(
            "Redis command connection", this::connect, line -> line.connection.closeAsync(), time);
  }

  /** Completes after the first try to connect. */
  CompletableFuture<Void> start() {
    return lines.start();
  }

  /** The line to send on. */
  Line line(String doing) {
    Line line = lines.current();
    if (line == null) {
      throw new LockUnavailableException(
          doing + " failed: there is no connection to Redis at " + RedisFailures.where(uri),
          lines.lastFailure());
    }
    return line;
  }

  /** After a command without an answer, or with one that says that this is the wrong server. */
  void giveUp(Line line, Throwable cause) {
    if (!line.dead) {
      toKill.add(line);
    }
    lines.drop(line, cause);
  }

  void close() {
    lines.close();
  }

  private CompletableFuture<Line> connect() {
    return client
        .connectAsync(StringCodec.UTF8, uri)
        .toCompletableFuture()
        .thenCompose(
            connection ->
                identify(connection)
                    .thenCompose(line -> killOthers(line).thenApply(done -> line))
                    .thenApply(this::watch)
                    .whenComplete(
                        (line, failure) -> {
                          if (failure != null) {
                            connection.closeAsync();
                          }
                        }));
  }

  private CompletableFuture<Line> identify(StatefulRedisConnection<String, String> connection) {
    return connection
        .async()
        .clientId()
        .toCompletableFuture()
        .handle(
            (id, failure) -> {
              Optional<Throwable> silent = unlessRefused(failure);
              return silent.isPresent()
                  ? CompletableFuture.<Line>failedFuture(silent.get())
                  : CompletableFuture.completedFuture(
                      new Line(
                          connection,
                          failure == null ? OptionalLong.of(id) : OptionalLong.empty()));
            })
        .thenCompose(stage -> stage);
  }

  private CompletableFuture<Void> killOthers(Line line) {
    CompletableFuture<?>[] kills =
        toKill.stream().map(old -> kill(line, old)).toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(kills);
  }

  private CompletableFuture<Void> kill(Line line, Line old) {
    if (old.id.isEmpty()) {
      toKill.remove(old);
      return CompletableFuture.completedFuture(null);
    }
    return line.commands
        .clientKill(KillArgs.Builder.id(old.id.getAsLong()))
        .toCompletableFuture()
        .handle(
            (count, failure) -> {
              Optional<Throwable> silent = unlessRefused(failure);
              if (silent.isPresent()) {
                return CompletableFuture.<Void>failedFuture(silent.get());
              }
              old.dead = failure == null;
              toKill.remove(old);
              return CompletableFuture.<Void>completedFuture(null);
            })
        .thenCompose(stage -> stage);
  }

  /** A refusal by the server is an answer too: we may not, and do without. */
  private static Optional<Throwable> unlessRefused(@Nullable Throwable failure) {
    return failure == null || RedisFailures.cause(failure) instanceof RedisCommandExecutionException
        ? Optional.empty()
        : Optional.of(failure);
  }

  private Line watch(Line line) {
    line.connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> connection) {
            giveUp(line, new LockUnavailableException("The connection to Redis broke"));
          }
        });
    if (!line.connection.isOpen()) {
      throw new LockUnavailableException("The connection to Redis broke while it was made");
    }
    return line;
  }
}
