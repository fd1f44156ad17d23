/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockRejectedException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.ReconnectingConnection;
import io.holdfast.lock.redis.client.RedisAddress;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.redis.client.RedisInfo;
import io.holdfast.lock.spi.support.Failures;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The one connection for commands. While it is down nothing is sent, and nothing is kept to be sent
 * later.
 *
 * <p>A command without an answer may still be on its way to the server. So a line on which a
 * command timed out is given up; and before the next line is used, the server is told to kill the
 * old one by its number (CLIENT KILL ID). The server runs commands one at a time and drops what it
 * has not read of a killed client, so from then on nothing of the old line can be carried out.
 * Where that is not permitted, the line does not count as dead, and {@link NodeClaim} cleans up
 * until the TTL has passed.
 */
final class CommandLink {

  private static final Duration PING_EVERY = Duration.ofSeconds(5);

  private final RedisClient client;
  private final RedisURI uri;
  private final TimeSource time;
  private final Function<RedisAsyncCommands<String, String>, ? extends CompletableFuture<?>> check;
  private final ReconnectingConnection<CommandConnection> lines;
  private final Set<CommandConnection> toKill = ConcurrentHashMap.newKeySet();
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * Connects to nothing yet.
   *
   * @param check of each new connection; fails if the server must not be used
   */
  CommandLink(
      RedisClient client,
      RedisURI uri,
      TimeSource time,
      Function<RedisAsyncCommands<String, String>, ? extends CompletableFuture<?>> check) {
    this.client = client;
    this.uri = uri;
    this.time = time;
    this.check = check;
    this.lines =
        new ReconnectingConnection<>(
            "Redis command connection",
            this::connect,
            line -> time.schedule(PING_EVERY, () -> look(line)),
            this::retire,
            time);
  }

  /** Completes after the first try to connect. */
  CompletableFuture<Void> start() {
    return lines.start();
  }

  /** The line to send on. */
  CommandConnection line(String operation) {
    CommandConnection line = lines.current();
    if (line == null) {
      throw new LockUnavailableException(
          operation + " failed: there is no connection to Redis at " + RedisFailures.where(uri),
          lines.lastFailure());
    }
    return line;
  }

  boolean isConnected() {
    return lines.current() != null;
  }

  /** When the server was started, by the clock of this process, if there is a line and it told. */
  Optional<Long> serverStartedAt() {
    CommandConnection line = lines.current();
    return line == null ? Optional.empty() : line.serverStartedAt;
  }

  /** Which run of which server it is, if there is a line and it told. */
  Optional<String> serverRun() {
    CommandConnection line = lines.current();
    return line == null
        ? Optional.empty()
        : line.identity.map(CommandConnection.Identity::serverRun);
  }

  /** After a command without an answer, or with one that says that this is the wrong server. */
  void giveUp(CommandConnection line, Throwable cause) {
    if (!line.dead) {
      toKill.add(line);
    }
    lines.drop(line, cause);
  }

  /** One that is to be killed stays open until then: see {@link #close}. */
  private void retire(CommandConnection line) {
    line.givenUp = true;
    if (!toKill.contains(line)) {
      line.connection.closeAsync();
    }
  }

  /**
   * Ends all lines. Nothing is undone: a claim that was not answered here may hold the lock at
   * another server by now, which this one follows.
   */
  void end() {
    lines.end();
    toKill.forEach(line -> line.connection.closeAsync());
  }

  /** Nothing of this client is to be taken by what is under way still. */
  void close() {
    CommandConnection last = lines.current();
    lines.close();
    if (last != null) {
      last.undoUnanswered();
    }
    toKill.forEach(CommandConnection::undoUnanswered);
  }

  private CompletableFuture<CommandConnection> connect() {
    return connect(uri.getSentinels().size());
  }

  /**
   * A sentinel may be behind the others, and name a server that is a replica by now: then another
   * is asked. A replica must not be believed even where it only reads, as it may not have the lock
   * (yet).
   */
  private CompletableFuture<CommandConnection> connect(int sentinelsToTry) {
    return connect(RedisAddress.rotated(uri, turn.get()))
        .exceptionallyCompose(
            failure -> {
              turn.incrementAndGet();
              return sentinelsToTry > 1 && Failures.cause(failure) instanceof LockRejectedException
                  ? connect(sentinelsToTry - 1)
                  : CompletableFuture.failedFuture(failure);
            });
  }

  private CompletableFuture<CommandConnection> connect(RedisURI where) {
    return client
        .connectAsync(StringCodec.UTF8, where)
        .toCompletableFuture()
        .thenCompose(
            connection ->
                identify(connection)
                    .thenCombine(check.apply(connection.async()), (line, checked) -> line)
                    .thenCompose(line -> killOthers(line).thenApply(done -> line))
                    .thenApply(this::watch)
                    .whenComplete(
                        (line, failure) -> {
                          if (failure != null) {
                            connection.closeAsync();
                          }
                        }));
  }

  private CompletableFuture<CommandConnection> identify(
      StatefulRedisConnection<String, String> connection) {
    CompletableFuture<Optional<Long>> clientId =
        ifPermitted(connection.async().clientId().toCompletableFuture());
    CompletableFuture<Optional<String>> serverInfo =
        ifPermitted(connection.async().info().toCompletableFuture());
    return clientId.thenCombine(
        serverInfo,
        (id, info) -> {
          info.ifPresent(CommandLink::refuseReplica);
          return new CommandConnection(
              connection,
              info.flatMap(text -> RedisInfo.field(text, "run_id"))
                  .flatMap(run -> id.map(number -> new CommandConnection.Identity(run, number))),
              info.flatMap(text -> RedisInfo.field(text, "uptime_in_seconds"))
                  .map(
                      seconds -> time.nanos() - TimeUnit.SECONDS.toNanos(leastSecondsUp(seconds))));
        });
  }

  /** In a cluster, a replica sends those on who ask it for a lock. */
  private static void refuseReplica(String info) {
    if (RedisInfo.field(info, "role").filter("slave"::equals).isPresent()
        && RedisInfo.field(info, "redis_mode").filter("cluster"::equals).isEmpty()) {
      throw new LockRejectedException(
          "This Redis is a read-only replica of another; give the address of the primary");
    }
  }

  /** Servers count seconds by the second that it is, so they may be ahead by one. */
  static long leastSecondsUp(String uptime) {
    try {
      return Math.max(0, Long.parseLong(uptime) - 1);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private CompletableFuture<Void> killOthers(CommandConnection line) {
    CompletableFuture<?>[] kills =
        toKill.stream().map(old -> kill(line, old)).toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(kills);
  }

  private CompletableFuture<Void> kill(CommandConnection line, CommandConnection old) {
    CompletableFuture<Boolean> killed;
    if (old.identity.isEmpty() || line.identity.isEmpty()) {
      killed = CompletableFuture.completedFuture(false);
    } else if (!old.identity.get().serverRun().equals(line.identity.get().serverRun())) {
      // The server has started anew since then, and the old number may be somebody else's now.
      killed = CompletableFuture.completedFuture(true);
    } else {
      KillArgs byNumber = KillArgs.Builder.id(old.identity.get().clientId());
      killed =
          ifPermitted(line.commands.clientKill(byNumber).toCompletableFuture())
              .thenApply(Optional::isPresent);
    }
    return killed.thenAccept(
        dead -> {
          old.dead = dead;
          toKill.remove(old);
          old.connection.closeAsync();
        });
  }

  /** A refusal by the server is an answer too: we may not, and do without. */
  private static <T> CompletableFuture<Optional<T>> ifPermitted(CompletableFuture<T> answer) {
    return answer
        .thenApply(Optional::of)
        .exceptionallyCompose(
            failure ->
                RedisFailures.isAnswer(failure)
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : CompletableFuture.failedFuture(failure));
  }

  private CommandConnection watch(CommandConnection line) {
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

  /** Finds a connection that is half open before somebody needs it. */
  private void look(CommandConnection line) {
    if (lines.current() != line) {
      return;
    }
    line.commands
        .ping()
        .whenComplete(
            (pong, failure) -> {
              if (failure != null && RedisFailures.endsLine(failure)) {
                giveUp(line, failure);
              } else {
                time.schedule(PING_EVERY, () -> look(line));
              }
            });
  }
}
