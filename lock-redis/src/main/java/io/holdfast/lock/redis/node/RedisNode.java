/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.LockException;
import io.holdfast.lock.LockUnavailableException;
import io.holdfast.lock.TimeSource;
import io.holdfast.lock.redis.client.RedisConfig;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.spi.ClaimRequest;
import io.holdfast.lock.spi.support.Failures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * One Redis server as a client sees it: a connection for commands and one for messages, both made
 * again when they break. For any number of threads.
 */
public final class RedisNode {

  private final RedisConfig config;
  private final TimeSource time;
  private final CommandLink link;
  private final ReleaseNotifications wakeups;
  private final Route route = Route.to(this);

  /**
   * Connects to nothing yet.
   *
   * @param config where and how
   * @param client has the options of the configuration; closed by the caller, after this
   * @param time closed by the caller, after this
   */
  public RedisNode(RedisConfig config, RedisClient client, TimeSource time) {
    this(config, client, time, commands -> CompletableFuture.completedFuture(true));
  }

  /**
   * As above, of a cluster.
   *
   * @param config where and how
   * @param client as above
   * @param time as above
   * @param check of each new connection; fails with a {@link LockException} if the server must not
   *     be used, as it is not of this cluster
   */
  public RedisNode(
      RedisConfig config,
      RedisClient client,
      TimeSource time,
      Function<RedisAsyncCommands<String, String>, ? extends CompletableFuture<?>> check) {
    this.config = config;
    this.time = time;
    this.link = new CommandLink(client, config.uri(), time, check);
    this.wakeups = new ReleaseNotifications(client, config.uri(), time);
  }

  /**
   * Connects, and goes on trying if that fails.
   *
   * @return done after the first try; fails with Lettuce's failure
   */
  public CompletableFuture<Void> start() {
    return link.start();
  }

  /**
   * Whether there is a connection.
   *
   * @return false while it is made (again)
   */
  public boolean isConnected() {
    return link.isConnected();
  }

  /**
   * Asks the server whether it can keep the promises of a lock, and logs what it does not need to
   * be refused for.
   *
   * @return done if it can; fails with a {@link LockException} otherwise
   */
  public CompletableFuture<Void> check() {
    return inspect("standalone").thenCompose(done -> tryLocks());
  }

  /**
   * Asks the server what kind it is.
   *
   * @param mode as INFO calls it
   * @return done if it is of that mode; fails with a {@link LockException} otherwise
   */
  public CompletableFuture<Void> inspect(String mode) {
    return new RedisCheck(this).inspect(mode);
  }

  /**
   * Tries what locks need, with a key that no lock has.
   *
   * @return done if they can be kept here; fails with a {@link LockException} otherwise
   */
  public CompletableFuture<Void> tryLocks() {
    return new RedisCheck(this).tryLocks();
  }

  /** Where it is, and how it is reached. */
  RedisConfig config() {
    return config;
  }

  /**
   * For how long the server has been running at least, as it said when the connection was made.
   *
   * @return empty if there is no connection, or the server does not tell
   */
  public Optional<Duration> uptime() {
    return link.serverStartedAt().map(started -> Duration.ofNanos(time.nanos() - started));
  }

  /**
   * Which run of which server this is, as it said when the connection was made.
   *
   * @return empty if there is no connection, or the server does not tell
   */
  public Optional<String> serverRun() {
    return link.serverRun();
  }

  /**
   * Host and port.
   *
   * @return for messages; holds no secret
   */
  public String where() {
    return config.where();
  }

  /**
   * Calls a script that takes no lock.
   *
   * @param operation the beginning of the message if it fails
   * @param script which
   * @param keys of the script
   * @param args of the script
   * @param <T> of its answer
   * @return the answer; fails with a {@link LockException}
   */
  public <T> CompletableFuture<T> call(
      String operation, Script script, String[] keys, String... args) {
    return over(
        operation,
        line ->
            script
                .<T>call(line.commands, keys, args)
                .exceptionallyCompose(failure -> failed(operation, line, failure)));
  }

  /**
   * As {@link #call}, and has the replicas confirm what was written, if so many are configured.
   *
   * @param operation the beginning of the message if it fails
   * @param script which
   * @param keys of the script
   * @param args of the script
   * @param <T> of its answer
   * @return the answer; fails with a {@link LockException}
   */
  public <T> CompletableFuture<T> write(
      String operation, Script script, String[] keys, String... args) {
    return over(
        operation,
        line ->
            this.<T>call(operation, script, keys, args)
                .thenCompose(answer -> replicated(operation, line, answer)));
  }

  /**
   * Makes a contender that hears of a release as all others do. Sends nothing.
   *
   * @param request who wants which lock, and on which terms
   * @param counter what its numbers are drawn from
   * @return a claim that was never asked
   */
  public NodeClaim claim(ClaimRequest request, TokenCounter counter) {
    return claim(request, LockKeys.tellingAll(key(request.lockName()), counter));
  }

  /**
   * As {@link #claim(ClaimRequest, TokenCounter)}, with other keys.
   *
   * @param request as above
   * @param keys at this server
   * @return as above
   */
  public NodeClaim claim(ClaimRequest request, LockKeys keys) {
    return new NodeClaim(route, time, request, keys);
  }

  /**
   * Where a lock is, and the channel on which its release is told.
   *
   * @param lockName its name
   * @return the key
   */
  public String key(String lockName) {
    return config.namespace() + ":" + lockName;
  }

  /**
   * The notifications that wake waiters.
   *
   * @return of this server
   */
  public ReleaseNotifications wakeups() {
    return wakeups;
  }

  /** Ends the connections, and makes no others. The client goes on without this server. */
  public void end() {
    wakeups.end();
    link.end();
  }

  /** Makes no further connections. The client is to be closed next, and with it the last ones. */
  public void close() {
    wakeups.close();
    link.close();
  }

  /**
   * The answer to what was written last on a line; fails if too few replicas have it. Replicas are
   * asked on the line that was there before the writing: on a newer one, where nothing was written,
   * all would say yes.
   */
  <T> CompletableFuture<T> replicated(String operation, CommandConnection line, T answer) {
    int wanted = config.replicas();
    if (wanted == 0) {
      return CompletableFuture.completedFuture(answer);
    }
    return line.commands
        .waitForReplication(wanted, config.commandTimeout().toMillis() / 2)
        .toCompletableFuture()
        .thenApply(
            count -> {
              if (count < wanted) {
                throw new LockUnavailableException(
                    "%s failed: %d of %d replicas have confirmed it in time ('wait-replicas')"
                        .formatted(operation, count, wanted));
              }
              return answer;
            })
        .exceptionallyCompose(failure -> failed(operation, line, failure));
  }

  CommandConnection line(String operation) {
    return link.line(operation);
  }

  /**
   * Asks whatever a cluster needs to know.
   *
   * @param operation the beginning of the message if it fails
   * @param question fails with a {@link LockException} if the server is not of this cluster any
   *     more; then its line is given up
   * @param <T> of the answer
   * @return the answer; fails with a {@link LockException}
   */
  public <T> CompletableFuture<T> ask(
      String operation,
      Function<RedisAsyncCommands<String, String>, CompletableFuture<T>> question) {
    return over(
        operation,
        line ->
            question
                .apply(line.commands)
                .exceptionallyCompose(
                    failure -> {
                      if (Failures.cause(failure) instanceof LockException stranger) {
                        link.giveUp(line, stranger);
                      }
                      return failed(operation, line, failure);
                    }));
  }

  /** Takes a step on the line that there is; fails if there is none. */
  <T> CompletableFuture<T> over(
      String operation, Function<CommandConnection, CompletableFuture<T>> step) {
    CommandConnection line;
    try {
      line = link.line(operation);
    } catch (LockUnavailableException e) {
      return CompletableFuture.failedFuture(e);
    }
    return step.apply(line);
  }

  /** Types a failure, and gives its line up if it is of no use any more. */
  <T> CompletableFuture<T> failed(String operation, CommandConnection line, Throwable failure) {
    LockException typed = RedisFailures.typed(operation, failure);
    if (!(Failures.cause(failure) instanceof LockException) && RedisFailures.endsLine(failure)) {
      link.giveUp(line, typed);
    }
    return CompletableFuture.failedFuture(typed);
  }
}
