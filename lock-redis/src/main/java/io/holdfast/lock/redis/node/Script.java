/* Copyright 2026 the Holdfast authors.
 * SPDX-License-Identifier: Apache-2.0 */
package io.holdfast.lock.redis.node;

import io.holdfast.lock.spi.support.Failures;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A Lua script that is called by its digest, and sent whole to a server that does not know it
 * (yet).
 */
public final class Script {

  /** Prolongs many locks: for each 1 (prolonged), 0 (not this owner's any more) or its end. */
  public static final Script RENEW = own("renew.lua", ScriptOutputType.MULTI);

  /** Shortens locks that the server keeps for too long, unless they were prolonged since. */
  static final Script SHORTEN = own("shorten.lua", ScriptOutputType.INTEGER);

  /** Takes locks and draws numbers; see {@link LockCalls}. */
  public static final Script ACQUIRE = own("acquire.lua", ScriptOutputType.MULTI);

  /** Frees locks that are their owners'; see {@link LockCalls}. */
  public static final Script RELEASE = own("release.lua", ScriptOutputType.MULTI);

  /** Says who holds a lock: owner id and remaining TTL, or nothing. */
  static final Script INSPECT = own("inspect.lua", ScriptOutputType.MULTI);

  /** Grants shares, or gives places in the queue; see {@link ShareCalls}. */
  static final Script SHARE_ACQUIRE = share("share-acquire.lua", ScriptOutputType.MULTI);

  /** Gives shares back, and leaves the queue; see {@link ShareCalls}. */
  static final Script SHARE_RELEASE = share("share-release.lua", ScriptOutputType.MULTI);

  /** Prolongs many shares: for each 1 (prolonged) or 0 (not this owner's any more). */
  static final Script SHARE_RENEW = share("share-renew.lua", ScriptOutputType.MULTI);

  /** Gives a part of a share back: 1 if it was its owner's. */
  static final Script SHARE_REDUCE = share("share-reduce.lua", ScriptOutputType.INTEGER);

  /** Changes a capacity: 1 if it was what was said. */
  static final Script SHARE_CAPACITY = share("share-capacity.lua", ScriptOutputType.INTEGER);

  /** Says who holds shares: the capacity, and for each holder what it has. */
  static final Script SHARE_INSPECT = share("share-inspect.lua", ScriptOutputType.MULTI);

  private final String text;
  private final String digest;
  private final ScriptOutputType output;

  private Script(String text, ScriptOutputType output) {
    this.text = text;
    this.digest = Base16.digest(text.getBytes(StandardCharsets.UTF_8));
    this.output = output;
  }

  /** Begins with the functions that these scripts share. */
  private static Script own(String resource, ScriptOutputType output) {
    return new Script(ownText("read.lua") + ownText(resource), output);
  }

  private static Script share(String resource, ScriptOutputType output) {
    return new Script(ownText("read.lua") + ownText("share.lua") + ownText(resource), output);
  }

  private static String ownText(String resource) {
    return text(Script.class.getResourceAsStream(resource), resource);
  }

  /**
   * Reads a script.
   *
   * @param resource as {@link Class#getResourceAsStream} gives it; read to its end and closed
   * @param name of the resource, for the message if it is missing
   * @param output the kind of its answer
   * @return the script
   */
  public static Script read(@Nullable InputStream resource, String name, ScriptOutputType output) {
    return new Script(text(resource, name), output);
  }

  private static String text(@Nullable InputStream resource, String name) {
    if (resource == null) {
      throw new IllegalStateException(name + " is missing from the jar");
    }
    try (InputStream in = resource) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends it once, or twice if the server did not know it.
   *
   * @param commands of a connection
   * @param keys of the script
   * @param args of the script
   * @param <T> of its answer
   * @return the answer, or Lettuce's failure
   */
  public <T> CompletableFuture<T> call(
      RedisScriptingAsyncCommands<String, String> commands, String[] keys, String... args) {
    CompletableFuture<T> known =
        commands.<T>evalsha(digest, output, keys, args).toCompletableFuture();
    return known.exceptionallyCompose(
        failure ->
            isUnknown(failure)
                ? commands.<T>eval(text, output, keys, args).toCompletableFuture()
                : CompletableFuture.failedFuture(failure));
  }

  /** Sends it whole, so that it is carried out also where nobody could send it again. */
  void sendWhole(
      RedisScriptingAsyncCommands<String, String> commands, String[] keys, String... args) {
    commands.eval(text, output, keys, args);
  }

  private static boolean isUnknown(Throwable failure) {
    return Failures.cause(failure) instanceof RedisNoScriptException;
  }
}
