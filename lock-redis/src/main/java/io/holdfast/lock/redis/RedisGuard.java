/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis;

import io.holdfast.lock.StaleTokenException;
import io.holdfast.lock.redis.client.OpeningSteps;
import io.holdfast.lock.redis.client.RedisFailures;
import io.holdfast.lock.redis.node.Script;
import io.holdfast.lock.text.TimeText;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Guards hashes in Redis or a cluster, over the caller's own connection: each remembers the
 * greatest token in its field {@code fencing-token}, and one script compares it and writes. So
 * token and data share a key: they are replicated, expire and are deleted together. A hash that was
 * deleted has forgotten; delete the other fields instead. For any number of threads.
 */
public final class RedisGuard {

  /** The field in which a hash remembers the greatest token. */
  public static final String TOKEN_FIELD = "fencing-token";

  /** The most arguments that the stack of Lua takes in one call. */
  private static final int MOST_FIELDS = 1000;

  private static final Script GUARD =
      Script.read(
          RedisGuard.class.getResourceAsStream("guard.lua"), "guard.lua", ScriptOutputType.VALUE);

  private final RedisScriptingAsyncCommands<String, String> commands;
  private final Duration timeout;

  /**
   * On a connection of the caller.
   *
   * @param commands {@code connection.async()}, of a server or a cluster; not closed here
   * @param timeout for how long an answer is waited for
   */
  public RedisGuard(RedisScriptingAsyncCommands<String, String> commands, Duration timeout) {
    this.commands = Objects.requireNonNull(commands, "commands");
    this.timeout = Objects.requireNonNull(timeout, "timeout");
    if (timeout.isZero() || timeout.isNegative()) {
      throw new IllegalArgumentException(
          "timeout must be positive, but is " + TimeText.of(timeout));
    }
  }

  /**
   * Writes fields of a hash, unless a greater token has been there.
   *
   * @param key of the hash
   * @param token of the lease under which this is written
   * @param fields to set, at most 1,000; others stay as they are
   * @throws StaleTokenException if a greater token has been there; nothing was written
   * @throws IllegalArgumentException if the token is not positive, or there are too many fields, or
   *     one is {@value #TOKEN_FIELD}
   * @throws io.holdfast.lock.LockUnavailableException if there is no answer in time; it may be
   *     written, now or later
   * @throws io.holdfast.lock.LockRejectedException if Redis refuses, for example as the key is no
   *     hash
   */
  public void put(String key, long token, Map<String, String> fields) {
    OpeningSteps.await(operation(key), putAsync(key, token, fields), timeout.multipliedBy(2));
  }

  /**
   * As {@link #put}, without blocking.
   *
   * @param key of the hash
   * @param token of the lease under which this is written
   * @param fields to set, at most 1,000; others stay as they are
   * @return completes when written, or fails as {@link #put} throws; on a thread of Lettuce, which
   *     must not be blocked
   */
  public CompletableFuture<Void> putAsync(String key, long token, Map<String, String> fields) {
    Objects.requireNonNull(key, "key");
    if (token < 1) {
      throw new IllegalArgumentException("token must be positive, but is " + token);
    }
    if (fields.size() > MOST_FIELDS || fields.containsKey(TOKEN_FIELD)) {
      throw new IllegalArgumentException(
          "fields must be at most %d, and none of them %s".formatted(MOST_FIELDS, TOKEN_FIELD));
    }
    List<String> args = new ArrayList<>();
    args.add(Long.toString(token));
    fields.forEach(
        (field, value) -> {
          args.add(field);
          args.add(value);
        });
    return GUARD
        .<@Nullable String>call(commands, new String[] {key}, args.toArray(String[]::new))
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .handle(
            (newest, failure) -> {
              if (failure != null) {
                throw RedisFailures.typed(operation(key), failure);
              }
              if (newest != null) {
                throw new StaleTokenException(key, token, newest + " has been there");
              }
              return null;
            });
  }

  private static String operation(String key) {
    return "Writing '" + key + "'";
  }
}
